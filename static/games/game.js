// The page of a game: one store, one redraw a frame. The server lists what may be done; nothing is judged here.

import { drawBoard, legalPlaces, setUpBoard } from "./board.js";
import { setUpClocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { announce, byId, placeAnnouncer } from "./dom.js";
import { hear } from "./frames.js";
import { setUpKeyboard } from "./keyboard.js";
import { animate, dropPieces } from "./motion.js";
import { setUpOffers } from "./offers.js";
import { addToLog, drawPanels, setUpLog } from "./panels.js";
import { drawPresence } from "./presence.js";
import { setUpSeat } from "./seat.js";
import { setting } from "./settings.js";
import { setUpSheets } from "./sheets.js";
import { play, warn } from "./sound.js";
import { setUpTrade } from "./trade.js";
import { setUpZoom } from "./zoom.js";

const read = (id) => JSON.parse(byId(id).textContent);

const store = {
  page: read("page-data"),
  phrases: read("phrases"),
  // What this player is about to do: a kind of place to choose, a place or a card that was pressed once.
  mode: null,
  selected: null,
  armed: null,
  // The version on which a move of theirs was made: the server plays one on each, so a second press waits for the next.
  sentOn: null,
  refusal: "",
  // From the time since this page was opened to the server's time, in milliseconds.
  clockOffset: 0,
};
const TICK = 250;

const guards = setting("guard", true);
const sounds = setting("sound", false);
const seated = store.page.viewer !== null;

const trade = seated ? setUpTrade(store, act) : null;
const sheets = seated ? setUpSheets(store, act) : null;
const drawOffers = setUpOffers(store, act, (offer) => openSheet(() => trade.open(offer)));
const drawSeat = seated ? setUpSeat(store, wish) : null;
const clocks = setUpClocks(store, (sentence) => {
  announce(sentence);
  if (sounds()) warn();
});

let frame = null;
function draw() {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    forgetImpossible();
    dropPieces(drawBoard(store));
    drawPanels(store);
    drawOffers();
    drawSeat?.();
    trade?.redraw();
    sheets?.redraw();
    drawTime();
  });
}

// What a player is about to do outlasts the moves of others, as long as it is possible.
function forgetImpossible() {
  const { choices } = store.page;
  if (!(store.mode in choices)) store.mode = null;
  if (!(store.armed in choices)) store.armed = null;
  if (!legalPlaces(store.page, store.mode).has(store.selected)) store.selected = null;
}

// What changes while nothing happens.
function drawTime() {
  clocks.draw();
  drawPresence(store);
  placeAnnouncer();
}

function set(changes) {
  Object.assign(store, changes);
  draw();
}

const undecided = { mode: null, selected: null, armed: null };

// News from the server

function receive(page) {
  const before = store.page;
  // Whoever has resigned only watches from now on, and that is another page.
  if (page.viewer !== before.viewer) {
    location.reload();
    return;
  }
  store.clockOffset = Date.parse(page.now) - performance.now();
  if (page.log.length) {
    animate(page.log, page);
    addToLog(page.log, page);
    if (sounds()) play(page.log, page);
  }
  // A place that now means another move was not chosen for that.
  const meaning = (of) => legalPlaces(of, store.mode).get(store.selected)?.kind;
  if (meaning(page) !== meaning(before)) store.selected = null;
  const news = page.log.map(({ text }) => text);
  if (page.prompt !== before.prompt) news.push(page.prompt);
  if (news.length) announce(news.join(" "));
  set({ page });
  // A hidden page has no frames, but a title that says whose move it is.
  clocks.draw();
  clocks.setAlarm();
  if (seated) openWhatIsAsked(before);
  if (page.phase === "over" && before.phase !== "over") showEnd();
}

// A seven and a choice of victims ask by themselves.
function openWhatIsAsked(before) {
  for (const kind of ["discard", "steal"]) {
    if (kind in store.page.choices && !(kind in before.choices)) sheets.open(kind);
  }
}

// The server draws the end; this page only takes it over.
async function showEnd() {
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  byId("game").querySelector("h1").after(page.getElementById("end"));
  byId("end").scrollIntoView({ block: "start" });
}

function showConnection(open) {
  const line = byId("connection");
  line.textContent = open ? "" : store.phrases.connection_lost;
  line.hidden = open;
}

const connection = new Connection({
  page: store.page,
  token: byId("token").elements.csrfmiddlewaretoken.value,
  onPage: receive,
  onState: showConnection,
  isOverdue: clocks.isOverdue,
});
hear("presence", ({ seat, presence }) => {
  if (seat === store.page.viewer) return;
  store.page.seats[seat].presence = presence;
  draw();
});

// What this player does

// These count whatever others do at the same moment, so that none of them has to wait for another.
const ANSWERS = ["discard", "accept_offer", "reject_offer", "counter_offer", "withdraw_offer"];
const underWay = new Set();

// Tells whether the move was played. If it was not, what led to it is there again.
async function act(move) {
  const { version } = store.page;
  const text = JSON.stringify(move);
  const isAnswer = ANSWERS.includes(move.kind);
  if (underWay.has(text) || (!isAnswer && store.sentOn === version)) return false;
  const { mode, selected, armed } = store;
  underWay.add(text);
  set({ ...(isAnswer ? {} : undecided), sentOn: version, refusal: "" });
  const refusal = await connection.send(move);
  if (refusal) {
    const isUndecided = !(store.mode || store.selected || store.armed);
    set({ refusal, sentOn: store.sentOn === version ? null : store.sentOn, ...(isUndecided ? { mode, selected, armed } : {}) });
  }
  underWay.delete(text);
  return !refusal;
}

async function wish(wanted) {
  const refusal = await connection.wish(wanted);
  set({ refusal: refusal ?? "" });
  return !refusal;
}

// A place is pressed once to choose it and once more to build there, unless the player trusts their aim.
function pressPlace(place) {
  const move = legalPlaces(store.page, store.mode).get(place.id);
  if (!move) return;
  if (guards() && store.selected !== place.id) set({ selected: place.id, armed: null, refusal: "" });
  else act(move);
}

const SHEETS = ["discard", "steal", "play_year_of_plenty", "play_monopoly"];
const MODES = ["build_road", "build_settlement", "build_city"];

function pressButton(button) {
  const { kind } = button.dataset;
  if (button.getAttribute("aria-disabled") === "true") set({ refusal: button.title });
  else if (kind === "trade") openSheet(() => trade.open());
  else if (SHEETS.includes(kind)) openSheet(() => sheets.open(kind));
  else if (MODES.includes(kind)) set({ ...undecided, mode: store.mode === kind ? null : kind, refusal: "" });
  else if (kind.startsWith("play_") && guards() && store.armed !== kind) set({ ...undecided, armed: kind, refusal: "" });
  else act({ kind });
}

function openSheet(open) {
  set({ refusal: "" });
  open();
}

function confirm() {
  if (store.selected) act(legalPlaces(store.page, store.mode).get(store.selected));
  else if (store.armed) act({ kind: store.armed });
}

function setUpButtons() {
  for (const button of document.querySelectorAll(".action[data-kind], .development-card")) {
    button.addEventListener("click", () => pressButton(button));
  }
  byId("confirm-yes").addEventListener("click", confirm);
  byId("confirm-no").addEventListener("click", () => set(undecided));
  const side = byId("side");
  const showSide = (open) => {
    side.classList.toggle("is-open", open);
    (open ? byId("side-close") : byId("side-open"))?.focus();
  };
  byId("side-open")?.addEventListener("click", () => showSide(true));
  byId("side-close").addEventListener("click", () => showSide(false));
  // What opens at the foot of the page would open out of sight.
  for (const part of document.querySelectorAll(".below > details")) {
    part.addEventListener("toggle", () => part.open && part.scrollIntoView({ block: "nearest" }));
  }
  byId("players-more").addEventListener("click", () => {
    const open = byId("players").classList.toggle("is-open");
    byId("players-more").setAttribute("aria-expanded", open);
  });
}

document.documentElement.classList.add("live");
setUpBoard(store.phrases.places, pressPlace);
setUpKeyboard(pressPlace, () => set(undecided));
setUpZoom();
setUpButtons();
setUpLog();
setInterval(drawTime, TICK);
receive(store.page);
if (seated) openWhatIsAsked({ choices: {} });
