// What a player has chosen for this browser.

import { element } from "../site/elements.js";

/**
 * @param {string} name
 * @param {boolean} fallback
 */
export function setting(name, fallback) {
  const box = element(`setting-${name}`, HTMLInputElement);
  box.checked = isKeptOn(name, fallback);
  box.addEventListener("change", () => write(name, onOrOff(box.checked)));
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
  button.setAttribute("aria-pressed", `${isKeptOn(name, fallback)}`);
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", `${!isOn()}`);
    write(name, onOrOff(isOn()));
    onChange();
  });
  return isOn;
}

/**
 * A browser may forbid storage: the choice then lasts as long as the page.
 * @param {string} name
 */
export function read(name) {
  try {
    return localStorage.getItem(`catan-${name}`);
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string} value
 */
export function write(name, value) {
  try {
    localStorage.setItem(`catan-${name}`, value);
  } catch {
    // Nothing is lost but the memory of it.
  }
}

/**
 * @param {string} name
 * @param {boolean} fallback
 */
const isKeptOn = (name, fallback) => (read(name) ?? onOrOff(fallback)) === "on";

/** @param {boolean} isOn */
const onOrOff = (isOn) => (isOn ? "on" : "off");
