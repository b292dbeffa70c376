// Everybody's clock, counted down from the server's time, and the warning when one's own runs short.

import { byId, setText } from "./dom.js";

/** @typedef {import("./page.d.ts").ClockView} ClockView */
/** @typedef {import("./store.d.ts").Store} Store */
/** @typedef {Pick<ClockView, "ends" | "left" | "short_at">} Face */

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

// Seconds in which the server has acted on a clock that ran out.
const ACTED_ON = 4;

/**
 * Not the computer's clock, which may be wrong or be set right in the middle of a turn.
 * @param {Store} store
 */
export const serverTime = ({ clockOffset }) => performance.now() + clockOffset;

/** @param {number} seconds */
function text(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / DAY), Math.floor((seconds % DAY) / HOUR), Math.floor((seconds % HOUR) / MINUTE)];
  if (days) return `${days} d ${hours} h`;
  return hours ? `${hours} h ${minutes} m` : `${minutes}:${`${seconds % MINUTE}`.padStart(2, "0")}`;
}

/**
 * @param {Store} store
 * @param {(sentence: string) => void} onShort is told, once a clock, the sentence that says so
 */
export function setUpClocks(store, onShort) {
  const { title } = byId("game").dataset;
  /** @type {string | null} */
  let warnedOf = null;
  /** @type {number | undefined} */
  let alarm;

  const own = () => (store.page.viewer === null ? null : store.page.seats[store.page.viewer].clock);
  /** @param {Face} clock */
  const left = ({ ends, left: still }) => (ends === null ? (still ?? 0) : (Date.parse(ends) - serverTime(store)) / 1000);
  /** @param {Face} clock */
  const whole = (clock) => Math.max(0, Math.ceil(left(clock)));
  /** @param {Face | null} clock */
  const isShort = (clock) => Boolean(clock?.short_at) && Date.parse(clock?.short_at ?? "") <= serverTime(store);

  function draw() {
    const { seats, offers, asks } = store.page;
    for (const { seat, clock } of seats) {
      drawFace(byId(`seat-${seat}`).querySelector(".clock"), clock);
      drawBar(byId(`seat-${seat}`).querySelector(".clock-bar"), clock);
    }
    for (const face of document.querySelectorAll("[data-clock=own]")) drawFace(face, own());
    for (const face of document.querySelectorAll("[data-answers]")) {
      const ends = offers.find(({ number }) => `${number}` === face.dataset.answers)?.ends;
      drawFace(face, ends ? { ends, left: null, short_at: null } : null);
    }
    drawLastCall();
    const clock = own();
    const shown = [clock && isShort(clock) && `⏱ ${text(whole(clock))}`, asks, title].filter(Boolean).join(" · ");
    if (document.title !== shown) document.title = shown;
  }

  function drawFace(face, clock) {
    face.hidden = !clock;
    if (!clock) return;
    const stands = clock.ends === null;
    setText(face.querySelector("b"), text(whole(clock)));
    face.querySelector("[data-still]").hidden = !stands;
    face.classList.toggle("stands-still", stands);
    face.classList.toggle("is-short", isShort(clock));
  }

  function drawBar(bar, clock) {
    const share = clock ? Math.min(1, Math.max(0, left(clock) / clock.of)) : 0;
    bar.firstElementChild.setAttribute("width", `${Math.round(1000 * share) / 10}`);
    bar.classList.toggle("is-short", isShort(clock));
  }

  function drawLastCall() {
    const line = byId("last-call");
    const clock = own();
    line.hidden = !isShort(clock);
    if (!clock || line.hidden) return;
    const said = whole(clock) ? store.page.last_call : store.phrases.time_is_up;
    setText(line, said);
    if (warnedOf === clock.ends) return;
    warnedOf = clock.ends;
    onShort(said);
  }

  // A browser lets the ticking of a hidden page run once a minute, but a single alarm on time.
  function setAlarm() {
    clearTimeout(alarm);
    const at = own()?.short_at;
    if (at) alarm = setTimeout(draw, Date.parse(at) - serverTime(store));
  }

  // A clock that ran out and was not acted on was put back, or the news was lost.
  const isOverdue = () => store.page.seats.some(({ clock }) => clock?.ends && left(clock) < -ACTED_ON);

  return { draw, setAlarm, isOverdue };
}
