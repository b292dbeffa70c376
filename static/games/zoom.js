// Pinch, double tap and wheel zoom the board; dragging moves it while it is zoomed.

import { element } from "../site/elements.js";

const WHOLE = { x: -335, y: -300, width: 670, height: 600 };
const CLOSEST = 3.2;
const DOUBLE_TAP = 300;
const SLACK = 8;

/** @param {() => void} onShow when the board lies elsewhere */
export function setUpZoom(onShow) {
  const board = element("board", SVGSVGElement);
  /** @type {Map<number, { x: number, y: number }>} */
  const pointers = new Map();
  let scale = 1;
  let [x, y] = [WHOLE.x, WHOLE.y];
  let moved = 0;
  let lastTap = -Infinity;

  function show() {
    const [width, height] = [WHOLE.width / scale, WHOLE.height / scale];
    x = Math.min(Math.max(x, WHOLE.x), WHOLE.x + WHOLE.width - width);
    y = Math.min(Math.max(y, WHOLE.y), WHOLE.y + WHOLE.height - height);
    board.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    board.classList.toggle("is-zoomed", scale > 1);
    onShow();
  }

  /**
   * @param {number} clientX
   * @param {number} clientY
   */
  const point = (clientX, clientY) => new DOMPoint(clientX, clientY).matrixTransform(board.getScreenCTM()?.inverse());

  /**
   * The place under the fingers stays under the fingers.
   * @param {number} factor
   * @param {number} clientX
   * @param {number} clientY
   */
  function zoom(factor, clientX, clientY) {
    const before = point(clientX, clientY);
    scale = Math.min(CLOSEST, Math.max(1, scale * factor));
    show();
    const after = point(clientX, clientY);
    x += before.x - after.x;
    y += before.y - after.y;
    show();
  }

  const span = () => {
    const [a, b] = [...pointers.values()];
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  board.addEventListener("pointerdown", (event) => {
    if (pointers.size === 0) moved = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  board.addEventListener("pointermove", (event) => {
    const last = pointers.get(event.pointerId);
    if (!last) return;
    const before = pointers.size === 2 ? span() : null;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    moved += Math.hypot(event.clientX - last.x, event.clientY - last.y);
    if (before) {
      const now = span();
      zoom(now.distance / before.distance, now.x, now.y);
    } else if (scale > 1 && moved > SLACK) {
      const [from, to] = [point(last.x, last.y), point(event.clientX, event.clientY)];
      x += from.x - to.x;
      y += from.y - to.y;
      show();
    }
  });
  for (const name of /** @type {const} */ (["pointerup", "pointercancel", "pointerleave"])) {
    board.addEventListener(name, (event) => pointers.delete(event.pointerId));
  }
  // The press that ends a drag means no place, and of two close ones that mean no place the second zooms.
  board.addEventListener("click", (event) => moved > SLACK && event.stopImmediatePropagation(), { capture: true });
  board.addEventListener("click", (event) => {
    if (event.detail === 0) return;
    const isDouble = event.timeStamp - lastTap < DOUBLE_TAP;
    lastTap = event.timeStamp;
    if (!isDouble) return;
    lastTap = -Infinity;
    zoom(scale > 1 ? 0 : 2, event.clientX, event.clientY);
  });
  board.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && scale === 1) return;
      event.preventDefault();
      zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX, event.clientY);
    },
    { passive: false },
  );
}
