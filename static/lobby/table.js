// The table's page, kept current: the socket says that something changed, the server then draws the table anew.

import { offerCopying } from "../site/copying.js";
import { element } from "../site/elements.js";
import { listen } from "../site/socket.js";
import { Chat } from "./chat.js";
import { live } from "./live.js";
import { showWaiting } from "./waiting.js";

/** @import { ChatNews } from "./chat_lines.d.ts" */

const NO_SUCH_PLACE = 4404;

const table = element("table", HTMLElement);
const news = element("table-news", HTMLElement);
let newest = Number(table.dataset.version);
let state = element("table-state", HTMLElement).textContent;

// Once the game has begun or the table is gone, the page's address says where to go.
const catchUp = live(table, { gone: () => isLeaving || location.reload(), drawn });

function drawn() {
  const stateNow = element("table-state", HTMLElement).textContent;
  if (stateNow !== state) news.textContent = stateNow;
  state = stateNow;
  offerCopying("copy-link", "link");
}

// Whoever has just pressed something is on the way to where it leads: a page that turned back would lose that.
let isLeaving = false;
// What is said in the chat leads nowhere.
addEventListener("submit", (event) => (isLeaving = !event.defaultPrevented));
addEventListener("pageshow", () => (isLeaving = false));

const chat = new Chat(element("chat-room", HTMLElement));

/** @param {{ version?: number, waiting?: number, chat?: number | ChatNews, chat_anew?: true }} frame */
function hear({ version, waiting, chat: said, chat_anew: isAnew }) {
  if (waiting !== undefined) showWaiting(table, waiting);
  if (typeof said === "number") chat.greet(said);
  else if (said) chat.take(said);
  if (isAnew) chat.anew();
  if (isLeaving || version === undefined || version <= newest) return;
  newest = version;
  catchUp();
}

offerCopying("copy-link", "link");
showWaiting(table, Number(table.dataset.waiting));
// A page that slept may have missed that its table vanished.
listen(`/ws/tables/${table.dataset.code}/`, hear, (code) => code === NO_SUCH_PLACE && catchUp());
