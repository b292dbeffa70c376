// What the socket brings: each frame is of one kind, and whoever cares for a kind hears of it.

/** @import { Frames } from "./store.d.ts" */

/** @type {((frame: Partial<Frames>) => void)[]} */
const listeners = [];

/**
 * @template {keyof Frames} Kind
 * @param {Kind} kind
 * @param {(content: Frames[Kind]) => void} listener
 */
export function hear(kind, listener) {
  listeners.push((frame) => {
    const content = frame[kind];
    if (content !== undefined) listener(content);
  });
}

/** @param {Partial<Frames>} frame */
export function spread(frame) {
  for (const listener of listeners) listener(frame);
}
