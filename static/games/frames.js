// What the socket brings: each frame is of one kind, and whoever cares for a kind hears of it.

/** @type {Map<string, (content: any) => void>} */
const listeners = new Map();

/**
 * @template {keyof import("./page.d.ts").Frame | "chat"} Kind
 * @param {Kind} kind
 * @param {(content: Kind extends keyof import("./page.d.ts").Frame ? NonNullable<import("./page.d.ts").Frame[Kind]> : any) => void} listener
 */
export function hear(kind, listener) {
  listeners.set(kind, listener);
}

/** @param {Record<string, unknown>} frame */
export function spread(frame) {
  for (const [kind, content] of Object.entries(frame)) listeners.get(kind)?.(content);
}
