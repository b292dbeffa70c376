// One chat of a page: its lines come over the page's socket, and those that were missed are fetched.

import { copyOf, part, parts } from "../site/elements.js";
import { sentence } from "../site/words.js";

/** @import { ChatNews, Read, ShownLine } from "./chat_lines.d.ts" */

const MOST_SHOWN = 100;
/** Whoever is told to come later does so within this time: after a restart all pages ask at once. */
const AGAIN_WITHIN = 5_000;

/** @type {Intl.DateTimeFormatOptions} */
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const today = new Intl.DateTimeFormat(undefined, CLOCK);
const earlier = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", ...CLOCK });

export class Chat {
  #room;
  #view;
  #list;
  #onUnread;

  // How far the chat has got, how far its lines are here, and after which one they may be out of date.
  #newest = 0;
  #seen = 0;
  #stale = Infinity;
  #isLooking = false;
  #isAskedAgain = false;
  #isFirstLook = true;

  #isAtEnd = true;
  #isVisible = false;
  #unread = 0;

  /**
   * @param {HTMLElement} room
   * @param {(count: number) => void} [onUnread] hears how many lines have come that were not in sight
   */
  constructor(room, onUnread = () => {}) {
    this.#room = room;
    this.#view = part(room, ".chat-lines", HTMLElement);
    this.#list = part(this.#view, "ol", HTMLOListElement);
    this.#onUnread = onUnread;
    this.#keepEndInSight();
    for (const form of parts(room, "form", HTMLFormElement)) this.#setUpSpeaking(form);
    this.#look();
  }

  // Reading

  /**
   * What does not follow on what is here was missed.
   * @param {Pick<ChatNews, "number" | "last" | "line">} news
   */
  take({ number, last, line }) {
    this.#newest = Math.max(this.#newest, last);
    if (number <= this.#seen + 1) {
      if (line) this.#draw([line]);
      this.#seen = Math.max(this.#seen, number);
    }
    if (this.#isBehind()) this.#look();
  }

  /**
   * After a break, everything is looked at again: a line that is here may have been removed meanwhile.
   * @param {number} last
   */
  greet(last) {
    this.#stale = 0;
    this.take({ number: 0, last, line: null });
  }

  /** Whom the reader hears has changed. */
  anew() {
    this.#stale = 0;
    this.#look();
  }

  #isBehind() {
    return Math.min(this.#seen, this.#stale) < this.#newest;
  }

  async #look() {
    this.#isAskedAgain = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    do {
      this.#isAskedAgain = false;
      await this.#fetchLines();
      // What was asked for meanwhile may have come with these lines.
    } while (this.#isAskedAgain && this.#isBehind());
    this.#isLooking = false;
  }

  async #fetchLines() {
    const after = Math.min(this.#seen, this.#stale);
    this.#stale = Infinity;
    try {
      const answer = await fetch(`${this.#room.dataset.lines}?after=${after}`);
      if (!answer.ok) {
        this.#stale = Math.min(this.#stale, after);
        // The socket may be open all the while, and then says nothing more about it.
        if (answer.status === 429 || answer.status >= 500) setTimeout(() => this.#look(), AGAIN_WITHIN * (0.2 + 0.8 * Math.random()));
        return;
      }
      /** @type {Read} */
      const { last, lines } = await answer.json();
      this.#clear(after, last, lines);
      this.#draw(lines);
      this.#isFirstLook = false;
      this.#seen = Math.max(this.#seen, last, lines.at(-1)?.number ?? 0);
    } catch {
      // The line is cut: when the socket comes back, it says how far the chat has got.
      this.#stale = Math.min(this.#stale, after);
    }
  }

  /**
   * What is here of a span that was looked at, and is not among its lines, is no longer for this reader.
   * @param {number} after
   * @param {number} last
   * @param {ShownLine[]} lines
   */
  #clear(after, last, lines) {
    const found = new Set(lines.map(({ number }) => number));
    for (const line of parts(this.#list, "li", HTMLLIElement)) {
      const number = Number(line.dataset.number);
      if (number > after && number <= last && !found.has(number)) line.remove();
    }
  }

  /** @param {ShownLine[]} lines */
  #draw(lines) {
    for (const line of lines) this.#put(this.#drawn(line));
    while (this.#list.children.length > MOST_SHOWN) this.#list.children[0].remove();
    if (this.#isAtEnd) this.#scrollToEnd();
    requestAnimationFrame(() => this.#view.setAttribute("aria-live", "polite"));
  }

  /** @param {HTMLElement} line */
  #put(line) {
    const number = Number(line.dataset.number);
    const present = this.#list.querySelector(`[data-number="${number}"]`);
    if (!present) {
      const later = parts(this.#list, "li", HTMLLIElement).find((other) => Number(other.dataset.number) > number);
      this.#list.insertBefore(line, later ?? null);
      if (!this.#isFirstLook && !this.#isVisible && number > this.#seen) this.#setUnread(this.#unread + 1);
    } else if (present.textContent !== line.textContent) present.replaceWith(line);
  }

  /** @param {ShownLine} line */
  #drawn({ number, name, colour, emblem, text, said_at: saidAt, hidden, is_bot_account: isBot }) {
    const line = copyOf(part(this.#room, "template", HTMLTemplateElement), HTMLLIElement);
    line.dataset.number = `${number}`;
    line.classList.toggle("is-removed", hidden);
    const seat = part(line, ".log-seat", HTMLElement);
    if (colour) seat.classList.add(`seat-${colour}`);
    seat.textContent = emblem;
    const speaker = part(line, ".chat-name", HTMLAnchorElement);
    speaker.href = `${this.#room.dataset.people}?line=${number}`;
    part(speaker, "bdi", HTMLElement).textContent = name;
    if (!isBot) part(line, ".chat-bot", HTMLElement).remove();
    part(line, ".chat-said", HTMLElement).textContent = text;
    const time = part(line, "time", HTMLTimeElement);
    const when = new Date(saidAt);
    time.dateTime = saidAt;
    time.textContent = (day.format(when) === day.format(new Date()) ? today : earlier).format(when);
    return line;
  }

  // The end stays in sight, also when the room changes; whoever reads further up is left in peace.

  #keepEndInSight() {
    this.#view.addEventListener("scroll", () => {
      this.#isAtEnd = this.#view.scrollHeight - this.#view.scrollTop - this.#view.clientHeight < 20;
    });
    new ResizeObserver(([{ contentRect }]) => {
      const wasVisible = this.#isVisible;
      this.#isVisible = contentRect.height > 0;
      if (this.#isVisible && !wasVisible) this.#setUnread(0);
      if (this.#isVisible && (this.#isAtEnd || !wasVisible)) this.#scrollToEnd();
    }).observe(this.#view);
  }

  #scrollToEnd() {
    this.#view.scrollTo({ top: this.#view.scrollHeight });
  }

  /** @param {number} count */
  #setUnread(count) {
    this.#unread = count;
    this.#onUnread(count);
  }

  // Speaking

  /**
   * Whoever is nobody yet becomes a guest by their first line: they send the form itself, which leads back to this page
   * with a session, a token and a socket of their own.
   * @param {HTMLFormElement} form
   */
  #setUpSpeaking(form) {
    const refusal = part(this.#room, ".chat-refusal", HTMLElement);
    const field = form.querySelector("[name=text]:not(button)");
    let isSending = false;

    /** @param {SubmitEvent} event */
    const send = async (event) => {
      const text = field instanceof HTMLInputElement ? field.value : null;
      if ("nobody" in this.#room.dataset && text?.trim() !== "") return;
      event.preventDefault();
      if (field instanceof HTMLInputElement) field.focus();
      if (isSending || text?.trim() === "") return;
      isSending = true;
      refusal.textContent = "";
      refusal.textContent = await this.#post(form, event.submitter);
      isSending = false;
      // What was typed while the line was on its way is the next line.
      if (!refusal.textContent && field instanceof HTMLInputElement && field.value.startsWith(`${text}`)) field.value = field.value.slice(text?.length);
    };

    form.addEventListener("submit", send);
  }

  /**
   * Why the line was not said; nothing if it was.
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} submitter
   * @returns {Promise<string>}
   */
  async #post(form, submitter) {
    try {
      const sent = new FormData(form, submitter);
      const body = JSON.stringify({ text: sent.get("text") });
      const headers = { "Content-Type": "application/json", "X-CSRFToken": `${sent.get("csrfmiddlewaretoken")}` };
      const answer = await fetch(`${this.#room.dataset.lines}`, { method: "POST", body, headers });
      /** @type {{ last: number, detail: string }} */
      const { last, detail } = await answer.json();
      if (!answer.ok) return detail;
      this.take({ number: 0, last, line: null });
      return "";
    } catch {
      return sentence(this.#room, "lost");
    }
  }
}
