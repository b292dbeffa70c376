// Everybody's clock, counted down from the server's time, and the warning when one's own runs short.

import { byId, fill, setText } from "./dom.js";

const [MINUTE, HOUR, DAY] = [60, 3600, 86400];

// Seconds in which the server has acted on a clock that ran out.
const ACTED_ON = 4;

// Not the computer's clock, which may be wrong or be set right in the middle of a turn.
export const serverTime = ({ clockOffset }) => performance.now() + clockOffset;

// What the game wants of the viewer: a move, an answer to an offer, or nothing now.
export function asked({ status, is_replaced: isReplaced, you, view }) {
  if (status !== "running" || isReplaced) return null;
  if (view.to_act.includes(you)) return "move";
  const isUnanswered = ({ to, accepted, rejected }) => to.includes(you) && !accepted.includes(you) && !rejected.includes(you);
  return view.offers.some(isUnanswered) ? "offer" : null;
}

// `onShort` is told, once a clock, the sentence that says so.
export function setUpClocks(store, onShort) {
  const words = store.phrases.clocks;
  const { title } = byId("game").dataset;
  let warnedOf = null;
  let alarm = null;

  const own = () => (store.page.you === null ? null : store.page.seats[store.page.you].clock);
  const left = (clock) => ("left" in clock ? clock.left : (Date.parse(clock.ends) - serverTime(store)) / 1000);
  const isShort = (clock) => Boolean(clock?.ends) && left(clock) <= words.short * clock.of;

  function draw() {
    const { seats, answer_clocks: answers } = store.page;
    for (const { seat, clock } of seats) {
      drawFace(byId(`seat-${seat}`).querySelector(".clock"), clock);
      drawBar(byId(`seat-${seat}`).querySelector(".clock-bar"), clock);
    }
    for (const face of document.querySelectorAll("[data-clock=own]")) drawFace(face, own());
    for (const face of document.querySelectorAll("[data-answers]")) {
      const ends = answers[face.dataset.answers];
      drawFace(face, ends ? { ends } : null);
    }
    drawLastCall();
    const shown = [isShort(own()) && `⏱ ${text(own())}`, words.asks[asked(store.page)], title].filter(Boolean).join(" · ");
    if (document.title !== shown) document.title = shown;
  }

  function drawFace(face, clock) {
    face.hidden = !clock;
    if (!clock) return;
    const stands = "left" in clock;
    setText(face.querySelector("b"), text(clock));
    face.querySelector("[data-still]").hidden = !stands;
    face.classList.toggle("stands-still", stands);
    face.classList.toggle("is-short", isShort(clock));
  }

  function drawBar(bar, clock) {
    const share = clock ? Math.min(1, Math.max(0, left(clock) / clock.of)) : 0;
    bar.firstElementChild.setAttribute("width", Math.round(1000 * share) / 10);
    bar.classList.toggle("is-short", isShort(clock));
  }

  function drawLastCall() {
    const line = byId("last-call");
    line.hidden = !isShort(own());
    if (line.hidden) return;
    setText(line, lastCall());
    if (warnedOf === own().ends) return;
    warnedOf = own().ends;
    onShort(lastCall());
  }

  const whole = (clock) => Math.max(0, Math.ceil(left(clock)));

  function text(clock) {
    const seconds = whole(clock);
    const [, pattern] = words.faces.find(([least]) => seconds >= least);
    return fill(pattern, {
      days: Math.floor(seconds / DAY),
      hours: Math.floor((seconds % DAY) / HOUR),
      minutes: Math.floor((seconds % HOUR) / MINUTE),
      seconds: `${seconds % MINUTE}`.padStart(2, "0"),
    });
  }

  function lastCall() {
    const seconds = whole(own());
    if (!seconds) return words.time_is_up;
    const { view, you } = store.page;
    const [unit, pattern] = words.amounts.find(([length]) => seconds >= 2 * length) ?? [1, words.one_second];
    const time = fill(pattern, { count: Math.floor(seconds / unit) });
    return fill(words.last_calls[view.to_act.includes(you) ? view.phase : "answer"], { time });
  }

  // A browser lets the ticking of a hidden page run once a minute, but a single alarm on time.
  function setAlarm() {
    clearTimeout(alarm);
    const clock = own();
    if (clock?.ends) alarm = setTimeout(draw, 1000 * (left(clock) - words.short * clock.of));
  }

  // A clock that ran out and was not acted on was put back, or the news was lost.
  const isOverdue = () => store.page.seats.some(({ clock }) => clock?.ends && left(clock) < -ACTED_ON);

  return { draw, setAlarm, isOverdue };
}
