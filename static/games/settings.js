// What a player has chosen for this browser.

import { byId } from "./dom.js";

export function setting(name, fallback) {
  const box = byId(`setting-${name}`);
  const kept = read(name);
  box.checked = kept === null ? fallback : kept === "on";
  box.addEventListener("change", () => write(name, box.checked ? "on" : "off"));
  return () => box.checked;
}

// A browser may forbid storage: the choice then lasts as long as the page.
function read(name) {
  try {
    return localStorage.getItem(`catan-${name}`);
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(`catan-${name}`, value);
  } catch {
    // Nothing is lost but the memory of it.
  }
}
