// The arrow keys walk the board: over the legal places, or with Shift over all of them. The space bar leads through a turn,
// letters press the buttons that people press most.

import { element, parts } from "../site/elements.js";
import { centre } from "./board.js";

/** @typedef {[dx: number, dy: number]} Direction */

/** @type {Record<string, Direction | undefined>} */
const DIRECTIONS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * What each key presses: the first of them that is there.
 * @type {Record<string, string | undefined>}
 */
const BUTTONS = {
  r: ".action[data-kind=build_road]",
  s: ".action[data-kind=build_settlement]",
  c: ".action[data-kind=build_city]",
  d: ".action[data-kind=buy_card]",
  t: ".action[data-kind=trade]",
  a: "#advice-ask:not([hidden]) > button",
  y: "#offers :is([data-kind=confirm_trade], [data-kind=accept_offer])",
  n: "#offers [data-kind=reject_offer]",
};

const board = element("board", SVGSVGElement);
const game = element("game", HTMLElement);

/**
 * @param {(place: SVGGraphicsElement) => void} onPress
 * @param {() => void} onEscape
 * @param {() => void} onTurn
 * @param {() => void} onHelp
 */
export function setUpKeyboard(onPress, onEscape, onTurn, onHelp) {
  board.addEventListener("keydown", (event) => {
    const place = event.target instanceof Element && event.target.closest(".place");
    if (!(place instanceof SVGGraphicsElement)) return;
    const direction = DIRECTIONS[event.key];
    if (event.key === " " && !place.classList.contains("legal") && isFree(place)) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      onPress(place);
    } else if (direction) {
      event.preventDefault();
      walk(place, direction, event.shiftKey);
    }
  });
  document.addEventListener("keydown", (event) => {
    const isOpen = document.querySelector("dialog[open]");
    if (event.key === "Escape" && !isOpen) onEscape();
    const button = BUTTONS[event.key] ?? cardOf(event);
    if (!isTyped(event)) {
      if (button && (!isOpen || button.startsWith("dialog"))) parts(document, button, HTMLButtonElement)[0]?.click();
      if (event.key === "?" && !isOpen) onHelp();
    }
    if (event.key === "Enter" && game.dataset.tray && isFree(document.activeElement)) element("tray-send", HTMLButtonElement).click();
    if (event.key !== " " || event.repeat || event.defaultPrevented || !isFree(document.activeElement)) return;
    event.preventDefault();
    onTurn();
  });
}

/**
 * The card that a digit presses: in an open sheet, with Shift of the bank, else of the hand.
 * @param {KeyboardEvent} event
 */
function cardOf({ code, shiftKey }) {
  const place = /^Digit([1-5])$/.exec(code)?.[1];
  if (!place) return undefined;
  if (document.querySelector("dialog[open]")) return `dialog[open] [data-resource]:nth-child(${place})`;
  return shiftKey || game.dataset.tray === "play_year_of_plenty" ? `#tray:not([hidden]) .bank-card:nth-of-type(${place})` : `.hand-card:nth-child(${place}) > button`;
}

/**
 * Whether a key belongs to a text, or to the browser.
 * @param {KeyboardEvent} event
 */
const isTyped = ({ target, repeat, ctrlKey, metaKey, altKey }) =>
  repeat || ctrlKey || metaKey || altKey || (target instanceof Element && target.matches("input,select,textarea"));

/**
 * Whether a key is meant for nothing that has the focus: a place that the mouse has left it on wants none.
 * @param {Element | null} focused
 */
const isFree = (focused) => !focused || focused.matches("body, #main, #prompt, .place:not(:focus-visible)");

/**
 * @param {SVGGraphicsElement} from
 * @param {Direction} direction
 * @param {boolean} everywhere
 */
function walk(from, [dx, dy], everywhere) {
  const anyLegal = board.querySelector(".place.legal");
  const next = nearest(from, dx, dy, anyLegal && !everywhere ? ".place.legal" : ".place");
  if (!next) return;
  from.setAttribute("tabindex", "-1");
  next.setAttribute("tabindex", "0");
  next.focus();
}

/**
 * The nearest place in a quarter of the compass. With four whole quarters, every place can be reached from every other.
 * @param {SVGGraphicsElement} from
 * @param {number} dx
 * @param {number} dy
 * @param {string} selector
 */
function nearest(from, dx, dy, selector) {
  const [x, y] = centre(from);
  /** @type {SVGGraphicsElement | null} */
  let best = null;
  let least = Infinity;
  for (const place of parts(board, selector, SVGGraphicsElement)) {
    const [px, py] = centre(place);
    const ahead = (px - x) * dx + (py - y) * dy;
    const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
    if (place === from || ahead < 1 || aside > 1.01 * ahead) continue;
    if (ahead + aside < least) [best, least] = [place, ahead + aside];
  }
  return best;
}
