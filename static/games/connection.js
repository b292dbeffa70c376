// The line to the server: moves go over HTTP and are answered with the new page; the socket brings everybody else's.

import { listen } from "../site/socket.js";
import { hear, spread } from "./frames.js";

/** @import { Advice, Mark, Page } from "./page.d.ts" */
/** @import { OwnMove, Said, SeatWish } from "./store.d.ts" */

const POLL_EVERY = 5_000;
const PRESENCE_WITHIN = 10_000;

/**
 * @param {Mark} one
 * @param {Mark} other
 */
const isFurther = (one, other) => one.version > other.version || (one.version === other.version && one.revision > other.revision);

export class Connection {
  #address;
  #token;
  /** @type {Mark} */
  #seen;
  #onPage;
  #onState;
  #open = false;
  #isBehind = false;
  /** @type {Promise<void> | null} */
  #looking = null;
  /** @type {Promise<void> | null} */
  #lookAgain = null;

  /** @param {{ page: Page, token: string, onPage: (page: Page) => void, onState: (open: boolean) => void, isOverdue: () => boolean }} parts */
  constructor({ page, token, onPage, onState, isOverdue }) {
    this.#address = `/api/v1/games/${page.game}/`;
    this.#token = token;
    this.#seen = page;
    this.#onPage = onPage;
    this.#onState = onState;
    let isFirst = true;
    hear("greeting", (mark) => {
      this.#setOpen(true);
      if (isFurther(mark, this.#seen)) this.look();
      // While nobody listened, people may have come and gone. That can wait: after a restart all pages are back at once.
      else if (!isFirst) setTimeout(() => this.look(), Math.random() * PRESENCE_WITHIN);
      isFirst = false;
    });
    hear("mark", (mark) => isFurther(mark, this.#seen) && this.look());
    hear("page", (news) => this.#take(news));
    const line = listen(`/ws/games/${page.game}/`, spread, () => this.#setOpen(false));
    // Whoever looks at the game need not be told elsewhere that it waits for them.
    const tellWhetherSeen = () => line.say({ visible: !document.hidden });
    hear("greeting", tellWhetherSeen);
    setInterval(() => (this.#open && !this.#isBehind && !isOverdue()) || this.look(), POLL_EVERY);
    addEventListener("online", () => this.look());
    document.addEventListener("visibilitychange", () => {
      tellWhetherSeen();
      if (!document.hidden) this.look();
    });
  }

  /** @param {boolean} open */
  #setOpen(open) {
    this.#open = open;
    this.#onState(open);
  }

  /**
   * A page that was sent without being asked for. If it begins later than this one has got, something was missed.
   * @param {Page} page
   */
  #take(page) {
    if (!isFurther(page, this.#seen)) return;
    if (page.after.version > this.#seen.version || page.after.revision > this.#seen.revision) this.look();
    else this.#show(page);
  }

  /** @param {Page} page */
  #show(page) {
    this.#seen = page;
    this.#onPage(page);
  }

  /**
   * Fetches what happened since the last look. Whoever asks meanwhile waits for one more look, which begins after they asked.
   * @returns {Promise<void>}
   */
  look() {
    if (this.#looking) {
      this.#lookAgain ??= this.#looking.then(() => {
        this.#lookAgain = null;
        return this.look();
      });
      return this.#lookAgain;
    }
    this.#looking = this.#fetchPage().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #fetchPage() {
    try {
      const before = this.#seen;
      const { version, revision } = before;
      const answer = await fetch(`${this.#address}?after=${version}&revision=${revision}`);
      this.#isBehind = !answer.ok;
      if (!answer.ok) return;
      /** @type {Page} */
      const page = await answer.json();
      // An answer that was overtaken must not turn the table back, nor tell anything twice.
      if (this.#seen === before) this.#show(page);
      else if (isFurther(page, this.#seen)) this.look();
      if (this.#open) this.#onState(true);
    } catch {
      this.#isBehind = true;
      this.#onState(false);
    }
  }

  /**
   * A move's id makes a resend harmless: the move counts once.
   * @param {OwnMove} move
   * @returns {Promise<string | null>} why it was not played
   */
  async send(move) {
    const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    const { page, refusal } = await this.#post("moves/", { move, version: this.#seen.version, client_id: id });
    if (page) this.#take(page);
    // What is refused was chosen on a table that has changed.
    if (refusal) await this.look();
    return refusal;
  }

  /**
   * @param {SeatWish} wanted
   * @returns {Promise<string | null>} why it was not done
   */
  async wish(wanted) {
    const { refusal } = await this.#post("seat/", wanted);
    await this.look();
    return refusal;
  }

  /**
   * @param {Said} said
   * @returns {Promise<string | null>} why it was not taken
   */
  async agree(said) {
    const { refusal } = await this.#post("agreements/", said);
    await this.look();
    return refusal;
  }

  /**
   * @param {number} version
   * @returns {Promise<{ advice: Advice | null, refusal: string | null }>} what a bot would do, or why there is no answer
   */
  async ask(version) {
    const { refusal, ...told } = await this.#post("advice/", { version });
    if (refusal) await this.look();
    return { advice: refusal ? null : /** @type {Advice} */ (told), refusal };
  }

  /**
   * Sends until the server has answered.
   * @param {string} path
   * @param {object} data
   * @returns {Promise<{ page?: Page, refusal: string | null }>}
   */
  async #post(path, data) {
    const body = JSON.stringify(data);
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.#token };
    for (;;) {
      try {
        const answer = await fetch(this.#address + path, { method: "POST", headers, body });
        if (answer.status < 500) {
          /** @type {{ page?: Page, detail: string }} */
          const { detail, ...told } = await answer.json();
          return { ...told, refusal: answer.ok ? null : detail };
        }
      } catch {
        this.#onState(false);
      }
      await new Promise((resume) => setTimeout(resume, 500 + Math.random() * 1500));
    }
  }
}
