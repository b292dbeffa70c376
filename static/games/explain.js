// Explains what the mouse rests on, a finger presses long or the keys have reached: one note, in words of the server.
// Those who listen to the page hear the same as a button's description, so the note itself is not read out.

import { element, elementIfAny, part, parts } from "../site/elements.js";
import { setText } from "./dom.js";
import { phrases } from "./phrases.js";

/** @typedef {{ title?: string | null, refusal?: string, text?: string }} Explanation */

// Milliseconds: until a mouse asks that is over something, or on the board, where it wanders, rests on it; until a finger
// does; and how often the note looks whether it is still true.
const OVER = 400;
const REST = 900;
const LONG_PRESS = 500;
const AGAIN = 250;
// Pixels: how far a finger may stray, and how far the note keeps from everything.
const STRAY = 10;
const GAP = 8;

const EXPLAINED = "[data-explain], [data-resource], #roads > *, #buildings > *, #robber-piece, .place";
/** @type {Record<string, string>} */
const PLACES = { road: "edge", settlement: "vertex", city: "vertex" };

/** @type {Record<string, number | undefined>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const note = element("note", HTMLElement);
const board = element("board", SVGSVGElement);
/** @type {Element | null} what the note is about */
let shown = null;
/** @type {Element | null} what the mouse is over, explained or about to be */
let under = null;
/** @type {number | undefined} */
let waiting;
let isFinger = false;
/** Whether what the mouse is over has been pressed: it needs no explanation then. */
let isPressed = false;
/** Whether the finger that is down has asked, and its press means nothing else. */
let isSpent = false;
let [downX, downY] = [0, 0];

/** @param {EventTarget | null} target */
const explained = (target) => (target instanceof Element ? target.closest(EXPLAINED) : null);

/**
 * @param {Element} thing
 * @returns {Explanation}
 */
function explanation(thing) {
  if (thing.matches(".place")) return placeExplanation(thing);
  if (thing.id === "robber-piece") return { text: phrases.pieces.robber };
  const { key = "", explain, resource = "", reason } = dataOf(thing);
  const text = explain ?? phrases.resources[resource];
  if (text) return { refusal: reason, text };
  const [kind, number] = key.split("-");
  return { title: labelOf(`${PLACES[kind]}-${number}`), text: phrases.pieces[kind] };
}

/**
 * A place has a name; a hex is explained as well.
 * @param {Element} place
 */
function placeExplanation({ id }) {
  const land = elementIfAny(id.replace("hex-", "land-"), SVGElement);
  return { title: labelOf(id), text: land?.dataset.explain ?? "" };
}

/** @param {string} id of a place */
const labelOf = (id) => element(id, SVGElement).getAttribute("aria-label");

/** @param {Element} thing */
const dataOf = (thing) => (thing instanceof HTMLElement || thing instanceof SVGElement ? thing.dataset : {});

/** @param {Element} thing */
function show(thing) {
  shown = thing;
  if (!note.matches(":popover-open")) note.showPopover();
  draw();
}

function hide() {
  clearTimeout(waiting);
  shown = null;
  if (note.matches(":popover-open")) note.hidePopover();
}

// What the note says may change while it is read, and what it is about may go away.
function draw() {
  if (!shown) return;
  if (!shown.checkVisibility()) {
    hide();
    return;
  }
  const { title, refusal, text } = explanation(shown);
  setText(part(note, "b", HTMLElement), title ?? "");
  setText(part(note, "strong", HTMLElement), refusal ?? "");
  setText(part(note, "span", HTMLElement), text ?? "");
  position(shown.getBoundingClientRect());
}

/**
 * Above what it explains or, where there is no room, below; always on the screen.
 * @param {DOMRect} thing
 */
function position({ left, top, bottom, width }) {
  const [most, lowest] = [innerWidth - GAP - note.offsetWidth, innerHeight - GAP - note.offsetHeight];
  const above = top - GAP - note.offsetHeight;
  const x = Math.max(GAP, Math.min(left + (width - note.offsetWidth) / 2, most));
  const y = above >= GAP ? above : Math.min(bottom + GAP, lowest);
  note.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
}

/** @param {PointerEvent} event */
function pointAt({ target, pointerType }) {
  if (pointerType === "touch") return;
  const thing = explained(target);
  if (thing === under) return;
  under = thing;
  isPressed = false;
  // What the keys have reached stays explained, wherever the mouse lies.
  if (!shown?.matches(":focus-visible")) hide();
  if (thing) waitFor(thing);
}

/** @param {Element} thing */
function waitFor(thing) {
  clearTimeout(waiting);
  waiting = setTimeout(show, board.contains(thing) ? REST : OVER, thing);
}

/** @param {PointerEvent} event */
function press({ target, pointerType, clientX, clientY, isPrimary }) {
  hide();
  isSpent = false;
  isPressed = true;
  isFinger = pointerType === "touch";
  [downX, downY] = [clientX, clientY];
  const thing = explained(target);
  // Two fingers zoom.
  if (!isFinger || !isPrimary || !thing) return;
  waiting = setTimeout(() => {
    show(thing);
    isSpent = true;
  }, LONG_PRESS);
}

/** @param {PointerEvent} event */
function move({ clientX, clientY, pointerType }) {
  if (shown) return;
  if (pointerType !== "touch") {
    if (!isPressed && under && board.contains(under)) waitFor(under);
  } else if (Math.hypot(clientX - downX, clientY - downY) > STRAY) clearTimeout(waiting);
}

function lift() {
  if (isFinger && !shown) clearTimeout(waiting);
}

// The figures of the players are one stop of the Tab key: the arrows go on from there.
function setUpWalk() {
  const badges = parts(element("players", HTMLElement), "[data-explain]", HTMLElement);
  for (const badge of badges) {
    badge.tabIndex = badge === badges[0] ? 0 : -1;
    badge.setAttribute("aria-description", badge.dataset.explain ?? "");
    badge.addEventListener("keydown", (event) => {
      const step = STEPS[event.key];
      if (!step) return;
      event.preventDefault();
      const seen = badges.filter((each) => each.checkVisibility());
      const next = seen[(seen.indexOf(badge) + step + seen.length) % seen.length];
      badge.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }
}

export function setUpExplanations() {
  document.addEventListener("pointerover", pointAt);
  document.documentElement.addEventListener("pointerleave", ({ pointerType }) => {
    if (pointerType === "touch") return;
    under = null;
    hide();
  });
  document.addEventListener("pointerdown", press, { capture: true });
  document.addEventListener("pointermove", move);
  for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) document.addEventListener(name, lift);
  // A press that was long enough to ask means nothing else.
  const swallow = { capture: true };
  document.addEventListener("click", (event) => isSpent && event.detail > 0 && stop(event), swallow);
  document.addEventListener("contextmenu", (event) => isFinger && explained(event.target) && stop(event), swallow);
  document.addEventListener("focusin", ({ target }) => {
    const thing = explained(target);
    if (thing && target instanceof Element && target.matches(":focus-visible")) show(thing);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({ key }) => ["Escape", "Enter", " "].includes(key) && hide());
  setUpWalk();
  setInterval(draw, AGAIN);
}

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
