// Written by `make types` from the Python types. Change those.

/** What everybody at the page of a finished game is told once somebody has opened a rematch. */
export interface Rematch {
  sentence: string;
  /** What the button of those who played says then. */
  join: string;
}
