// What the socket brings: each frame is of one kind, and whoever cares for a kind hears of it.

/** @type {Map<string, ((content: any) => void)[]>} */
const listeners = new Map();

/**
 * @param {string} kind
 * @param {(content: any) => void} listener
 */
export function hear(kind, listener) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), listener]);
}

/** @param {Record<string, unknown>} frame */
export function spread(frame) {
  for (const [kind, content] of Object.entries(frame)) {
    for (const listener of listeners.get(kind) ?? []) listener(content);
  }
}
