// Other games that wait, told on the page of one: before its title, and by a link to the next, once nothing is asked here.

import { putBeforeTitle } from "../games/clocks.js";
import { hear } from "../games/frames.js";
import { element, elementIfAny, parts } from "../site/elements.js";
import { sentence } from "../site/words.js";
import { beforeTitle, showBadge } from "./waiting.js";

const found = elementIfAny("next-game", HTMLAnchorElement);

/** @param {HTMLAnchorElement} link */
function setUp(link) {
  let others = Number(link.dataset.others);
  // What was shown first was shown before anybody heard of it.
  let isAsked = link.dataset.asked !== "";

  function draw() {
    const count = others + Number(isAsked);
    putBeforeTitle(beforeTitle(count));
    showBadge(count);
    for (const words of parts(link, "[data-several]", HTMLElement)) {
      words.textContent = sentence(words, others === 1 ? "one" : "several", { count: others });
    }
    const isFocused = document.activeElement === link;
    link.hidden = others === 0 || isAsked;
    // Whoever was about to leave by it goes on from what is asked instead.
    if (isFocused && link.hidden) element("prompt", HTMLElement).focus();
  }

  hear("shown", ({ asked }) => {
    isAsked = asked !== "";
    draw();
  });

  /** @param {number} count */
  function take(count) {
    others = count;
    draw();
  }
  hear("waiting", take);
  hear("greeting", ({ waiting }) => take(waiting));
  draw();
}

if (found) setUp(found);
