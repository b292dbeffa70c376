// Written by `make types` from the Python types. Change those.

/** A line as everybody sees it. */
export interface ShownLine {
  number: number;
  name: string;
  colour: string;
  emblem: string;
  text: string;
  said_at: string;
  hidden: boolean;
}
