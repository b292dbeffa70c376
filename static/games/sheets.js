// The sheets that ask for one thing among a few: the resource of Monopoly, the robber's victim.

import { element, part, parts } from "../site/elements.js";
import { html, reconcile } from "./dom.js";

/** @import { Victim } from "./page.d.ts" */
/** @import { Act, OwnMove, OwnStore } from "./store.d.ts" */

/**
 * @param {OwnStore} store
 * @param {Act} act
 */
export function setUpSheets(store, act) {
  for (const sheet of parts(document, "dialog.sheet", HTMLDialogElement)) {
    part(sheet, "[data-close]", HTMLButtonElement).addEventListener("click", () => sheet.close());
  }

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
   * A sheet goes away with its move, and comes back if the move was not played.
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
    open: show,
    // A sheet stays while what it asks for is asked, whatever others do meanwhile.
    redraw() {
      const { choices } = store.page;
      for (const [kind, { sheet, draw }] of sheets) {
        if (kind in choices) draw?.();
        else if (sheet.open) sheet.close();
      }
    },
  };
}
