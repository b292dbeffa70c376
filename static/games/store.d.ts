// What the modules of a game's page share.

import type { Advice, Advised, Frame, Mark, Page, Player } from "./page.d.ts";

export interface Store {
  page: Page;
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

/** The store of somebody who plays. */
export interface OwnStore extends Store {
  page: OwnPage;
}

export interface OwnPage extends Page {
  viewer: number;
}

/** A seat whose cards the viewer sees. */
export type OwnSeat = Player & Required<Pick<Player, "hand" | "cards">>;

/** A move without its seat, which is the player's own. */
export interface OwnMove {
  kind: string;
  [argument: string]: unknown;
}

/** Sends a move; tells whether it was played. */
export type Act = (move: OwnMove) => Promise<boolean>;

/** Asks what a bot would do at a version of the game; without an answer, it is told why. */
export type Ask = (version: number) => Promise<{ advice: Advice | null; refusal: string | null }>;

/** Chooses what is advised, as if the player had pressed it once. */
export type Choose = (advised: Advised) => void;

/** What a move says that is put together in the tray. */
export interface Laid extends OwnMove {
  resources?: Record<string, number>;
  gives?: Record<string, number>;
  gets?: Record<string, number>;
  to?: number[];
  offer?: number;
  give?: string;
  paid?: number;
  take?: string;
}

/** What a player may want for their seat; a move it is not. */
export type SeatWish = { wish: "take_back" } | { wish: "if_absent"; if_absent: string };

/** Asks for it; tells whether it was done. */
export type Wish = (wanted: SeatWish) => Promise<boolean>;

/** What a form of agreement says. */
export type Said = Record<string, string | number>;

/** Says it to the others; tells whether it was taken. */
export type Agree = (said: Said) => Promise<boolean>;

/** What a socket brings, by its kind. Whoever has a part of the page of their own adds to it. */
export interface Frames extends Required<Omit<Frame, "greeting">> {
  greeting: Greeting;
  /** The page that is shown from now on, whichever way it came. */
  shown: Page;
}

export interface Greeting extends Mark {}
