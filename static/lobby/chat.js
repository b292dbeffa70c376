// The chat of a game's page: lines come over the page's socket, and those that were missed are fetched.

import { hear } from "../games/frames.js";
import { copy, element, elementIfAny, part } from "../site/elements.js";
import { sentence } from "../site/words.js";

/** @import { ShownLine } from "./chat_lines.d.ts" */
/** @import { ChatNews } from "./frames.d.ts" */

const MOST_SHOWN = 100;

const chat = element("chat", HTMLElement);
const view = element("chat-lines", HTMLElement);
const list = part(view, "ol", HTMLOListElement);

// Reading

// How far the chat has got, how far its lines are here, and after which one they may be out of date.
let newest = 0;
let seen = 0;
let stale = Infinity;
let isLooking = false;
let isAskedAgain = false;

const isBehind = () => Math.min(seen, stale) < newest;

/**
 * What does not follow on what is here was missed.
 * @param {ChatNews} news
 */
function take({ last, lines }) {
  newest = Math.max(newest, last);
  const known = lines.filter(({ number }) => number <= seen + 1);
  draw(known);
  seen = Math.max(seen, ...known.map(({ number }) => number));
  if (isBehind()) look();
}

async function look() {
  isAskedAgain = true;
  if (isLooking) return;
  isLooking = true;
  do {
    isAskedAgain = false;
    await fetchLines();
    // What was asked for meanwhile may have come with these lines.
  } while (isAskedAgain && isBehind());
  isLooking = false;
}

async function fetchLines() {
  const after = Math.min(seen, stale);
  stale = Infinity;
  try {
    const answer = await fetch(`${chat.dataset.lines}?after=${after}`);
    const { lines } = await answer.json();
    draw(lines);
    isFirstLook = false;
    seen = Math.max(seen, lines.at(-1)?.number ?? 0);
  } catch {
    // The line is cut: when the socket comes back, it says how far the chat has got.
    stale = Math.min(stale, after);
  }
}

let isFirstLook = true;

/** @param {ShownLine[]} lines */
function draw(lines) {
  for (const line of lines) put(drawn(line));
  while (list.children.length > MOST_SHOWN) list.children[0].remove();
  if (isAtEnd) scrollToEnd();
  requestAnimationFrame(() => view.setAttribute("aria-live", "polite"));
}

/** @param {HTMLElement} line */
function put(line) {
  const present = list.querySelector(`[data-number="${line.dataset.number}"]`);
  if (!present) {
    list.append(line);
    if (!isFirstLook) countUnread();
  } else if (present.textContent !== line.textContent) present.replaceWith(line);
}

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const today = new Intl.DateTimeFormat(undefined, CLOCK);
const earlier = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...CLOCK });

/** @param {ShownLine} line */
function drawn({ number, name, colour, emblem, text, said_at: saidAt, hidden }) {
  const line = copy("chat-line", HTMLLIElement);
  line.dataset.number = `${number}`;
  line.classList.toggle("is-removed", hidden);
  const seat = part(line, ".log-seat", HTMLElement);
  seat.classList.add(`seat-${colour}`);
  seat.textContent = emblem;
  part(line, ".chat-name", HTMLElement).textContent = name;
  part(line, ".chat-said", HTMLElement).textContent = text;
  const time = part(line, "time", HTMLTimeElement);
  const when = new Date(saidAt);
  time.dateTime = saidAt;
  time.textContent = (day.format(when) === day.format(new Date()) ? today : earlier).format(when);
  return line;
}

// The end stays in sight, also when the room changes; whoever reads further up is left in peace.

let isAtEnd = true;
const scrollToEnd = () => view.scrollTo({ top: view.scrollHeight });
view.addEventListener("scroll", () => {
  isAtEnd = view.scrollHeight - view.scrollTop - view.clientHeight < 20;
});

// On a phone the chat is behind a button, which tells how much is new there.

let isVisible = false;
let unread = 0;
const badge = copy("chat-unread", HTMLElement);
const shownCount = part(badge, "span", HTMLElement);
elementIfAny("side-open", HTMLElement)?.append(badge);

new ResizeObserver(([{ contentRect }]) => {
  const wasVisible = isVisible;
  isVisible = contentRect.height > 0;
  if (isVisible && !wasVisible) showUnread(0);
  if (isVisible && (isAtEnd || !wasVisible)) scrollToEnd();
}).observe(view);

function countUnread() {
  if (!isVisible) showUnread(unread + 1);
}

/** @param {number} count */
function showUnread(count) {
  unread = count;
  badge.hidden = count === 0;
  shownCount.textContent = `${count}`;
}

// Speaking

/** @param {HTMLFormElement} form */
function setUpSpeaking(form) {
  const field = element("chat-text", HTMLInputElement);
  const refusal = element("chat-refusal", HTMLElement);
  let isSending = false;

  /** @param {SubmitEvent} event */
  async function send(event) {
    event.preventDefault();
    const text = field.value;
    field.focus();
    if (isSending || !text.trim()) return;
    isSending = true;
    refusal.textContent = "";
    refusal.textContent = await post(form);
    isSending = false;
    // What was typed while the line was on its way is the next line.
    if (!refusal.textContent && field.value.startsWith(text)) field.value = field.value.slice(text.length);
  }

  form.addEventListener("submit", send);
}

/**
 * Why the line was not said; nothing if it was.
 * @param {HTMLFormElement} form
 * @returns {Promise<string>}
 */
async function post(form) {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    const { last, sentence: reason } = await answer.json();
    if (!answer.ok) return reason;
    take({ last, lines: [] });
    return "";
  } catch {
    return sentence(chat, "lost");
  }
}

// Whoever only watches has no form.
const form = elementIfAny("chat-form", HTMLFormElement);
if (form) setUpSpeaking(form);
look();
hear("chat", take);
hear("greeting", ({ chat: last }) => {
  // After a break, everything is looked at again: a line that is here may have been removed meanwhile.
  stale = 0;
  take({ last, lines: [] });
});
