// The log: the oldest line first, under the heading of its turn.

import { copy, element, elementIfAny, part } from "../site/elements.js";
import { light } from "./board.js";
import { cards, html } from "./dom.js";

/** @import { Gain, LogEntry, Page, Player } from "./page.d.ts" */

const LOG_LINES = 120;
const TICKER_LINES = 2;

const log = element("log", HTMLOListElement);

/**
 * @param {LogEntry[]} entries
 * @param {Page} page
 */
export function addToLog(entries, { seats }) {
  log.append(...entries.map((entry) => line(entry, seats)));
  while (log.children.length > LOG_LINES) log.firstElementChild?.remove();
  drawTicker();
}

const ticker = elementIfAny("ticker", HTMLElement);

// Where the log is behind a button, the button says what happened last.
function drawTicker() {
  const newest = [...log.children].slice(-TICKER_LINES);
  ticker?.replaceChildren(...newest.map((last) => html("span", {}, ...last.cloneNode(true).childNodes)));
}

/**
 * What is said of an entry to those who do not see it.
 * @param {LogEntry} entry
 */
export const inWords = ({ text, gains }) => [text, ...gains.map(({ words }) => words)].join(" ");

/**
 * @param {LogEntry} entry
 * @param {Player[]} seats
 */
function line({ text, seat, gains, where, places, event }, seats) {
  const drawn = copy("log-entry", HTMLLIElement);
  drawn.className = `log-entry log-${event.kind}`;
  const emblem = part(drawn, ".log-seat", HTMLElement);
  if (seat === null) emblem.remove();
  else show(emblem, seats[seat]);
  part(drawn, ".log-text", HTMLElement).textContent = text;
  part(drawn, ".log-gains", HTMLElement).append(...gains.map((gain) => gained(gain, seats)));
  if (places.length) {
    drawn.tabIndex = 0;
    drawn.dataset.places = places.join(" ");
    part(drawn, ".log-where", HTMLElement).textContent = where;
  }
  return drawn;
}

/**
 * @param {Gain} gain
 * @param {Player[]} seats
 */
function gained({ seat, words, resources }, seats) {
  const drawn = copy("log-gain", HTMLElement);
  show(part(drawn, ".log-seat", HTMLElement), seats[seat]);
  part(drawn, ".log-said", HTMLElement).textContent = words;
  part(drawn, ".log-cards", HTMLElement).append(...cards(resources));
  return drawn;
}

/**
 * @param {HTMLElement} emblem
 * @param {Player} player
 */
function show(emblem, player) {
  emblem.className = `log-seat seat-${player.colour}`;
  emblem.textContent = player.emblem;
}

// A line under the pointer or the focus lights up its place on the board.
export function setUpLog() {
  drawTicker();
  for (const name of ["mouseover", "focusin"]) log.addEventListener(name, ({ target }) => light(placesAt(target), true));
  for (const name of ["mouseout", "focusout"]) log.addEventListener(name, ({ target }) => light(placesAt(target), false));
}

/** @param {EventTarget | null} target */
function placesAt(target) {
  const drawn = target instanceof Element ? target.closest("[data-places]") : null;
  return drawn?.getAttribute("data-places")?.trim().split(" ") ?? [];
}
