// The sheets that ask for cards or a player: discarding, Year of Plenty, Monopoly, the robber's victim.

import { element, part, parts } from "../site/elements.js";
import { fill } from "../site/words.js";
import { card, html, reconcile } from "./dom.js";
import { phrases } from "./phrases.js";
import { ownSeat } from "./seat.js";

/** @import { Victim } from "./page.d.ts" */
/** @import { Act, OwnMove, OwnStore } from "./store.d.ts" */

/** @typedef {Record<string, number>} Counts of cards, by their names */

/**
 * @typedef {object} Bounds
 * @property {(name: string, counts: Counts) => number} most how far a count may grow
 * @property {(name: string, counts: Counts) => boolean} isHeld whether a count can stay as it is
 * @property {(name: string) => number} [outOf] how many there are
 * @property {() => void} onChange
 */

/**
 * @typedef {object} Steppers
 * @property {() => void} draw
 * @property {() => void} fit
 * @property {(wanted: Counts) => void} set
 * @property {() => number} total
 * @property {() => Counts} chosen
 */

/**
 * A row of cards, each with − and +.
 * @param {HTMLElement} row
 * @param {string[]} names
 * @param {Bounds} bounds
 * @returns {Steppers}
 */
export function steppers(row, names, { most, isHeld, outOf, onChange }) {
  /** @type {Counts} */
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  const { less: lessOf, more: moreOf, out_of: outOfAll } = phrases.trades;
  const steps = names.map((name) => {
    const label = { card: phrases.card_names[name] };
    const less = html("button", { type: "button", class: "step", "aria-label": fill(lessOf, label), click: () => change(name, -1) }, "−");
    const more = html("button", { type: "button", class: "step", "aria-label": fill(moreOf, label), click: () => change(name, 1) }, "+");
    const number = html("output", {}, "0");
    const held = html("small", {});
    const count = html("span", { class: "stepper-count" }, number, held);
    return { name, less, more, number, held, stepper: html("div", { class: "stepper", "data-name": name }, less, card(name), count, more) };
  });
  row.replaceChildren(...steps.map(({ stepper }) => stepper));

  /**
   * @param {string} name
   * @param {number} by
   */
  function change(name, by) {
    const next = counts[name] + by;
    if (next < 0 || next > most(name, counts)) return;
    counts[name] = next;
    onChange();
    draw();
  }

  function draw() {
    for (const { name, less, more, number, held } of steps) {
      number.textContent = `${counts[name]}`;
      held.textContent = outOf ? fill(outOfAll, { held: outOf(name) }) : "";
      less.setAttribute("aria-disabled", `${counts[name] === 0}`);
      more.setAttribute("aria-disabled", `${counts[name] >= most(name, counts)}`);
    }
  }

  /** @param {Counts} wanted */
  function set(wanted) {
    for (const name of names) counts[name] = wanted[name] ?? 0;
    draw();
  }

  // Whatever has happened meanwhile, what was chosen stays as far as it can.
  function fit() {
    for (const name of names) while (counts[name] > 0 && !isHeld(name, counts)) counts[name] -= 1;
    draw();
  }

  return { draw, fit, set, total: () => sum(counts), chosen: () => Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) };
}

/** @param {Counts} counts */
const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

/**
 * @param {OwnStore} store
 * @param {Act} act
 */
export function setUpSheets(store, act) {
  for (const sheet of parts(document, "dialog.sheet", HTMLDialogElement)) {
    part(sheet, "[data-close]", HTMLButtonElement).addEventListener("click", () => sheet.close());
  }
  const words = phrases.trades;
  const names = Object.keys(store.page.bank);
  const hand = () => ownSeat(store.page).hand;

  // Discarding

  const discardSheet = element("discard-sheet", HTMLDialogElement);
  const discardYes = element("discard-yes", HTMLButtonElement);
  const owed = () => store.page.choices.discard?.count ?? 0;
  const discard = steppers(part(discardSheet, ".steppers", HTMLElement), names, {
    most: (name, counts) => Math.min(hand()[name], counts[name] + owed() - sum(counts)),
    isHeld: (name, counts) => counts[name] <= hand()[name] && sum(counts) <= owed(),
    outOf: (name) => hand()[name],
    onChange: drawDiscard,
  });
  function drawDiscard() {
    discard.fit();
    element("discard-title", HTMLElement).textContent = fill(words.discard_title, { count: owed() });
    element("discard-note", HTMLElement).textContent = fill(words.discard_chosen, { chosen: discard.total(), count: owed() });
    discardYes.setAttribute("aria-disabled", `${discard.total() !== owed()}`);
  }
  discardYes.addEventListener("click", () => {
    if (discard.total() === owed()) send(discardSheet, { kind: "discard", resources: discard.chosen() });
  });

  // Year of Plenty

  const plentySheet = element("plenty-sheet", HTMLDialogElement);
  const plentyYes = element("plenty-yes", HTMLButtonElement);
  const ways = () => (store.page.choices.play_year_of_plenty ?? []).map((way) => way.resources);
  // Whatever leads to one of the ways the server lists may be chosen.
  const plenty = steppers(part(plentySheet, ".steppers", HTMLElement), names, {
    most: (name, counts) => (ways().some((way) => names.every((other) => (way[other] ?? 0) >= counts[other] + (other === name ? 1 : 0))) ? 2 : counts[name]),
    isHeld: (name, counts) => ways().some((way) => (way[name] ?? 0) >= counts[name]),
    onChange: drawPlenty,
  });
  const isWay = () => ways().some((way) => names.every((name) => (way[name] ?? 0) === (plenty.chosen()[name] ?? 0)));
  function drawPlenty() {
    plenty.fit();
    plentyYes.setAttribute("aria-disabled", `${!isWay()}`);
  }
  plentyYes.addEventListener("click", () => {
    if (isWay()) send(plentySheet, { kind: "play_year_of_plenty", resources: plenty.chosen() });
  });

  // Monopoly

  const monopolySheet = element("monopoly-sheet", HTMLDialogElement);
  for (const pick of parts(monopolySheet, "[data-resource]", HTMLButtonElement)) {
    pick.addEventListener("click", () => send(monopolySheet, { kind: "play_monopoly", resource: pick.dataset.resource }));
  }

  // The robber's victim

  const stealSheet = element("steal-sheet", HTMLDialogElement);
  function drawVictims() {
    reconcile(element("steal-picks", HTMLElement), store.page.victims.map((each) => [JSON.stringify(each), each]), makeVictim);
  }

  /** @param {Victim} victim */
  function makeVictim({ seat: victim, words: holding }) {
    const { name, colour, emblem } = store.page.seats[victim];
    const shown = [html("span", { class: `log-seat seat-${colour}`, "aria-hidden": "true" }, emblem), html("span", {}, name), html("small", {}, holding)];
    return html("button", { type: "button", class: "pick", "data-victim": victim, click: () => send(stealSheet, { kind: "steal", victim }) }, ...shown);
  }

  // All of them

  /** @type {Map<string, { sheet: HTMLDialogElement, draw?: () => void }>} */
  const sheets = new Map([
    ["discard", { sheet: discardSheet, draw: drawDiscard }],
    ["play_year_of_plenty", { sheet: plentySheet, draw: drawPlenty }],
    ["play_monopoly", { sheet: monopolySheet }],
    ["steal", { sheet: stealSheet, draw: drawVictims }],
  ]);

  /** @param {string} kind */
  function show(kind) {
    const asked = sheets.get(kind);
    asked?.draw?.();
    if (!asked?.sheet.open) asked?.sheet.showModal();
  }

  /**
   * A sheet goes away with its move, and comes back with what was chosen if the move was not played.
   * @param {HTMLDialogElement} sheet
   * @param {OwnMove} move
   */
  async function send(sheet, move) {
    sheet.close();
    const isPlayed = await act(move);
    if (!isPlayed && move.kind in store.page.choices) show(move.kind);
  }

  return {
    /**
     * Whether a sheet asks for what a kind of move lacks.
     * @param {string} kind
     */
    has: (kind) => sheets.has(kind),
    /** @param {string} kind */
    open(kind) {
      if (kind === "play_year_of_plenty") plenty.set({});
      show(kind);
    },
    // A sheet stays while what it asks for is asked, whatever others do meanwhile.
    redraw() {
      const { choices } = store.page;
      for (const [kind, { sheet, draw }] of sheets) {
        if (kind in choices) draw?.();
        else if (sheet.open) sheet.close();
      }
      if (!("discard" in choices)) discard.set({});
    },
  };
}
