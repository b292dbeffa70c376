// Who is there: a quiet word on the seats of those who are not, on those that a bot plays, and on one's own.

import { byId, setText } from "./dom.js";
import { serverTime } from "./clocks.js";

export function drawPresence(store) {
  const { seat_states: words } = store.phrases.clocks;
  for (const seat of store.page.seats) {
    const mark = byId(`seat-${seat.seat}`).querySelector(".seat-state");
    const state = stateOf(seat, store);
    mark.hidden = !state;
    mark.dataset.state = state;
    setText(mark.firstElementChild, words[state] ?? "");
  }
}

function stateOf({ seat, player, is_here: isHere, gone_at: goneAt }, store) {
  if (player !== "person") return player;
  if (seat === store.page.you) return "you";
  if (isHere) return "";
  const isLost = goneAt && serverTime(store) - Date.parse(goneAt) < 1000 * store.phrases.clocks.away_after;
  return isLost ? "lost" : "away";
}
