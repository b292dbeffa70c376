// The end of a game hears of a rematch: the button of those who played then leads to it.

import { hear } from "../games/frames.js";
import { elementIfAny } from "../site/elements.js";

/** @import { Rematch } from "./rematches.d.ts" */

/**
 * The end may not be drawn yet; when it is, the server knows of the rematch too.
 * @param {Rematch} rematch
 */
function show({ sentence, join }) {
  const news = elementIfAny("rematch-news", HTMLElement);
  if (news) news.textContent = sentence;
  const label = elementIfAny("rematch-join", HTMLElement);
  if (label) label.textContent = join;
}

hear("rematch", show);
hear("greeting", ({ rematch }) => rematch && show(rematch));
