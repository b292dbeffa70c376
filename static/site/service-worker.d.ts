// What a script has that answers for the site; the types of the browser's pages do not hold it.

export interface Kept {
  version: string;
  offline: string;
  files: string[];
}

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asked extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

export interface Worker {
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(kind: "fetch", listener: (event: Asked) => void): void;
}

declare global {
  /** Written before the script by the server. */
  const KEPT: Kept;
}
