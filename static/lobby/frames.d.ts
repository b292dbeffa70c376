// What chats, watchers and the rematch add to the frames of a game's socket.

import type { ChatNews } from "./chat_lines.d.ts";
import type { Rematch } from "./rematches.d.ts";

declare module "../games/store.d.ts" {
  interface Frames {
    chat: ChatNews;
    /** Whom the reader hears has changed: every chat is to be read anew. */
    chat_anew: true;
    /** How many watch the game; empty for nobody. */
    watching: string;
    /** How many other games wait for the reader. */
    waiting: number;
    /** Somebody has opened one. */
    rematch: Rematch;
  }

  interface Greeting {
    /** How far the players' chat has got. */
    chat: number;
    watching: string;
    waiting: number;
    /** If there is one already. */
    rematch?: Rematch;
  }
}
