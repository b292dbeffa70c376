// The table's page, kept current: the socket says that something changed, the server then draws the table anew.

import { listen } from "../site/socket.js";

const table = document.getElementById("table");
const news = document.getElementById("table-news");
let seen = Number(table.dataset.version);
let newest = seen;
let isLoading = false;

async function catchUp() {
  if (isLoading) return;
  isLoading = true;
  while (seen < newest) {
    const version = newest;
    const answer = await fetch(table.dataset.now).catch(() => null);
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

function draw(html) {
  const focused = document.activeElement?.id;
  const typed = document.getElementById("name")?.value;
  const opened = Array.from(table.querySelectorAll("details[open]"), (details) => details.id);
  const state = document.getElementById("table-state").textContent;
  table.innerHTML = html;
  const name = document.getElementById("name");
  if (name && typed) name.value = typed;
  for (const details of table.querySelectorAll("details")) details.open = opened.includes(details.id);
  if (focused) (document.getElementById(focused) ?? document.getElementById("main")).focus({ preventScroll: true });
  const stateNow = document.getElementById("table-state").textContent;
  if (stateNow !== state) news.textContent = stateNow;
  offerCopying();
}

function offerCopying() {
  const button = document.getElementById("copy-link");
  button.hidden = false;
  button.addEventListener("click", async () => {
    const link = document.getElementById("link");
    link.select();
    try {
      await navigator.clipboard.writeText(link.value);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Selected: copy it now";
    }
  });
}

offerCopying();
listen(`/ws/tables/${table.dataset.code}/`, ({ version }) => {
  newest = Math.max(newest, version);
  catchUp();
});
