// A part of a page that the server draws anew whenever it has changed.

import { element } from "../site/elements.js";

const PAUSE = 3_000;
const LONGEST_PRESS = 3_000;
const CLICK_WITHIN = 300;

/**
 * @param {HTMLElement} part
 * @param {{ gone?: () => void, drawn?: () => void }} then What to do once there is no such part any more, and after a drawing.
 */
export function live(part, { gone = () => {}, drawn = () => {} } = {}) {
  let isBehind = false;
  let isLoading = false;

  async function catchUp() {
    if (isLoading) return;
    isLoading = true;
    while (isBehind) {
      isBehind = false;
      const now = await look();
      if (now === null) {
        isBehind = true;
        setTimeout(catchUp, PAUSE * (0.5 + Math.random()));
        break;
      }
      await released();
      if (differs(now)) draw(now);
    }
    isLoading = false;
  }

  // The part as the server draws it now; null if the answer does not come, or is cut off, or there is none any more.
  async function look() {
    try {
      const answer = await fetch(`${part.dataset.now}`);
      if (answer.status === 204 || answer.status === 404) gone();
      return answer.status === 200 ? await answer.text() : null;
    } catch {
      return null;
    }
  }

  /** @param {string} now */
  function differs(now) {
    const fresh = document.createElement("template");
    fresh.innerHTML = now;
    return fresh.innerHTML !== part.innerHTML;
  }

  // A press counts for the element that it began on: while there is one, nothing is drawn anew.

  /** @type {number | undefined} */
  let press;
  let onRelease = () => {};

  /** @param {number} time */
  function hold(time) {
    clearTimeout(press);
    press = setTimeout(() => {
      press = undefined;
      onRelease();
    }, time);
  }

  /** @returns {Promise<void>} */
  const released = () => new Promise((resolve) => (press === undefined ? resolve() : (onRelease = resolve)));

  part.addEventListener("pointerdown", () => hold(LONGEST_PRESS));
  part.addEventListener("keydown", ({ key }) => key === " " && hold(LONGEST_PRESS));
  // The click comes a moment after the finger, or the key, has left.
  for (const event of ["pointerup", "pointercancel", "keyup"]) addEventListener(event, () => press !== undefined && hold(CLICK_WITHIN));

  /** @param {string} now */
  function draw(now) {
    const focused = document.activeElement?.id;
    const typed = fields().map(({ id, value }) => ({ id, value }));
    const opened = Array.from(part.querySelectorAll("details[open]"), (details) => details.id);
    part.innerHTML = now;
    const byId = new Map(fields().map((field) => [field.id, field]));
    for (const { id, value } of typed) {
      const field = byId.get(id);
      const wasEmptied = field instanceof HTMLSelectElement && !Array.from(field.options).some((option) => option.value === value);
      if (field && value && !wasEmptied) field.value = value;
    }
    for (const details of part.querySelectorAll("details")) details.open = opened.includes(details.id);
    if (focused) (document.getElementById(focused) ?? element("main", HTMLElement)).focus({ preventScroll: true });
    drawn();
  }

  // What somebody types or picks before they send it.
  const fields = () => /** @type {(HTMLInputElement | HTMLSelectElement)[]} */ ([...part.querySelectorAll("input[id]:not([readonly]), select[id]")]);

  return () => {
    isBehind = true;
    catchUp();
  };
}
