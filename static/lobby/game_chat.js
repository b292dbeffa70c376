// The chats of a game's page: the players', and for those who watch their own; after the end, both for everybody.

import { hear } from "../games/frames.js";
import { read, write } from "../games/settings.js";
import { copy, element, elementIfAny, part, parts } from "../site/elements.js";
import { Chat } from "./chat.js";
import { setUpPeople } from "./people.js";

// On a phone the chats are behind a button, which tells how much is new there; a tab tells it of its own.

/** @param {HTMLElement | null} opener */
function countOn(opener) {
  const badge = copy("chat-unread", HTMLElement);
  opener?.append(badge);
  return /** @param {number} count */ (count) => {
    badge.hidden = count === 0;
    part(badge, "span", HTMLElement).textContent = `${count}`;
  };
}

const tabs = parts(document, ".chat-tab", HTMLButtonElement);
const panels = parts(document, ".chat-room", HTMLElement);
const unread = panels.map(() => 0);
const countInAll = countOn(elementIfAny("side-open", HTMLElement));
const countOnTab = tabs.map(countOn);

/** @type {Map<string | undefined, Chat>} */
const chats = new Map(
  panels.map((panel, index) => [
    panel.dataset.room,
    new Chat(panel, (count) => {
      unread[index] = count;
      countInAll(unread.reduce((sum, each) => sum + each));
      countOnTab[index]?.(count);
    }),
  ]),
);

// Tabs

const people = elementIfAny("chat-people", HTMLAnchorElement);

/** @param {HTMLButtonElement} chosen */
function choose(chosen) {
  for (const [index, tab] of tabs.entries()) {
    tab.setAttribute("aria-selected", `${tab === chosen}`);
    tab.tabIndex = tab === chosen ? 0 : -1;
    panels[index].hidden = tab !== chosen;
    if (people && tab === chosen) people.href = `${panels[index].dataset.people}`;
  }
  write("chat", chosen.id);
}

const before = tabs.find(({ id }) => id === read("chat"));
if (before) choose(before);

for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const next = tabs[(index + 1) % tabs.length];
    choose(next);
    next.focus();
  });
}

setUpPeople(element("chat", HTMLElement));

// News

hear("chat", (news) => chats.get(news.room)?.take(news));
hear("chat_anew", () => chats.forEach((chat) => chat.anew()));
hear("greeting", ({ chat: last, watching }) => {
  chats.get("players")?.greet(last);
  showWatching(watching);
});
hear("watching", showWatching);

/** @param {string} count */
function showWatching(count) {
  element("watchers", HTMLElement).hidden = !count;
  element("watchers-count", HTMLElement).textContent = count;
}
