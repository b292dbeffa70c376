// The offers on the table: cards that are answered with one press.

import { byId, cards, html, reconcile } from "./dom.js";

/** @typedef {import("./page.d.ts").OfferCard} OfferCard */

/** @type {Record<string, string>} */
const RANKS = { confirm_trade: "button-primary", accept_offer: "button-primary", counter_offer: "button-secondary" };
const SIGNS = { accepted: "✓", rejected: "✗", none: "…" };

// `counter` opens the sheet in which an offer is answered with another.
export function setUpOffers(store, act, counter) {
  const box = byId("offers");

  function draw() {
    const { offers } = store.page;
    const focused = box.contains(document.activeElement);
    reconcile(box, offers.map((offer) => [`${offer.number}`, offer]), makeOffer);
    offers.forEach((offer, place) => drawAnswers(box.children[place], offer));
    box.hidden = offers.length === 0;
    // The answered offer is gone, and with it the button that was pressed.
    if (focused && !box.contains(document.activeElement)) byId("prompt").focus();
  }

  /** @param {OfferCard} offer */
  function makeOffer(offer) {
    return html(
      "article",
      { class: `offer seat-${store.page.seats[offer.maker].colour}`, "data-offer": offer.number, "aria-label": offer.words },
      html("header", {}, emblem(offer.maker), html("b", {}, offer.title), html("span", { class: "answers" })),
      terms(offer),
      html("div", { class: "offer-buttons" }),
    );
  }

  // Who has answered changes while somebody is about to press a button, which must stay where it is.
  function drawAnswers(card, offer) {
    reconcile(card.querySelector(".answers"), offer.said.map((said) => [`${said.seat} ${said.answer}`, said]), (said) => answer(offer, said));
    reconcile(card.querySelector(".offer-buttons"), offer.buttons.map((button) => [JSON.stringify(button.move), button]), (each) => makeButton(each, offer));
  }

  const emblem = (seat) => html("span", { class: `log-seat seat-${store.page.seats[seat].colour}`, "aria-hidden": "true" }, store.page.seats[seat].emblem);

  function answer(offer, { seat, answer: given, words }) {
    const spoken = html("span", { class: "visually-hidden" }, words);
    const clock = given === "none" && seat === store.page.viewer ? [answerClock(offer)] : [];
    return html("span", { class: "answer", title: words }, emblem(seat), ...clock, html("span", { "aria-hidden": "true" }, SIGNS[given]), spoken);
  }

  // How long this player has to answer; clocks.js keeps it running.
  function answerClock({ number }) {
    const face = byId("clock").cloneNode(true);
    face.removeAttribute("id");
    delete face.dataset.clock;
    face.dataset.answers = number;
    return face;
  }

  /** @param {OfferCard} offer */
  const terms = ({ terms: { gives, given, gets, got } }) =>
    html("p", { class: "terms" }, html("span", {}, gives), ...cards(given), html("span", {}, gets), ...cards(got));

  function makeButton({ kind, words, move }, offer) {
    const click = () => (kind === "counter_offer" ? counter(offer) : act(move));
    return html("button", { type: "button", class: `button ${RANKS[kind] ?? "button-quiet"}`, "data-kind": kind, "data-partner": move.partner, click }, words);
  }

  return draw;
}
