// The figures of a running game. The server draws them as a page of their own; a sheet shows that page's one part.

import { element, part } from "../site/elements.js";

export function setUpStatistics() {
  const sheet = element("statistics-sheet", HTMLDialogElement);
  const opener = element("statistics-open", HTMLAnchorElement);
  opener.addEventListener("click", async (event) => {
    event.preventDefault();
    sheet.showModal();
    element("statistics-place", HTMLElement).replaceChildren(await figures(opener.href, sheet));
  });
  part(sheet, "[data-close]", HTMLButtonElement).addEventListener("click", () => sheet.close());
}

/**
 * @param {string} address
 * @param {HTMLDialogElement} sheet
 * @returns {Promise<Node | string>}
 */
async function figures(address, sheet) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.getElementById("statistics") ?? `${sheet.dataset.lost}`;
  } catch {
    return `${sheet.dataset.lost}`;
  }
}
