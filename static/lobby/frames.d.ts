// What the chat adds to the frames of a game's socket.

import type { ShownLine } from "./chat_lines.d.ts";

/** A new line, or one that a moderator has changed. */
export interface ChatNews {
  /** How far the chat has got. */
  last: number;
  lines: ShownLine[];
}

declare module "../games/store.d.ts" {
  interface Frames {
    chat: ChatNews;
  }

  interface Greeting {
    /** How far the chat has got. */
    chat: number;
  }
}
