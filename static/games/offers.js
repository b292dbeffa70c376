// The offers on the table: cards that are answered with one press.

import { byId, cards, html, reconcile } from "./dom.js";

const KINDS = ["confirm_trade", "accept_offer", "counter_offer", "reject_offer", "withdraw_offer"];
const RANKS = { confirm_trade: "button-primary", accept_offer: "button-primary", counter_offer: "button-secondary" };
const WORDS = { accept_offer: "Accept", reject_offer: "No", counter_offer: "Counter", withdraw_offer: "Withdraw" };

// `counter` opens the sheet in which an offer is answered with another.
export function setUpOffers(store, act, counter) {
  const box = byId("offers");

  function draw() {
    const { offers } = store.page.view;
    const focused = box.contains(document.activeElement);
    reconcile(box, offers.map((offer) => [`${offer.number}`, offer]), makeOffer);
    offers.forEach((offer, place) => drawAnswers(box.children[place], offer));
    box.hidden = offers.length === 0;
    // The answered offer is gone, and with it the button that was pressed.
    if (focused && !box.contains(document.activeElement)) byId("prompt").focus();
  }

  // What the server lets this player do about an offer.
  function choices({ number }) {
    const { choices: moves } = store.page.view;
    return KINDS.flatMap((kind) => (moves[kind] ?? []).filter((way) => way.offer === number).map((way) => ({ kind, ...way })));
  }

  function makeOffer(offer) {
    const { seats, offers } = store.page;
    const { name, colour } = seats[offer.maker];
    const title = offer.answers === null ? name : `${name}, counter-offer`;
    return html(
      "article",
      { class: `offer seat-${colour}`, "data-offer": offer.number, "aria-label": offers[offer.number] },
      html("header", {}, emblem(offer.maker), html("b", {}, title), html("span", { class: "answers" })),
      terms(offer),
      html("div", { class: "offer-buttons" }),
    );
  }

  // Who has answered changes while somebody is about to press a button, which must stay where it is.
  function drawAnswers(card, offer) {
    const answers = offer.to.map((seat) => [`${seat} ${offer.accepted.includes(seat)} ${offer.rejected.includes(seat)}`, seat]);
    reconcile(card.querySelector(".answers"), answers, (seat) => answer(offer, seat));
    reconcile(card.querySelector(".offer-buttons"), choices(offer).map((move) => [JSON.stringify(move), move]), (move) => button(move, offer));
  }

  const emblem = (seat) => html("span", { class: `log-seat seat-${store.page.seats[seat].colour}`, "aria-hidden": "true" }, store.page.seats[seat].emblem);

  function answer(offer, seat) {
    const { name } = store.page.seats[seat];
    const [sign, said] = offer.accepted.includes(seat) ? ["✓", "accepted"] : offer.rejected.includes(seat) ? ["✗", "said no"] : ["…", "has not answered"];
    const spoken = html("span", { class: "visually-hidden" }, `${name} ${said}`);
    const clock = sign === "…" && seat === store.page.you ? [answerClock(offer)] : [];
    return html("span", { class: "answer", title: `${name} ${said}` }, emblem(seat), ...clock, html("span", { "aria-hidden": "true" }, sign), spoken);
  }

  // How long this player has to answer; clocks.js keeps it running.
  function answerClock({ number }) {
    const face = byId("clock").cloneNode(true);
    face.removeAttribute("id");
    delete face.dataset.clock;
    face.dataset.answers = number;
    return face;
  }

  // Told from the side of whoever looks at it.
  function terms({ maker, to, gives, gets }) {
    const { you } = store.page;
    const part = (word, counts) => [html("span", {}, word), ...cards(counts)];
    if (maker === you) return html("p", { class: "terms" }, ...part("you give", gives), ...part("you get", gets));
    if (to.includes(you)) return html("p", { class: "terms" }, ...part("you give", gets), ...part("you get", gives));
    return html("p", { class: "terms" }, ...part("gives", gives), ...part("gets", gets));
  }

  function button(move, offer) {
    const click = () => (move.kind === "counter_offer" ? counter(offer) : act(move));
    const word = WORDS[move.kind] ?? `Trade with ${store.page.seats[move.partner].name}`;
    return html("button", { type: "button", class: `button ${RANKS[move.kind] ?? "button-quiet"}`, "data-kind": move.kind, "data-partner": move.partner, click }, word);
  }

  return draw;
}
