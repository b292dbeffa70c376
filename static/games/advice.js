// Advice in a game against bots: what a hard bot would do now, and why. It points at the board and plays nothing.

import { copy, element, part, parts } from "../site/elements.js";
import { sentence } from "../site/words.js";
import { light } from "./board.js";
import { setText } from "./dom.js";

/** @import { Advised, Advice } from "./page.d.ts" */
/** @import { Ask, Choose, OwnMove, OwnStore } from "./store.d.ts" */

/**
 * @param {OwnStore} store
 * @param {Ask} ask
 * @param {Choose} choose
 */
export function setUpAdvice(store, ask, choose) {
  const form = element("advice-ask", HTMLFormElement);
  const opener = part(form, "button", HTMLButtonElement);
  const panel = element("advice", HTMLElement);
  const title = element("advice-title", HTMLElement);
  const note = element("advice-note", HTMLElement);
  const list = element("advice-moves", HTMLOListElement);
  /** The version of the game that is asked about; nothing while nothing is shown. */
  let asked = NaN;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (asked === store.page.version) putAway();
    else await open(store.page.version);
  });
  element("advice-close", HTMLButtonElement).addEventListener("click", putAway);

  /** @param {number} version */
  async function open(version) {
    asked = version;
    say(sentence(panel, "thinking"));
    draw();
    const { advice, refusal } = await ask(version);
    // The game may have moved on meanwhile, or the panel be closed.
    if (asked !== version) return;
    say(refusal ?? "", advice);
    if (form.contains(document.activeElement)) title.focus();
  }

  /**
   * @param {string} words
   * @param {Advice | null} advice
   */
  function say(words, advice = null) {
    dim();
    setText(note, words);
    list.replaceChildren(...(advice?.moves ?? []).map(line));
  }

  function putAway() {
    if (panel.contains(document.activeElement)) opener.focus();
    asked = NaN;
    draw();
  }

  /** @param {Advised} advised */
  function line(advised) {
    const drawn = copy("advised", HTMLLIElement);
    const button = part(drawn, "button", HTMLButtonElement);
    setText(part(button, "b", HTMLElement), advised.title);
    setText(part(button, "span", HTMLElement), advised.reason);
    for (const name of ["mouseenter", "focus"]) button.addEventListener(name, () => point(advised, true));
    for (const name of ["mouseleave", "blur"]) button.addEventListener(name, () => point(advised, false));
    button.addEventListener("click", () => choose(advised));
    return drawn;
  }

  function draw() {
    const { version, may_ask_advice: mayAsk } = store.page;
    // What was advised has been played, or is out of date.
    const isShown = asked === version;
    if (!isShown && !panel.hidden) {
      asked = NaN;
      say("");
    }
    form.hidden = !mayAsk;
    panel.hidden = !isShown;
    opener.setAttribute("aria-expanded", `${isShown}`);
    for (const each of [form, panel]) if (each.hidden && each.contains(document.activeElement)) element("prompt", HTMLElement).focus();
  }

  return draw;
}

// What is pointed at

const ADVISED = "is-advised";

/**
 * The button that makes a move, or leads to it.
 * @param {OwnMove} move
 */
export function buttonOf({ kind, offer, partner, victim, resource }) {
  const wanted = [
    victim === undefined ? "" : `#steal-sheet [data-victim='${victim}']`,
    resource === undefined ? "" : `#monopoly-sheet[open] [data-resource=${resource}]`,
    offer === undefined ? "" : `[data-offer='${offer}'] [data-kind=${kind}]${partner === undefined ? "" : `[data-partner='${partner}']`}`,
    `.action[data-kind=${kind}], .development-card[data-kind=${kind}]`,
    kind === "offer_trade" || kind === "trade_with_bank" ? ".action[data-kind=trade]" : "",
  ];
  return wanted.flatMap((selector) => (selector ? parts(document, selector, HTMLButtonElement) : []))[0] ?? null;
}

/**
 * @param {Advised} advised
 * @param {boolean} on
 */
function point({ places, move }, on) {
  light(places, on);
  if (places.length === 0) buttonOf(/** @type {OwnMove} */ (move))?.classList.toggle(ADVISED, on);
}

function dim() {
  for (const lit of parts(document, ".place.lit", SVGElement)) lit.classList.remove("lit");
  for (const button of parts(document, `.${ADVISED}`, HTMLButtonElement)) button.classList.remove(ADVISED);
}
