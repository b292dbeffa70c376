// A text that is there to be copied, and the button for it. Without scripts there is the field, which can be selected.

import { element, elementIfAny } from "./elements.js";
import { sentence } from "./words.js";

/**
 * Shows the button, if the page has it, and lets it copy what is in the field.
 * @param {string} button
 * @param {string} field
 */
export function offerCopying(button, field) {
  const copy = elementIfAny(button, HTMLButtonElement);
  if (!copy) return;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    const { value } = element(field, HTMLInputElement);
    element(field, HTMLInputElement).select();
    try {
      await navigator.clipboard.writeText(value);
      copy.textContent = sentence(copy, "copied");
    } catch {
      copy.textContent = sentence(copy, "selected");
    }
  });
}
