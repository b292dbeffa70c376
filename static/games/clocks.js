// Everybody's clock, counted down from the server's time, and the warning when one's own runs short.

import { element, part, parts } from "../site/elements.js";
import { fill, sentence } from "../site/words.js";
import { setText } from "./dom.js";
import { phrases } from "./phrases.js";

/** @import { ClockView } from "./page.d.ts" */
/** @import { Store } from "./store.d.ts" */
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
  if (days) return fill(phrases.time_left.days, { days, hours });
  if (hours) return fill(phrases.time_left.hours, { hours, minutes });
  return fill(phrases.time_left.minutes, { minutes, seconds: `${seconds % MINUTE}`.padStart(2, "0") });
}

let before = "";
let drawTitle = () => {};

/**
 * What stands before the title: whoever else has a part of the page may have something to say there.
 * @param {string} said
 */
export function putBeforeTitle(said) {
  before = said;
  drawTitle();
}

/**
 * @param {Store} store
 * @param {(lastCall: string) => void} onShort is told, once a clock, the sentence that says so
 */
export function setUpClocks(store, onShort) {
  const title = sentence(element("game", HTMLElement), "title");
  const lastCall = element("last-call", HTMLElement);
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
  const isShort = (clock) => (clock?.short_at ? Date.parse(clock.short_at) <= serverTime(store) : false);

  function draw() {
    const { seats, offers, proposals } = store.page;
    for (const { seat, clock } of seats) {
      const card = element(`seat-${seat}`, HTMLElement);
      drawFace(part(card, ".clock", HTMLElement), clock);
      drawBar(part(card, ".clock-bar", SVGElement), clock);
    }
    for (const face of parts(document, "[data-clock=own]", HTMLElement)) drawFace(face, own());
    for (const face of parts(document, "[data-answers]", HTMLElement)) {
      const ends = offers.find(({ number }) => `${number}` === face.dataset.answers)?.ends;
      drawFace(face, ends ? { ends, left: null, short_at: null } : null);
    }
    for (const card of parts(document, ".proposal", HTMLElement)) {
      drawFace(part(card, ".clock", HTMLElement), proposals.find(({ number }) => `${number}` === card.dataset.key)?.clock ?? null);
    }
    drawLastCall();
    drawTitle();
  }

  drawTitle = () => {
    const shown = before + titleNow();
    if (document.title !== shown) document.title = shown;
  };

  function titleNow() {
    const { asks } = store.page;
    const clock = own();
    const asked = asks ? fill(phrases.titles.asked, { asks, title }) : title;
    return clock && isShort(clock) ? fill(phrases.titles.short, { left: text(whole(clock)), title: asked }) : asked;
  }

  /**
   * @param {HTMLElement} face
   * @param {Face | null} clock
   */
  function drawFace(face, clock) {
    face.hidden = !clock;
    if (!clock) return;
    const stands = clock.ends === null;
    setText(part(face, "b", HTMLElement), text(whole(clock)));
    part(face, "[data-still]", HTMLElement).hidden = !stands;
    face.classList.toggle("stands-still", stands);
    face.classList.toggle("is-short", isShort(clock));
    face.classList.toggle("is-long", whole(clock) >= HOUR);
  }

  /**
   * @param {SVGElement} bar
   * @param {ClockView | null} clock
   */
  function drawBar(bar, clock) {
    const share = clock ? Math.min(1, Math.max(0, left(clock) / clock.of)) : 0;
    part(bar, "rect", SVGRectElement).setAttribute("width", `${Math.round(1000 * share) / 10}`);
    bar.classList.toggle("is-short", isShort(clock));
  }

  function drawLastCall() {
    const clock = own();
    lastCall.hidden = !isShort(clock);
    if (!clock || lastCall.hidden) return;
    const said = whole(clock) ? store.page.last_call : phrases.time_is_up;
    setText(lastCall, said);
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
  const isOverdue = () => store.page.seats.some(({ clock }) => clock !== null && clock.ends !== null && left(clock) < -ACTED_ON);

  return { draw, setAlarm, isOverdue };
}
