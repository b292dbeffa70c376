// Picking other rules shows their options, and picking another pace its times. What the host has changed is kept:
// everything that differs from the rules, or the pace, shown before.

import { element, parts } from "../site/elements.js";

/**
 * What can be picked or written under one name.
 * @typedef {RadioNodeList | HTMLInputElement | HTMLSelectElement} Control
 */

const form = element("options", HTMLFormElement);

/** @param {string} name */
const control = (name) => /** @type {Control} */ (form.elements.namedItem(name));
/**
 * @param {string} name
 * @param {string} value
 */
const radio = (name, value) => /** @type {HTMLInputElement} */ (form.querySelector(`[name="${name}"][value="${value}"]`));
/**
 * What comes with a rule book or a pace.
 * @param {string} name
 * @param {string} value
 * @returns {Record<string, string>}
 */
const valuesOf = (name, value) => JSON.parse(`${radio(name, value).dataset.values}`);

const shownRules = control("shown_preset");
const shownPace = control("shown_pace");

/** @param {string} preset */
function showRules(preset) {
  const before = valuesOf("preset", shownRules.value);
  for (const [name, value] of Object.entries(valuesOf("preset", preset))) {
    const picked = control(name);
    if (picked.value === before[name]) picked.value = value;
    /** @type {NodeListOf<HTMLInputElement | HTMLOptionElement>} */
    const choices = form.querySelectorAll(`input[name="${name}"], [name="${name}"] > option`);
    for (const choice of choices) choice.classList.toggle("by-the-book", choice.value === value);
  }
  shownRules.value = preset;
}

/** @param {string} pace */
function showTimes(pace) {
  // Without a clock there is nothing to show; the times wait for the next pace.
  if (!pace) return;
  const { bounds: boundsBefore, ...before } = valuesOf("pace", shownPace.value);
  const { bounds, ...times } = valuesOf("pace", pace);
  for (const [name, usual] of Object.entries(times)) {
    const input = /** @type {HTMLInputElement} */ (control(name));
    // Seconds are no time for a game over days, nor days for one sitting.
    if (input.value === before[name] || bounds !== boundsBefore) input.value = usual;
    element(`usual-time-${name}`, HTMLElement).textContent = usual;
    mark(input, usual);
  }
  element("clock-bounds", HTMLElement).textContent = bounds;
  radio("pace", shownPace.value).classList.remove("shown");
  radio("pace", pace).classList.add("shown");
  shownPace.value = pace;
}

/**
 * @param {HTMLInputElement} input
 * @param {string} usual
 */
function mark(input, usual) {
  input.value = input.value.trim() || usual;
  input.classList.toggle("by-the-book", input.value === usual);
}

form.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.name === "preset") showRules(target.value);
  if (target.name === "pace") showTimes(target.value);
  if (target.matches(".time")) mark(target, valuesOf("pace", shownPace.value)[target.name]);
});
// A browser that goes back to this page brings back what was picked, and only once the page is there.
addEventListener("pageshow", () => {
  const more = element("more", HTMLDetailsElement);
  const isPicked = parts(more, ":checked", HTMLElement).some((picked) => !picked.matches("[checked], [selected]"));
  if (isPicked) more.open = true;
  showRules(control("preset").value);
  showTimes(control("pace").value);
});
