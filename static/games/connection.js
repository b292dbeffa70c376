// The line to the server: moves go over HTTP, a socket says when to look, and looking brings what was missed.

const LONGEST_PAUSE = 30_000;
const POLL_EVERY = 5_000;

export class Connection {
  #address;
  #socketAddress;
  #token;
  #version;
  #revision;
  #onPage;
  #onState;
  #onPresence;
  #socket;
  #retry = null;
  #failures = 0;
  #open = false;
  #isBehind = false;
  #looking = null;
  #lookAgain = null;

  constructor({ page: { game, version, revision }, token, onPage, onState, onPresence, isOverdue }) {
    this.#address = `/api/games/${game}/`;
    this.#socketAddress = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/ws/games/${game}/`;
    this.#token = token;
    this.#version = version;
    this.#revision = revision;
    this.#onPage = onPage;
    this.#onState = onState;
    this.#onPresence = onPresence;
    this.#connect();
    setInterval(() => (this.#open && !this.#isBehind && !isOverdue()) || this.look(), POLL_EVERY);
    // A cut line closes no socket by itself for a long time.
    addEventListener("offline", () => this.#socket.close());
    addEventListener("online", () => this.#comeBack());
    document.addEventListener("visibilitychange", () => document.hidden || this.look());
  }

  #connect() {
    this.#retry = null;
    const socket = (this.#socket = new WebSocket(this.#socketAddress));
    let isGreeted = false;
    socket.addEventListener("message", (event) => {
      this.#failures = 0;
      this.#setOpen(true);
      const { version, revision, presence } = JSON.parse(event.data);
      if (presence) this.#onPresence(presence);
      // While nobody listened, people may have come and gone; and a page that is being fetched may not know of this one.
      const isOutdated = !isGreeted || (presence && this.#looking);
      isGreeted = true;
      if (isOutdated || version > this.#version || revision > this.#revision) this.look();
    });
    socket.addEventListener("close", () => {
      this.#setOpen(false);
      this.#retry = setTimeout(() => this.#connect(), this.#pause());
    });
  }

  // A line that is back needs no pause: it was cut for this page alone, and the others see who is there by its socket.
  #comeBack() {
    this.#failures = 0;
    if (this.#retry !== null) {
      clearTimeout(this.#retry);
      this.#connect();
    }
    this.look();
  }

  // A random pause, longer after each failure: after a restart, pages must not all come back in the same moment.
  #pause() {
    const longest = Math.min(LONGEST_PAUSE, 1000 * 2 ** this.#failures);
    this.#failures += 1;
    return Math.random() * longest;
  }

  #setOpen(open) {
    this.#open = open;
    this.#onState(open);
  }

  // Fetches what happened since the last look. Whoever asks meanwhile waits for one more look, which begins after they asked.
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
      const answer = await fetch(`${this.#address}?after=${this.#version}&revision=${this.#revision}`);
      this.#isBehind = !answer.ok;
      if (!answer.ok) return;
      const page = await answer.json();
      // An answer that was overtaken by a later one must not turn the table back.
      if (page.version < this.#version) return;
      this.#version = page.version;
      this.#revision = page.revision;
      this.#onPage(page);
      if (this.#open) this.#onState(true);
    } catch {
      this.#isBehind = true;
      this.#onState(false);
    }
  }

  // A move's id makes a resend harmless: the move counts once.
  send(move) {
    const id = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return this.#post("moves/", { move, version: this.#version, client_id: id });
  }

  wish(wish) {
    return this.#post("seat/", wish);
  }

  // Sends until the server has answered; gives the sentence of a refusal.
  async #post(path, data) {
    const body = JSON.stringify(data);
    const headers = { "Content-Type": "application/json", "X-CSRFToken": this.#token };
    for (;;) {
      try {
        const answer = await fetch(this.#address + path, { method: "POST", headers, body });
        if (answer.status < 500) return answer.ok ? null : (await answer.json()).sentence;
      } catch {
        this.#onState(false);
      }
      await new Promise((resume) => setTimeout(resume, 500 + Math.random() * 1500));
    }
  }
}
