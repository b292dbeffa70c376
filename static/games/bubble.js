// Confirm and Cancel, beside what was pressed once: it stays where it is and in sight, and so the second press finds it.

import { element } from "../site/elements.js";

const GAP = 5;
// A place means every press this near, in pixels, so the bubble must not lie there.
const NEAR = 36;

const bubble = element("confirm", HTMLElement);
const board = element("board", SVGSVGElement);
/** @type {Element | null} */
let pressed = null;

/** @param {Element | null} at what was pressed once, if anything */
export function showBubble(at) {
  pressed = at;
  bubble.hidden = !at;
  placeBubble();
}

// Above what was pressed or, where there is no room, below it.
export function placeBubble() {
  if (!pressed) return;
  const isPlace = board.contains(pressed);
  const { left, top, width, height } = pressed.getBoundingClientRect();
  const room = isPlace ? board.getBoundingClientRect() : new DOMRect(0, 0, innerWidth, innerHeight);
  const [middle, reach] = [top + height / 2, Math.max(height / 2, isPlace ? NEAR : 0) + GAP];
  const above = middle - reach - bubble.offsetHeight;
  const across = left + (width - bubble.offsetWidth) / 2;
  const x = Math.max(room.left + GAP, Math.min(across, room.right - GAP - bubble.offsetWidth));
  const y = above >= room.top ? above : middle + reach;
  bubble.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
}

export const setUpBubble = () => new ResizeObserver(placeBubble).observe(board);
