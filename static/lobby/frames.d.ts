// What chat and rematch add to the frames of a game's socket.

import type { ShownLine } from "./chat_lines.d.ts";
import type { Rematch } from "./rematches.d.ts";

/** A new line, or one that a moderator has changed. */
export interface ChatNews {
  /** How far the chat has got. */
  last: number;
  lines: ShownLine[];
}

declare module "../games/store.d.ts" {
  interface Frames {
    chat: ChatNews;
    /** Somebody has opened one. */
    rematch: Rematch;
  }

  interface Greeting {
    /** How far the chat has got. */
    chat: number;
    /** If there is one already. */
    rematch?: Rematch;
  }
}
