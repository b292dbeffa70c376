// Written by `make types` from the Python types. Change those.

/** A new line, or one that a moderator has changed. */
export interface ChatNews {
  room: "players" | "watchers" | "table";
  number: number;
  /** How far the chat has got. */
  last: number;
  /** Nothing for those who do not hear its speaker. */
  line: ShownLine | null;
}

/** A line as those see it who hear its speaker. */
export interface ShownLine {
  number: number;
  name: string;
  /** Of the speaker’s seat, and its sign; both empty where there is none. */
  colour: string;
  emblem: string;
  text: string;
  said_at: string;
  /** Whether a moderator has removed the text. */
  hidden: boolean;
  /** A program plays the speaker’s account. */
  is_bot_account: boolean;
}

/** The newest lines after a number, in their order, and how far the chat had got before they were read. */
export interface Read {
  last: number;
  lines: ShownLine[];
}
