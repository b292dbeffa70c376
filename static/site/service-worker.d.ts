// What a script has that answers for the site; the types of the browser's pages do not hold it.

export interface Kept {
  version: string;
  offline: string;
  files: string[];
  /** Shown beside what somebody is told. */
  icon: string;
  /** Where the site is told that this browser has another address for what is pushed. */
  renewal: string;
}

/** What the server pushes: `lobby/notices/push.py`. */
export interface Told {
  title: string;
  body: string;
  url: string;
  /** Of two that have the same, the newer one is shown. */
  tag: string;
  /** Of the same message, however often it comes. */
  key: string;
}

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asked extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface Pushed extends Lasting {
  readonly data: { json(): Told } | null;
}

export interface Renewed extends Lasting {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}

interface Pressed extends Lasting {
  readonly notification: Notification;
}

interface Window {
  readonly url: string;
  focus(): Promise<Window>;
}

export interface Worker {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    matchAll(which: { type: "window"; includeUncontrolled: boolean }): Promise<Window[]>;
    openWindow(address: string): Promise<Window | null>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(kind: "fetch", listener: (event: Asked) => void): void;
  addEventListener(kind: "push", listener: (event: Pushed) => void): void;
  addEventListener(kind: "pushsubscriptionchange", listener: (event: Renewed) => void): void;
  addEventListener(kind: "notificationclick", listener: (event: Pressed) => void): void;
}

declare global {
  /** Written before the script by the server. */
  const KEPT: Kept;
}
