// The people in a chat. The server draws them as a page of their own; a sheet shows that page's one part.

import { element, part } from "../site/elements.js";
import { sentence } from "../site/words.js";

/** @param {HTMLElement} chat whose links lead to them */
export function setUpPeople(chat) {
  const sheet = element("people-sheet", HTMLDialogElement);
  const place = element("people-place", HTMLElement);

  /**
   * @param {string} address
   * @param {RequestInit} [request]
   */
  async function show(address, request) {
    try {
      const answer = await fetch(address, request);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      place.replaceChildren(page.getElementById("people") ?? sentence(sheet, "lost"));
    } catch {
      place.replaceChildren(sentence(sheet, "lost"));
    }
  }

  chat.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest(".chat-name, .chat-people") : null;
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.replaceChildren();
    sheet.showModal();
    show(link.href);
  });

  place.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const form = event.target;
    const person = form.closest("[data-person]")?.getAttribute("data-person");
    await show(form.action, { method: "POST", body: new FormData(form, event.submitter) });
    const again = place.querySelector(`[data-person="${person}"] button`);
    (again instanceof HTMLElement ? again : element("people-title", HTMLElement)).focus();
  });

  part(sheet, "[data-close]", HTMLButtonElement).addEventListener("click", () => sheet.close());
}
