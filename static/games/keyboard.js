// The arrow keys walk the board: over the legal places, or with Shift over all of them.

import { byId } from "./dom.js";
import { centre } from "./board.js";

const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

export function setUpKeyboard(onPress, onEscape) {
  byId("board").addEventListener("keydown", (event) => {
    const place = event.target.closest(".place");
    if (!place) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPress(place);
    } else if (event.key in DIRECTIONS) {
      event.preventDefault();
      walk(place, DIRECTIONS[event.key], event.shiftKey);
    } else if (event.key === "Escape") onEscape();
  });
}

function walk(from, [dx, dy], everywhere) {
  const anyLegal = byId("board").querySelector(".place.legal");
  const next = nearest(from, dx, dy, anyLegal && !everywhere ? ".place.legal" : ".place");
  if (!next) return;
  from.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

// The nearest place in a quarter of the compass. With four whole quarters, every place can be reached from every other.
function nearest(from, dx, dy, selector) {
  const [x, y] = centre(from);
  let best = null;
  let least = Infinity;
  for (const place of byId("board").querySelectorAll(selector)) {
    const [px, py] = centre(place);
    const ahead = (px - x) * dx + (py - y) * dy;
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (place === from || ahead < 1 || aside > 1.01 * ahead) continue;
    if (ahead + aside < least) [best, least] = [place, ahead + aside];
  }
  return best;
}
