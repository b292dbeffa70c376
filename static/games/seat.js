// One's own seat: taking it back from a stand-in, what shall happen when one is away, and the way to one's orders.

import { element, elementIfAny, parts } from "../site/elements.js";
import { setText } from "./dom.js";
import { phrases } from "./phrases.js";

/** @import { OwnPage, OwnSeat, OwnStore, Store, Wish } from "./store.d.ts" */

/**
 * Whether whoever looks at the page plays.
 * @param {Store} store
 * @returns {store is OwnStore}
 */
export const isSeated = (store) => store.page.viewer !== null;

/**
 * The viewer's own seat. Everybody sees their own cards.
 * @param {OwnPage} page
 */
export const ownSeat = ({ seats, viewer }) => /** @type {OwnSeat} */ (seats[viewer]);

/**
 * @param {OwnStore} store
 * @param {Wish} wish
 */
export function setUpSeat(store, wish) {
  const back = element("take-back", HTMLFormElement);
  const settings = elementIfAny("seat-settings", HTMLElement);
  const choice = elementIfAny("if-absent", HTMLFormElement);
  const drawChoice = choice && setUpChoice(choice, store, wish);
  const ordersNear = elementIfAny("orders-near", HTMLElement);
  let isComingBack = false;

  back.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isComingBack) return;
    isComingBack = true;
    await wish({ wish: "take_back" });
    isComingBack = false;
  });

  return function draw() {
    const { asked, is_replaced: isReplaced, orders, status } = store.page;
    const focused = back.contains(document.activeElement);
    back.hidden = !isReplaced;
    if (focused && !isReplaced) element("prompt", HTMLElement).focus();
    if (settings) settings.hidden = !["running", "paused", "resting"].includes(status);
    if (choice) choice.hidden = store.page.pace === null;
    for (const link of parts(document, "[data-orders]", HTMLElement)) setText(link, orders);
    // A stand-in follows no orders.
    if (ordersNear) ordersNear.hidden = asked !== "" || isReplaced || status !== "running";
    drawChoice?.();
  };
}

/**
 * What shall happen when one is away.
 * @param {HTMLFormElement} form
 * @param {OwnStore} store
 * @param {Wish} wish
 */
function setUpChoice(form, store, wish) {
  const radios = parts(form, "[name=if_absent]", HTMLInputElement);
  const saved = element("if-absent-saved", HTMLElement);
  let shown = store.page.if_absent;
  let saving = Promise.resolve();

  /** @param {string | null} value */
  function pick(value) {
    for (const radio of radios) radio.checked = radio.value === value;
  }

  // The arrow keys walk over the choices: one is saved after the other, so that the last one counts.
  form.addEventListener("change", () => {
    saved.textContent = "";
    saving = saving.then(save);
  });

  async function save() {
    const picked = radios.find(({ checked }) => checked);
    if (!picked) return;
    const isDone = await wish({ wish: "if_absent", if_absent: picked.value });
    if (isDone) saved.textContent = phrases.saved;
    else pick(shown);
  }

  return function draw() {
    // A choice that is on its way must not be turned back by an older page.
    if (store.page.if_absent !== shown) pick(store.page.if_absent);
    shown = store.page.if_absent;
  };
}
