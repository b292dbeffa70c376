// The hints of a first game against bots: each is given once, at its moment. What has been given is kept in this browser.

import { element, elementIfAny } from "../site/elements.js";
import { setText } from "./dom.js";
import { phrases } from "./phrases.js";
import { ownSeat } from "./seat.js";
import { read, write } from "./settings.js";

/** @import { Page, Phrases } from "./page.d.ts" */
/** @import { OwnPage, OwnSeat } from "./store.d.ts" */

/** @typedef {keyof Phrases["hints"]} HintName */
/** @typedef {(page: OwnPage, own: OwnSeat) => boolean} Moment */

const KEPT = "hints";
const SKIPPED = "off";
const BANK_RATE = 4;
// How near to Longest Road, to Largest Army and to the victory one is told of it.
const ROADS_NEAR = 4;
const KNIGHTS_NEAR = 2;
const POINTS_NEAR = 2;

/** The turn on which the player's own roll has brought them cards. */
let fruitfulTurn = -1;

/** @type {(page: OwnPage) => boolean} */
const isMainTurn = ({ choices }) => "end_turn" in choices;

/** @type {(page: OwnPage) => boolean} */
const canBuild = ({ choices }) => ["build_road", "build_settlement", "build_city", "buy_card"].some((kind) => kind in choices);

/**
 * When each hint helps, the most pressing first: of several whose moment it is, the first is shown, and the others wait.
 * @type {Record<HintName, Moment>}
 */
const MOMENTS = {
  discard: ({ choices }) => "discard" in choices,
  robber: ({ choices }) => "move_robber" in choices,
  answer_offer: ({ choices }) => "accept_offer" in choices,
  first_settlement: ({ phase, asked }, { settlements }) => phase === "placing_settlement" && asked === "move" && settlements.length === 0,
  second_settlement: ({ phase, asked }, { settlements }) => phase === "placing_settlement" && asked === "move" && settlements.length === 1,
  first_road: ({ phase, asked }, { roads }) => phase === "placing_road" && asked === "move" && roads.length === 0,
  roll: ({ choices }) => "roll" in choices,
  production: (page) => isMainTurn(page) && page.turn === fruitfulTurn,
  victory: (page, { points }) => isMainTurn(page) && points >= Number(page.rules.points_to_win) - POINTS_NEAR,
  longest_road: (page, own) => isMainTurn(page) && isNear(page, page.longest_road, ROADS_NEAR, own, "road_length"),
  largest_army: (page, own) => isMainTurn(page) && isNear(page, page.largest_army, KNIGHTS_NEAR, own, "knights"),
  card: (page, { cards }) => isMainTurn(page) && cards.length > 0,
  harbor: (page, { rates }) => isMainTurn(page) && Object.values(rates ?? {}).some((rate) => rate < BANK_RATE),
  build: (page) => isMainTurn(page) && canBuild(page),
  bank: ({ choices }) => "trade_with_bank" in choices,
  offer_trade: (page) => "offer_trade" in page.choices && !canBuild(page),
  end_turn: isMainTurn,
};

const NAMES = /** @type {HintName[]} */ (Object.keys(MOMENTS));

/**
 * Whether one more would take an award.
 * @param {OwnPage} page
 * @param {number | null} holder
 * @param {number} least
 * @param {OwnSeat} own
 * @param {"road_length" | "knights"} counted
 */
function isNear({ seats, viewer }, holder, least, own, counted) {
  if (holder === viewer) return false;
  const most = holder === null ? 0 : seats[holder][counted] ?? 0;
  return (own[counted] ?? 0) >= Math.max(least, most);
}

/** @returns {(page: Page) => void} shows the hint whose moment a page is */
export function setUpHints() {
  const card = elementIfAny("hint", HTMLElement);
  if (!card) return () => {};
  const text = element("hint-text", HTMLElement);
  let given = new Set(read(KEPT)?.split(" "));
  /** @type {OwnPage | null} */
  let page = null;
  /** @type {HintName | null} */
  let current = null;

  /** @param {HintName} name */
  const isNow = (name) => page !== null && page.status === "running" && !page.is_replaced && MOMENTS[name](page, ownSeat(page));

  /** @param {string} name */
  function give(name) {
    given.add(name);
    write(KEPT, [...given].join(" "));
  }

  function draw() {
    if (current && !given.has(current) && !isNow(current)) give(current);
    const isDue = (/** @type {HintName} */ name) => name in phrases.hints && !given.has(name) && isNow(name);
    current = given.has(SKIPPED) ? null : NAMES.find(isDue) ?? null;
    // Whoever has just pressed a button here goes on where it says what to do.
    if (!current && card?.contains(document.activeElement)) element("prompt", HTMLElement).focus();
    card?.classList.toggle("is-shown", current !== null);
    setText(text, current ? phrases.hints[current] : "");
  }

  element("hint-got", HTMLButtonElement).addEventListener("click", () => {
    if (current) give(current);
    draw();
  });
  element("hint-skip", HTMLButtonElement).addEventListener("click", () => {
    give(SKIPPED);
    draw();
  });
  element("hints-again", HTMLButtonElement).addEventListener("click", () => {
    given = new Set();
    write(KEPT, "");
    element("menu", HTMLDialogElement).close();
    draw();
  });

  return (next) => {
    page = /** @type {OwnPage} */ (next);
    const rolled = next.log.find(({ event }) => event.kind === "rolled" && event.seat === next.viewer);
    if (rolled?.gains.some(({ seat }) => seat === next.viewer)) fruitfulTurn = next.turn;
    draw();
  };
}
