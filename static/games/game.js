// The page of a game: one store, one redraw a frame. The server lists what may be done; nothing is judged here.

import { element, elementIfAny, part, parts } from "../site/elements.js";
import { buttonOf, setUpAdvice } from "./advice.js";
import { setUpAgreements } from "./agreements.js";
import { drawBoard, legalPlaces, selectedMove, setUpBoard } from "./board.js";
import { placeBubble, setUpBubble } from "./bubble.js";
import { setUpClocks } from "./clocks.js";
import { Connection } from "./connection.js";
import { announce, placeAnnouncer } from "./dom.js";
import { setUpExplanations } from "./explain.js";
import { hear, spread } from "./frames.js";
import { setUpHints } from "./hints.js";
import { setUpKeyboard } from "./keyboard.js";
import { addToLog, inWords, setUpLog } from "./log.js";
import { animate, dropPieces } from "./motion.js";
import { setUpOffers } from "./offers.js";
import { drawPanels } from "./panels.js";
import { phrases } from "./phrases.js";
import { drawPresence } from "./presence.js";
import { isSeated, setUpSeat } from "./seat.js";
import { setting, switchSetting } from "./settings.js";
import { setUpSheets } from "./sheets.js";
import { followSwitch, play, setUpSounds, warn } from "./sound.js";
import { setUpStatistics } from "./statistics.js";
import { setUpTray } from "./tray.js";
import { setUpZoom } from "./zoom.js";

/** @import { Choices, Page } from "./page.d.ts" */
/** @import { Laid, OwnMove, OwnStore, SeatWish, Store } from "./store.d.ts" */

/** @type {Store} */
const store = {
  page: JSON.parse(element("page-data", HTMLScriptElement).text),
  mode: null,
  selected: null,
  armed: null,
  sentOn: null,
  refusal: "",
  clockOffset: 0,
};
const TICK = 250;

const guards = setting("guard", true);

/**
 * What only those have who play.
 * @param {OwnStore} own
 */
const setUpOwn = (own) => ({ tray: setUpTray(own, act), sheets: setUpSheets(own, act), drawSeat: setUpSeat(own, wish), drawAdvice: setUpAdvice(own, (version) => connection.ask(version), choose) });
const player = isSeated(store) ? setUpOwn(store) : null;
const drawOffers = setUpOffers(store, act, (offer) => player?.tray.open("counter_offer", offer));
const drawAgreements = setUpAgreements(store, agree);
const showHint = setUpHints();
const clocks = setUpClocks(store, (lastCall) => {
  announce(lastCall);
  warn();
});

/** @type {number | null} */
let frame = null;
function draw() {
  frame ??= requestAnimationFrame(() => {
    frame = null;
    forgetImpossible();
    dropPieces(drawBoard(store));
    drawPanels(store);
    drawOffers();
    drawAgreements();
    player?.drawSeat();
    player?.tray.redraw();
    player?.sheets.redraw();
    player?.drawAdvice();
    drawTime();
  });
}

// What a player is about to do outlasts the moves of others, as long as it is possible.
function forgetImpossible() {
  const { choices } = store.page;
  if (store.mode !== null && !(store.mode in choices)) store.mode = null;
  if (store.armed !== null && !(store.armed in choices)) store.armed = null;
  if (!selectedMove(store.page, store)) store.selected = null;
}

// What changes while nothing happens.
function drawTime() {
  clocks.draw();
  drawPresence(store);
  placeAnnouncer();
}

/** @param {Partial<Store>} changes */
function set(changes) {
  Object.assign(store, changes);
  draw();
}

const undecided = { mode: null, selected: null, armed: null };

// News from the server

/** @param {Page} page */
function receive(page) {
  const before = store.page;
  // Whoever has resigned only watches from now on, and that is another page.
  if (page.viewer !== before.viewer) {
    location.reload();
    return;
  }
  store.clockOffset = Date.parse(page.now) - performance.now();
  if (page.log.length) addToLog(page.log, page);
  // A place that now means another move was not chosen for that.
  if (selectedMove(page, store)?.kind !== selectedMove(before, store)?.kind) store.selected = null;
  const news = page.log.map(inWords);
  if (page.prompt !== before.prompt) news.push(page.prompt);
  if (news.length) announce(news.join(" "));
  set({ page });
  spread({ shown: page });
  // While the first settlements are placed, nothing but the seat tells of a new turn.
  const isNewTurn = page.active !== before.active || page.log.some(({ event }) => event.kind === "turn_began");
  animate(page, isNewTurn);
  play(page, isNewTurn);
  // A hidden page has no frames, but a title that says whose move it is.
  clocks.draw();
  clocks.setAlarm();
  showHint(page);
  openWhatIsAsked(before.choices);
  if (page.phase === "over" && before.phase !== "over") showEnd();
  if (page.pace !== before.pace) showPace();
}

/**
 * A choice of victims asks by itself.
 * @param {Choices} before
 */
function openWhatIsAsked(before) {
  if ("steal" in store.page.choices && !("steal" in before)) player?.sheets.open("steal");
}

// The server draws the end; this page only takes it over.
async function showEnd() {
  const page = await drawnAnew();
  const end = page.getElementById("end");
  if (!end) return;
  part(element("game", HTMLElement), "h1", HTMLElement).after(end);
  document.body.classList.remove("at-play");
  end.scrollIntoView({ block: "start" });
}

// What the help says of the clocks is drawn by the server too.
async function showPace() {
  const page = await drawnAnew();
  const told = page.getElementById("about-pace");
  if (told) element("about-pace", HTMLElement).replaceWith(told);
}

async function drawnAnew() {
  const answer = await fetch(location.href);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** @param {boolean} open */
function showConnection(open) {
  const line = element("connection", HTMLElement);
  line.textContent = open ? "" : phrases.connection_lost;
  line.hidden = open;
}

const connection = new Connection({
  page: store.page,
  token: part(element("token", HTMLFormElement), "[name=csrfmiddlewaretoken]", HTMLInputElement).value,
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
/** @type {Set<string>} */
const underWay = new Set();

/**
 * Tells whether the move was played. If it was not, what led to it is there again.
 * @param {OwnMove} move
 */
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

/** @param {SeatWish} wanted */
async function wish(wanted) {
  const refusal = await connection.wish(wanted);
  set({ refusal: refusal ?? "" });
  return !refusal;
}

/** @param {import("./store.d.ts").Said} said */
async function agree(said) {
  const refusal = await connection.agree(said);
  set({ refusal: refusal ?? "" });
  return !refusal;
}

const MODES = ["build_road", "build_settlement", "build_city"];
// The pieces of the setup and those of Road Building cost nothing.
const FREE = ["placing_settlement", "placing_road", "placing_free_roads"];

/**
 * What costs cards is pressed once to choose it and once more to mean it, unless the player trusts their aim.
 * @param {string} kind
 */
const asksTwice = (kind) => guards() && (kind === "buy_card" || kind.startsWith("play_") || (MODES.includes(kind) && !FREE.includes(store.page.phase)));

/** @param {Element} place */
function pressPlace(place) {
  const move = legalPlaces(store.page, store.mode).get(place.id);
  if (!move) return;
  if (asksTwice(move.kind) && store.selected !== place.id) set({ selected: place.id, armed: null, refusal: "" });
  else act(move);
}

/** @param {HTMLButtonElement} button */
function pressButton(button) {
  const { kind = "" } = button.dataset;
  if (button.getAttribute("aria-disabled") === "true") set({ refusal: button.dataset.reason ?? "" });
  else if (kind === "trade") openTray("offer_trade");
  else if (player?.tray.has(kind)) openTray(kind);
  else if (player?.sheets.has(kind)) player.sheets.open(kind);
  else if (MODES.includes(kind)) set({ ...undecided, mode: store.mode === kind ? null : kind, refusal: "" });
  else if (asksTwice(kind) && store.armed !== kind) set({ ...undecided, armed: kind, refusal: "" });
  else act({ kind });
}

/** @param {string} kind */
function openTray(kind) {
  set({ ...undecided, refusal: "" });
  player?.tray.toggle(kind);
}

/**
 * A card of the hand is given, where there is anything to give it for.
 * @param {HTMLButtonElement} button
 */
function pressCard(button) {
  const { give = "" } = button.dataset;
  const isTaken = player?.tray.give(give);
  set({ ...undecided, refusal: isTaken ? "" : store.page.reasons.trade });
}

function confirm() {
  const move = selectedMove(store.page, store);
  if (move) act(move);
  else if (store.armed) act({ kind: store.armed });
}

/**
 * What is advised is laid ready, and the focus on the press that means it: nobody else makes a player's moves.
 * @type {import("./store.d.ts").Choose}
 */
function choose({ move: advised, places: [place = null] }) {
  const move = /** @type {Laid} */ (advised);
  const { kind } = move;
  const isArmed = !place && (kind === "buy_card" || kind.startsWith("play_")) && !player?.tray.has(kind) && !player?.sheets.has(kind);
  set({ mode: place && kind, selected: place, armed: isArmed ? kind : null, refusal: "" });
  if (player?.tray.lay(move)) return;
  player?.sheets.open(kind);
  const next = place || isArmed ? element("confirm-yes", HTMLButtonElement) : buttonOf(move);
  // What is to be pressed is shown with the next frame.
  requestAnimationFrame(() => next?.focus());
}

function setUpButtons() {
  for (const button of parts(document, ".action[data-kind], .development-card", HTMLButtonElement)) {
    button.addEventListener("click", () => (button.dataset.give && player?.tray.takesDevelopments() ? pressCard(button) : pressButton(button)));
  }
  for (const button of parts(document, ".hand-card > button", HTMLButtonElement)) button.addEventListener("click", () => pressCard(button));
  element("confirm-yes", HTMLButtonElement).addEventListener("click", confirm);
  element("confirm-no", HTMLButtonElement).addEventListener("click", () => set(undecided));
  setUpSide();
  setUpMenu();
  const more = element("players-more", HTMLButtonElement);
  more.addEventListener("click", () => {
    const open = element("players", HTMLElement).classList.toggle("is-open");
    more.setAttribute("aria-expanded", `${open}`);
  });
}

// On a phone, log and chat are behind a button.
function setUpSide() {
  const side = element("side", HTMLElement);
  const opener = element("side-open", HTMLButtonElement);
  const closer = element("side-close", HTMLButtonElement);
  opener.addEventListener("click", () => {
    side.classList.add("is-open");
    closer.focus();
  });
  closer.addEventListener("click", () => {
    side.classList.remove("is-open");
    opener.focus();
  });
}

const menu = element("menu", HTMLDialogElement);

/** @param {"about" | "settings"} topic */
function openMenu(topic) {
  element(topic, HTMLDetailsElement).open = true;
  menu.showModal();
}

function setUpMenu() {
  element("menu-open", HTMLButtonElement).addEventListener("click", () => {
    openMenu("about");
  });
  element("menu-close", HTMLButtonElement).addEventListener("click", () => menu.close());
  menu.addEventListener("click", ({ target }) => target === menu && menu.close());
}

function cancel() {
  player?.tray.putAway();
  set(undecided);
}

function pressTurn() {
  const button = elementIfAny("turn", HTMLButtonElement);
  if (button?.getAttribute("aria-disabled") === "false" && !player?.tray.isOpen()) pressButton(button);
}

document.documentElement.classList.add("started");
setUpBoard(pressPlace);
setUpKeyboard(pressPlace, cancel, pressTurn, () => openMenu("settings"));
setUpZoom(placeBubble);
setUpBubble();
setUpExplanations();
setUpButtons();
setUpLog();
setUpStatistics();
setUpSounds(switchSetting("sound", true, followSwitch));
setInterval(drawTime, TICK);
receive(store.page);
openWhatIsAsked({});
