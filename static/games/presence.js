// Who is there: a quiet word on the seats of those who are not, on those that a bot plays, and on one's own.

import { byId, setText } from "./dom.js";
import { serverTime } from "./clocks.js";

/** @param {import("./store.d.ts").Store} store */
export function drawPresence(store) {
  for (const { seat, presence } of store.page.seats) {
    const mark = byId(`seat-${seat}`).querySelector(".seat-state");
    const { state, words } = stateNow(presence, store);
    mark.hidden = !state;
    mark.dataset.state = state;
    setText(mark.firstElementChild, words);
  }
}

/**
 * @param {import("./page.d.ts").PresenceView} presence
 * @param {import("./store.d.ts").Store} store
 */
function stateNow(presence, store) {
  const { then, then_at: thenAt } = presence;
  return then && thenAt && Date.parse(thenAt) <= serverTime(store) ? then : presence;
}
