// The page of notices: the browser knows which time zone it is in, and says so.

import { element, part } from "../site/elements.js";
import { sentence } from "../site/words.js";

const zones = element("id_zone", HTMLSelectElement);
const proposal = element("own-zone", HTMLElement);
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;

const isKnown = [...zones.options].some(({ value }) => value === own);

function propose() {
  proposal.hidden = !isKnown || zones.value === own;
}

part(proposal, "span", HTMLElement).textContent = sentence(proposal, "words", { zone: own });
part(proposal, "button", HTMLButtonElement).addEventListener("click", () => {
  zones.value = own;
  zones.focus();
  propose();
});
zones.addEventListener("change", propose);
// Whoever has never chosen gets the browser's with the first press on "Save".
if (isKnown && proposal.dataset.new === "yes") zones.value = own;
propose();
