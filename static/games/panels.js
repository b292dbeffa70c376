// Everything around the board: players, bank, hand, actions, dice, the sentence that says what to do.

import { copy, element, elementIfAny, part, parts } from "../site/elements.js";
import { fill } from "../site/words.js";
import { showBubble } from "./bubble.js";
import { html, reconcile, setText } from "./dom.js";
import { SIGNS } from "./offers.js";
import { phrases } from "./phrases.js";
import { isSeated, ownSeat } from "./seat.js";

/** @import { Answer, Page, Player } from "./page.d.ts" */
/** @import { OwnPage, OwnStore, Store } from "./store.d.ts" */

const game = element("game", HTMLElement);

/** @param {Store} store */
export function drawPanels(store) {
  const { page } = store;
  game.dataset.version = `${page.version}`;
  game.classList.toggle("waits-for-you", ["move", "discard"].includes(page.asked));
  drawPlayers(page);
  drawBank(page);
  drawDice(page);
  drawPrompt(store);
  if (isSeated(store)) {
    drawDevelopments(store);
    drawActions(store);
  }
}

const FIELDS = /** @type {const} */ (["points", "hand_size", "card_count", "knights", "road_length"]);
const AWARDS = /** @type {const} */ (["longest_road", "largest_army"]);

/** @param {Page} page */
function drawPlayers(page) {
  for (const shown of page.seats) {
    const { seat } = shown;
    const place = element(`seat-${seat}`, HTMLElement);
    for (const field of FIELDS) setText(part(place, `[data-field=${field}]`, HTMLElement), shown[field] ?? phrases.not_known);
    if (shown.is_bot_account) markBotAccount(place);
    part(place, "[data-secret]", HTMLElement).hidden = shown.knights !== null;
    const isOverLimit = shown.hand_size > Number(page.rules.discard_limit);
    part(place, ".seat-hand", HTMLElement).classList.toggle("is-over-limit", isOverLimit);
    part(place, "[data-over-limit]", HTMLElement).hidden = !isOverLimit;
    drawPiecesLeft(`[data-pieces="${seat}"] [data-left]`, shown);
    place.classList.toggle("is-active", page.active === seat && page.winner === null);
    place.classList.toggle("is-to-act", page.to_act.includes(seat));
    drawAnswers(place, page, seat);
    for (const award of AWARDS) part(place, `[data-award=${award}]`, HTMLElement).classList.toggle("has-award", page[award] === seat);
  }
}

/**
 * A seat may come to be a bot account's while it is played, and stays so: a guest has signed in as one.
 * @param {HTMLElement} place
 */
function markBotAccount(place) {
  if (!place.querySelector(".badge-bot")) part(place, ".seat-name", HTMLElement).after(copy("bot-account", HTMLElement));
}

/**
 * What somebody says to the open offers; those who listen to the page hear it with the offers.
 * @param {HTMLElement} place
 * @param {Page} page
 * @param {number} seat
 */
function drawAnswers(place, { offers }, seat) {
  /** @type {[string, Answer["answer"]][]} */
  const said = offers.flatMap((offer) => offer.said.filter((each) => each.seat === seat).map(({ answer }) => [`${offer.number} ${answer}`, answer]));
  reconcile(part(place, ".seat-answers", HTMLElement), said, (answer) => html("span", { "data-answer": answer }, SIGNS[answer]));
}

/**
 * @param {string} selector
 * @param {Player} shown
 */
function drawPiecesLeft(selector, { roads_left: roads, settlements_left: settlements, cities_left: cities }) {
  /** @type {Record<string, number>} */
  const left = { roads, settlements, cities };
  for (const count of parts(document, selector, HTMLElement)) setText(count, left[`${count.dataset.left}`]);
}

/** @param {Page} page */
function drawBank({ deck, bank }) {
  for (const row of parts(document, "[data-bank]", HTMLElement)) {
    const { bank: name = "" } = row.dataset;
    setText(part(row, "b", HTMLElement), name === "deck" ? deck : bank[name]);
  }
}

const diceBox = element("dice", HTMLElement);
const dicePair = parts(diceBox, ".die", SVGElement);
const diceText = element("dice-text", HTMLElement);

/** @param {Page} page */
function drawDice({ dice, dice_words: words }) {
  diceBox.hidden = !dice;
  if (!dice) return;
  dicePair.forEach((die, place) => die.setAttribute("data-value", `${dice[place]}`));
  setText(diceText, words);
}

const prompt = element("prompt", HTMLElement);
const confirmYes = element("confirm-yes", HTMLButtonElement);

/** @param {Store} store */
function drawPrompt({ page, mode, selected, armed, refusal, sentOn }) {
  const place = selected === null ? null : elementIfAny(selected, SVGElement);
  const kind = place ? place.dataset.kind : armed;
  setText(prompt, asked(kind, place, mode) || page.prompt);
  for (const line of parts(document, ".refusal", HTMLElement)) setText(line, refusal);
  confirmYes.hidden = !kind;
  showBubble(place ?? buttonOf(armed ?? mode));
  game.classList.toggle("is-sending", sentOn === page.version);
}

/** @param {string | null} kind */
const buttonOf = (kind) => (kind === null ? null : part(game, `button[data-kind=${kind}]`, HTMLButtonElement));

/**
 * What the player is asked for the second press, or for the first one after a button.
 * @param {string | null | undefined} kind
 * @param {SVGElement | null} place
 * @param {string | null} mode
 */
function asked(kind, place, mode) {
  if (kind) return fill(phrases.press_again[kind] ?? "", { place: place?.dataset.name ?? "" });
  return mode && phrases.choose_place[mode];
}

/**
 * The development cards; those of resources are drawn by the tray, which takes some of them.
 * @param {OwnStore} store
 */
function drawDevelopments({ page, armed }) {
  const { cards } = ownSeat(page);
  for (const row of parts(document, "[data-card]", HTMLElement)) {
    const count = cards.filter(({ card }) => card === row.dataset.card).length;
    const button = part(row, "button", HTMLButtonElement);
    const { kind = "" } = button.dataset;
    row.hidden = count === 0;
    const shown = part(row, "[data-count]", HTMLElement);
    shown.hidden = count < 2;
    setText(shown, count);
    setReason(button, page.reasons[kind]);
    button.classList.toggle("is-armed", armed === kind);
  }
}

/** @param {OwnStore} store */
function drawActions({ page, mode, armed }) {
  turn(page.turn_button);
  drawPiecesLeft(".action [data-left]", ownSeat(page));
  for (const button of parts(document, ".action[data-kind]", HTMLButtonElement)) {
    const { kind = "" } = button.dataset;
    setReason(button, page.reasons[kind]);
    if (kind === "skip_roll") button.hidden = !(kind in page.choices);
    button.classList.toggle("is-chosen", mode === kind || armed === kind);
    button.classList.toggle("is-next", page.next === kind);
    drawCost(button, page);
  }
  if (isTurning) turnButton?.setAttribute("aria-disabled", "true");
}

// Milliseconds in which a second press of the button was still meant for what it said before.
const TURNING = 500;
const turnButton = elementIfAny("turn", HTMLButtonElement);
let isTurning = false;

/**
 * The one button of a turn says something else now.
 * @param {string} kind
 */
function turn(kind) {
  if (!turnButton || turnButton.dataset.kind === kind) return;
  turnButton.dataset.kind = kind;
  for (const label of parts(turnButton, "[data-for]", HTMLElement)) label.hidden = label.dataset.for !== kind;
  isTurning = true;
  setTimeout(() => {
    isTurning = false;
    turnButton.setAttribute("aria-disabled", `${Boolean(turnButton.dataset.reason)}`);
  }, TURNING);
}

/**
 * Missing cards of a price are hollow.
 * @param {HTMLButtonElement} button
 * @param {OwnPage} page
 */
function drawCost(button, page) {
  const left = { ...ownSeat(page).hand };
  for (const card of parts(button, "[data-cost]", HTMLElement)) {
    const { cost = "" } = card.dataset;
    card.classList.toggle("is-missing", left[cost] < 1);
    left[cost] -= 1;
  }
}

/**
 * A button that cannot be used stays where it is and says why.
 * @param {HTMLButtonElement} button
 * @param {string | undefined} reason
 */
function setReason(button, reason) {
  button.setAttribute("aria-disabled", reason ? "true" : "false");
  button.dataset.reason = reason ?? "";
  button.setAttribute("aria-description", [reason, button.dataset.explain].filter(Boolean).join(" "));
}
