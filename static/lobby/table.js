// The table's page, kept current: the socket says that something changed, the server then draws the table anew.

import { element, elementIfAny } from "../site/elements.js";
import { listen } from "../site/socket.js";
import { sentence } from "../site/words.js";

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
    const answer = await fetch(`${table.dataset.now}`).catch(() => null);
    // Without an answer the socket is lost too; its next greeting says again what the newest version is.
    if (!answer?.ok) break;
    if (answer.status === 204) {
      location.reload();
      return;
    }
    draw(await answer.text());
    seen = version;
  }
  isLoading = false;
}

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

/** @param {{ version: number }} greeting */
function hear({ version }) {
  newest = Math.max(newest, version);
  catchUp();
}

offerCopying();
listen(`/ws/tables/${table.dataset.code}/`, hear);
