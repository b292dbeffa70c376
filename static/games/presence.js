// Who is there: a quiet word on the seats of those who are not, on those that a bot plays, and on one's own.

import { element, part } from "../site/elements.js";
import { serverTime } from "./clocks.js";
import { setText } from "./dom.js";

/** @import { PresenceView } from "./page.d.ts" */
/** @import { Store } from "./store.d.ts" */

/** @param {Store} store */
export function drawPresence(store) {
  for (const { seat, presence } of store.page.seats) {
    const mark = part(element(`seat-${seat}`, HTMLElement), ".seat-state", HTMLElement);
    const { state, words, short } = stateNow(presence, store);
    mark.hidden = !state;
    mark.dataset.state = state;
    mark.dataset.short = short;
    setText(part(mark, "span", HTMLElement), words);
  }
}

/**
 * @param {PresenceView} presence
 * @param {Store} store
 */
function stateNow(presence, store) {
  const { then, then_at: thenAt } = presence;
  return then && thenAt && Date.parse(thenAt) <= serverTime(store) ? then : presence;
}
