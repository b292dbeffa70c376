// The table's page, kept current: the socket says that something changed, the server then draws the table anew.

import { element, elementIfAny } from "../site/elements.js";
import { listen } from "../site/socket.js";
import { sentence } from "../site/words.js";
import { Chat } from "./chat.js";

/** @import { ChatNews } from "./chat_lines.d.ts" */

const PAUSE = 3_000;
const LONGEST_PRESS = 3_000;
const CLICK_WITHIN = 300;

const table = element("table", HTMLElement);
const news = element("table-news", HTMLElement);
let seen = Number(table.dataset.version);
let newest = seen;
let isLoading = false;

async function catchUp() {
  if (isLoading) return;
  isLoading = true;
  while (seen < newest) {
    const version = newest;
    const html = await look();
    if (html === null) {
      setTimeout(catchUp, PAUSE * (0.5 + Math.random()));
      break;
    }
    await released();
    draw(html);
    seen = version;
  }
  isLoading = false;
}

// The table as the server draws it now; null if the answer does not come, or is cut off, or the game has begun.
async function look() {
  try {
    const answer = await fetch(`${table.dataset.now}`);
    if (answer.status === 204) location.reload();
    return answer.status === 200 ? await answer.text() : null;
  } catch {
    return null;
  }
}

// A press counts for the element that it began on: while there is one, the table is not drawn anew.

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

table.addEventListener("pointerdown", () => hold(LONGEST_PRESS));
table.addEventListener("keydown", ({ key }) => key === " " && hold(LONGEST_PRESS));
// The click comes a moment after the finger, or the key, has left.
for (const event of ["pointerup", "pointercancel", "keyup"]) addEventListener(event, () => press !== undefined && hold(CLICK_WITHIN));

/** @param {string} html */
function draw(html) {
  const focused = document.activeElement?.id;
  const typed = elementIfAny("name", HTMLInputElement)?.value;
  const opened = Array.from(table.querySelectorAll("details[open]"), (details) => details.id);
  const state = element("table-state", HTMLElement).textContent;
  table.innerHTML = html;
  const name = elementIfAny("name", HTMLInputElement);
  if (name && typed) name.value = typed;
  for (const details of table.querySelectorAll("details")) details.open = opened.includes(details.id);
  if (focused) (document.getElementById(focused) ?? element("main", HTMLElement)).focus({ preventScroll: true });
  const stateNow = element("table-state", HTMLElement).textContent;
  if (stateNow !== state) news.textContent = stateNow;
  offerCopying();
}

function offerCopying() {
  const button = element("copy-link", HTMLButtonElement);
  button.hidden = false;
  button.addEventListener("click", async () => {
    const link = element("link", HTMLInputElement);
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      button.textContent = sentence(button, "copied");
    } catch {
      button.textContent = sentence(button, "selected");
    }
  });
}

const chat = new Chat(element("chat-room", HTMLElement));

/** @param {{ version?: number, chat?: number | ChatNews, chat_anew?: true }} frame */
function hear({ version, chat: said, chat_anew: isAnew }) {
  if (typeof said === "number") chat.greet(said);
  else if (said) chat.take(said);
  if (isAnew) chat.anew();
  if (version === undefined) return;
  newest = Math.max(newest, version);
  catchUp();
}

offerCopying();
listen(`/ws/tables/${table.dataset.code}/`, hear);
