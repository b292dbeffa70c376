// What a player has chosen for this browser.

import { element } from "../site/elements.js";

/**
 * @param {string} name
 * @param {boolean} fallback
 */
export function setting(name, fallback) {
  const box = element(`setting-${name}`, HTMLInputElement);
  box.checked = read(name, fallback);
  box.addEventListener("change", () => write(name, box.checked));
  return () => box.checked;
}

/**
 * A choice that is always in sight: a button, pressed or not.
 * @param {string} name
 * @param {boolean} fallback
 * @param {() => void} onChange
 */
export function switchSetting(name, fallback, onChange) {
  const button = element(`setting-${name}`, HTMLButtonElement);
  const isOn = () => button.getAttribute("aria-pressed") === "true";
  button.setAttribute("aria-pressed", `${read(name, fallback)}`);
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", `${!isOn()}`);
    write(name, isOn());
    onChange();
  });
  return isOn;
}

/**
 * A browser may forbid storage: the choice then lasts as long as the page.
 * @param {string} name
 * @param {boolean} fallback
 */
function read(name, fallback) {
  try {
    return (localStorage.getItem(`catan-${name}`) ?? (fallback ? "on" : "off")) === "on";
  } catch {
    return fallback;
  }
}

/**
 * @param {string} name
 * @param {boolean} isOn
 */
function write(name, isOn) {
  try {
    localStorage.setItem(`catan-${name}`, isOn ? "on" : "off");
  } catch {
    // Nothing is lost but the memory of it.
  }
}
