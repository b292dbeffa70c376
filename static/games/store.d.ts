// What the modules of a game's page share.

import type { Page, Phrases } from "./page.d.ts";

export interface Store {
  page: Page;
  phrases: Phrases;
  /** A kind of place that the player is about to choose. */
  mode: string | null;
  /** The place that was pressed once. */
  selected: string | null;
  /** The kind of card that was pressed once. */
  armed: string | null;
  /** The version on which a move was made: the server plays one on each, so a second press waits for the next. */
  sentOn: number | null;
  refusal: string;
  /** From the time since this page was opened to the server's time, in milliseconds. */
  clockOffset: number;
}

/** A move without its seat, which is the player's own. */
export interface OwnMove {
  kind: string;
  [argument: string]: unknown;
}

/** Sends a move; tells whether it was played. */
export type Act = (move: OwnMove) => Promise<boolean>;
