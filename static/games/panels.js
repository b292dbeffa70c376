// Everything around the board: players, bank, hand, actions, dice, the sentence that says what to do, the log.

import { byId, setText } from "./dom.js";
import { light } from "./board.js";

const LOG_LINES = 80;

export function drawPanels(store) {
  const { page } = store;
  byId("game").dataset.version = page.version;
  byId("game").classList.toggle("waits-for-you", ["move", "discard"].includes(page.asked));
  drawPlayers(page);
  drawBank(page);
  drawDice(page);
  drawPrompt(store);
  if (page.viewer !== null) {
    drawHand(store);
    drawActions(store);
  }
}

function drawPlayers(page) {
  for (const shown of page.seats) {
    const { seat } = shown;
    const place = byId(`seat-${seat}`);
    for (const field of ["points", "hand_size", "card_count", "knights", "road_length"]) {
      setText(place.querySelector(`[data-field=${field}]`), shown[field] ?? "–");
    }
    place.querySelector("[data-secret]").hidden = shown.knights !== null;
    drawPiecesLeft(document.querySelectorAll(`[data-pieces="${seat}"] [data-left]`), shown);
    place.classList.toggle("is-active", page.active === seat && page.winner === null);
    place.classList.toggle("is-to-act", page.to_act.includes(seat));
    for (const award of ["longest_road", "largest_army"]) {
      place.querySelector(`[data-award=${award}]`).classList.toggle("has-award", page[award] === seat);
    }
  }
}

function drawPiecesLeft(counts, shown) {
  for (const count of counts) setText(count, shown[`${count.dataset.left}_left`]);
}

function drawBank({ deck, bank }) {
  for (const row of document.querySelectorAll("[data-bank]")) {
    const name = row.dataset.bank;
    setText(row.querySelector("b"), name === "deck" ? deck : bank[name]);
  }
}

function drawDice({ dice, dice_words: words }) {
  byId("dice").hidden = !dice;
  if (!dice) return;
  byId("dice").querySelectorAll(".die").forEach((die, place) => die.setAttribute("data-value", dice[place]));
  setText(byId("dice-text"), words);
}

function drawPrompt({ page, phrases, mode, selected, armed, refusal, sentOn }) {
  const place = selected && byId(selected);
  const kind = place ? place.dataset.kind : armed;
  const asks = kind ? phrases.press_again[kind]?.replace("{place}", place?.dataset.name) : mode && phrases.choose_place[mode];
  setText(byId("prompt"), asks || page.prompt);
  for (const line of document.querySelectorAll(".refusal")) setText(line, refusal);
  byId("confirm").hidden = !(kind || mode);
  byId("confirm-yes").hidden = !kind;
  byId("game").classList.toggle("is-sending", sentOn === page.version);
}

function drawHand({ page, armed }) {
  const own = page.seats[page.viewer];
  for (const row of document.querySelectorAll("[data-resource].hand-card")) {
    const count = own.hand[row.dataset.resource];
    setText(row.querySelector("b"), count);
    row.classList.toggle("is-none", count === 0);
  }
  for (const row of document.querySelectorAll("[data-card]")) {
    const count = own.cards.filter(({ card }) => card === row.dataset.card).length;
    const button = row.querySelector("button");
    row.hidden = count === 0;
    setText(row.querySelector("[data-count]"), count);
    setReason(button, page.reasons[button.dataset.kind]);
    button.classList.toggle("is-armed", armed === button.dataset.kind);
  }
}

function drawActions({ page, mode }) {
  drawPiecesLeft(document.querySelectorAll(".action [data-left]"), page.seats[page.viewer]);
  for (const button of document.querySelectorAll(".action[data-kind]")) {
    const { kind } = button.dataset;
    setReason(button, page.reasons[kind]);
    if (["skip_roll", "stop_placing_roads", "discard", "steal"].includes(kind)) button.hidden = !(kind in page.choices);
    button.classList.toggle("is-chosen", mode === kind);
    button.classList.toggle("is-next", page.next === kind);
    drawCost(button, page);
  }
}

// Missing cards of a price are hollow.
function drawCost(button, page) {
  const left = { ...page.seats[page.viewer].hand };
  for (const part of button.querySelectorAll("[data-cost]")) {
    part.classList.toggle("is-missing", left[part.dataset.cost] < 1);
    left[part.dataset.cost] -= 1;
  }
}

// A button that cannot be used stays where it is and says why.
function setReason(button, reason) {
  button.setAttribute("aria-disabled", reason ? "true" : "false");
  button.dataset.title ??= button.title;
  button.title = reason ?? button.dataset.title;
  if (reason) button.setAttribute("aria-description", reason);
  else button.removeAttribute("aria-description");
}

// The log: the newest line first.
export function addToLog(entries, { seats }) {
  const log = byId("log");
  for (const entry of entries) log.prepend(logEntry(entry, seats));
  while (log.children.length > LOG_LINES) log.lastElementChild.remove();
}

function logEntry({ text, seat, places, event }, seats) {
  const line = byId("log-entry").content.firstElementChild.cloneNode(true);
  const [emblem, words] = line.children;
  line.className = `log-entry log-${event.kind}`;
  if (seat === null) emblem.remove();
  else {
    emblem.className = `log-seat seat-${seats[seat].colour}`;
    emblem.textContent = seats[seat].emblem;
  }
  words.textContent = text;
  if (places.length) {
    line.tabIndex = 0;
    line.dataset.places = places.join(" ");
  }
  return line;
}

// A line under the pointer or the focus lights up its place on the board.
export function setUpLog() {
  const log = byId("log");
  const at = (event) => event.target.closest("[data-places]")?.dataset.places.trim().split(" ") ?? [];
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    log.addEventListener(name, (event) => light(at(event), on));
  }
}
