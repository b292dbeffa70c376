// What a player has chosen for this browser.

import { element } from "../site/elements.js";

/**
 * @param {string} name
 * @param {boolean} fallback
 */
export function setting(name, fallback) {
  const box = element(`setting-${name}`, HTMLInputElement);
  const kept = read(name);
  box.checked = kept === null ? fallback : kept === "on";
  box.addEventListener("change", () => write(name, box.checked ? "on" : "off"));
  return () => box.checked;
}

/**
 * A browser may forbid storage: the choice then lasts as long as the page.
 * @param {string} name
 */
function read(name) {
  try {
    return localStorage.getItem(`catan-${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {"on" | "off"} value
 */
function write(name, value) {
  try {
    localStorage.setItem(`catan-${name}`, value);
  } catch {
    // Nothing is lost but the memory of it.
  }
}
