// The chat of a game's page: the socket says that there is a newer line, and the lines are then fetched and added.

import { byId, html } from "../games/dom.js";
import { listen } from "../site/socket.js";

const MOST_SHOWN = 100;

const chat = byId("chat");
const view = byId("chat-lines");
const list = view.querySelector("ol");
const form = byId("chat-form");

// Reading

// How far the chat has got, how far its lines are here, and after which one they may be out of date.
let newest = 0;
let seen = 0;
let stale = Infinity;
let isLooking = false;
let isAskedAgain = false;

const isBehind = () => Math.min(seen, stale) < newest;

function hear({ last, changed }) {
  newest = Math.max(newest, last);
  // A moderator changed a line that may be here already.
  if (changed) stale = Math.min(stale, changed - 1);
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
    seen = Math.max(seen, lines.at(-1)?.number ?? 0);
  } catch {
    // The line is cut: when the socket comes back, it says how far the chat has got.
    stale = Math.min(stale, after);
  }
}

let isFirstLook = true;

function draw(lines) {
  for (const line of lines) put(drawn(line));
  while (list.children.length > MOST_SHOWN) list.firstElementChild.remove();
  if (isAtEnd) scrollToEnd();
  isFirstLook = false;
  requestAnimationFrame(() => view.setAttribute("aria-live", "polite"));
}

function put(line) {
  const present = list.querySelector(`[data-number="${line.dataset.number}"]`);
  if (!present) {
    list.append(line);
    if (!isFirstLook) countUnread();
  } else if (present.textContent !== line.textContent) present.replaceWith(line);
}

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

function drawn({ number, name, colour, emblem, text, said_at: saidAt, hidden }) {
  const seat = html("span", { class: `log-seat seat-${colour}`, "aria-hidden": "true" }, emblem);
  const when = new Date(saidAt);
  const isToday = day.format(when) === day.format(new Date());
  const shownTime = isToday ? time.format(when) : `${day.format(when)}, ${time.format(when)}`;
  return html(
    "li",
    { class: `chat-line${hidden ? " is-removed" : ""}`, "data-number": number },
    ...[seat, " ", html("b", {}, `${name}:`), ` ${text} `, html("time", { datetime: saidAt }, shownTime)],
  );
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
const badge = html("b", { class: "chat-unread", hidden: true });
byId("side-open")?.append(badge);

new ResizeObserver(([{ contentRect }]) => {
  const wasVisible = isVisible;
  isVisible = contentRect.height > 0;
  if (isVisible && !wasVisible) showUnread(0);
  if (isVisible && (isAtEnd || !wasVisible)) scrollToEnd();
}).observe(view);

function countUnread() {
  if (!isVisible) showUnread(unread + 1);
}

function showUnread(count) {
  unread = count;
  badge.hidden = count === 0;
  badge.replaceChildren(`${count}`, html("span", { class: "visually-hidden" }, " new in the chat"));
}

// Speaking

const field = byId("chat-text");
const refusal = byId("chat-refusal");
let isSending = false;

async function send(event) {
  event.preventDefault();
  const text = field.value;
  field.focus();
  if (isSending || !text.trim()) return;
  isSending = true;
  refusal.textContent = "";
  refusal.textContent = await post();
  isSending = false;
  // What was typed while the line was on its way is the next line.
  if (!refusal.textContent && field.value.startsWith(text)) field.value = field.value.slice(text.length);
}

// Why the line was not said; nothing if it was.
async function post() {
  try {
    const answer = await fetch(form.action, { method: "POST", body: new FormData(form), headers: { Accept: "application/json" } });
    const { last, sentence } = await answer.json();
    if (!answer.ok) return sentence;
    hear({ last });
    return "";
  } catch {
    return chat.dataset.lost;
  }
}

form?.addEventListener("submit", send);
look();
// After a break, everything is looked at again: a line that is here may have been removed meanwhile.
listen(`/ws/games/${chat.dataset.game}/chat/`, hear, () => (stale = 0));
