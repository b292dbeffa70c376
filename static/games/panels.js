// Everything around the board: players, bank, hand, actions, dice, the sentence that says what to do, the log.

import { byId, html, setText } from "./dom.js";
import { light } from "./board.js";
import { asked } from "./clocks.js";

const LOG_LINES = 80;

export function drawPanels(store) {
  const { page } = store;
  byId("game").dataset.version = page.version;
  byId("game").classList.toggle("waits-for-you", asked(page) === "move");
  drawPlayers(page);
  drawBank(page.view);
  drawDice(page.view.dice);
  drawPrompt(store);
  if (page.you !== null) {
    drawHand(store);
    drawActions(store);
  }
}

function drawPlayers({ view, seats }) {
  for (const { seat } of seats) {
    const place = byId(`seat-${seat}`);
    const shown = view.seats[seat];
    for (const field of ["points", "hand_size", "card_count", "knights", "road_length"]) {
      setText(place.querySelector(`[data-field=${field}]`), shown[field] ?? "–");
    }
    place.querySelector("[data-secret]").hidden = shown.knights !== null;
    drawPiecesLeft(document.querySelectorAll(`[data-pieces="${seat}"] [data-left]`), shown);
    place.classList.toggle("is-active", view.active === seat && view.winner === null);
    place.classList.toggle("is-to-act", view.to_act.includes(seat));
    for (const award of ["longest_road", "largest_army"]) {
      place.querySelector(`[data-award=${award}]`).classList.toggle("has-award", view[award] === seat);
    }
  }
}

function drawPiecesLeft(counts, shown) {
  for (const count of counts) setText(count, shown[`${count.dataset.left}_left`]);
}

function drawBank(view) {
  for (const row of document.querySelectorAll("[data-bank]")) {
    const name = row.dataset.bank;
    setText(row.querySelector("b"), name === "deck" ? view.deck : view.bank[name]);
  }
}

function drawDice(dice) {
  byId("dice").hidden = !dice;
  if (!dice) return;
  byId("dice").querySelectorAll(".die").forEach((die, place) => die.setAttribute("data-value", dice[place]));
  setText(byId("dice-text"), `Last roll: ${dice[0]} and ${dice[1]}`);
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
  const own = page.view.seats[page.you];
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
    setReason(button, reasonAgainst(button.dataset.kind, page));
    button.classList.toggle("is-armed", armed === button.dataset.kind);
  }
}

function drawActions({ page, mode }) {
  const { choices: moves } = page.view;
  drawPiecesLeft(document.querySelectorAll(".action [data-left]"), page.view.seats[page.you]);
  for (const button of document.querySelectorAll(".action[data-kind]")) {
    const { kind } = button.dataset;
    setReason(button, reasonAgainst(kind, page));
    if (["skip_roll", "stop_placing_roads", "discard", "steal"].includes(kind)) button.hidden = !(kind in moves);
    button.classList.toggle("is-chosen", mode === kind);
    button.classList.toggle("is-next", isNext(kind, page));
    drawCost(button, page);
  }
}

// Missing cards of a price are hollow.
function drawCost(button, page) {
  const left = { ...page.view.seats[page.you].hand };
  for (const part of button.querySelectorAll("[data-cost]")) {
    part.classList.toggle("is-missing", left[part.dataset.cost] < 1);
    left[part.dataset.cost] -= 1;
  }
}

// Why a move cannot be made; what the game waits for says it where no rule does.
function reasonAgainst(kind, { view: { choices: moves }, why_not: reasons, prompt }) {
  const kinds = kind === "trade" ? ["offer_trade", "trade_with_bank"] : [kind];
  return kinds.some((each) => each in moves) ? undefined : (reasons[kinds[0]] ?? prompt);
}

const isNext = (kind, { view }) =>
  kind in view.choices && (["roll", "discard", "steal"].includes(kind) || (kind === "end_turn" && Object.keys(view.choices).length === 1));

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
  for (const { text, seat, places, event } of entries) {
    const at = ["hexes", "vertices", "edges"].flatMap((kind, which) =>
      (places[kind] ?? []).map((number) => `${["hex", "vertex", "edge"][which]}-${number}`),
    );
    const about = seats.find((player) => player.seat === seat);
    const emblem = about ? [html("span", { class: `log-seat seat-${about.colour}`, "aria-hidden": "true" }, about.emblem), " "] : [];
    const focus = at.length ? { tabindex: "0", "data-places": at.join(" ") } : {};
    log.prepend(html("li", { class: `log-entry log-${event.kind}`, ...focus }, ...emblem, text));
  }
  while (log.children.length > LOG_LINES) log.lastElementChild.remove();
}

// A line under the pointer or the focus lights up its place on the board.
export function setUpLog() {
  const log = byId("log");
  const at = (event) => event.target.closest("[data-places]")?.dataset.places.trim().split(" ") ?? [];
  for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
    log.addEventListener(name, (event) => light(at(event), on));
  }
}
