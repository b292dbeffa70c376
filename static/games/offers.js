// The offers on the table: cards that are answered with one press.

import { element, part } from "../site/elements.js";
import { cards, html, reconcile, setText } from "./dom.js";

/** @import { Answer, OfferButton, OfferCard } from "./page.d.ts" */
/** @import { Act, Store } from "./store.d.ts" */

/** @type {Record<string, string>} */
const RANKS = { confirm_trade: "button button-primary", accept_offer: "button button-primary", counter_offer: "button button-secondary" };
export const SIGNS = { accepted: "✓", rejected: "✗", none: "…" };

/**
 * @param {Store} store
 * @param {Act} act
 * @param {(offer: OfferCard) => void} counter opens the tray in which an offer is answered with another
 */
export function setUpOffers(store, act, counter) {
  const box = element("offers", HTMLElement);
  const refuseAll = element("refuse-all", HTMLButtonElement);
  /**
   * The turn in which every offer is refused, and those that have been.
   * @type {number | null}
   */
  let refusedTurn = null;
  /** @type {Set<number>} */
  const refused = new Set();

  /** @param {OfferCard} offer */
  const refusal = ({ buttons }) => buttons.find(({ kind }) => kind === "reject_offer");

  refuseAll.addEventListener("click", () => {
    refusedTurn = store.page.turn;
    refuse();
  });

  function refuse() {
    if (refusedTurn !== store.page.turn) return;
    for (const offer of store.page.offers) {
      const no = refusal(offer);
      if (!no || refused.has(offer.number)) continue;
      refused.add(offer.number);
      act({ ...no.move, kind: no.kind });
    }
  }

  function draw() {
    const { offers, proposals, active, viewer } = store.page;
    refuse();
    refuseAll.hidden = active === viewer || !offers.some(refusal);
    const focused = box.contains(document.activeElement);
    reconcile(box, offers.map((offer) => [`${offer.number}`, offer]), makeOffer);
    offers.forEach((offer, place) => drawAnswers(box.children[place], offer));
    if (box.parentElement) box.parentElement.hidden = offers.length + proposals.length === 0;
    // The answered offer is gone, and with it the button that was pressed.
    if (focused && !box.contains(document.activeElement)) element("prompt", HTMLElement).focus();
  }

  /** @param {OfferCard} offer */
  function makeOffer(offer) {
    return html(
      "article",
      { class: `offer seat-${store.page.seats[offer.maker].colour}`, "data-offer": offer.number, "aria-label": offer.words },
      html("header", {}, emblem(offer.maker), html("b", {}, offer.title), html("span", { class: "answers" })),
      terms(offer),
      html("p", { class: "offer-missing" }),
      html("div", { class: "offer-buttons" }),
    );
  }

  /**
   * Who has answered changes while somebody is about to press a button, which must stay where it is.
   * @param {Element} card
   * @param {OfferCard} offer
   */
  function drawAnswers(card, offer) {
    const answers = part(card, ".answers", HTMLElement);
    const buttons = part(card, ".offer-buttons", HTMLElement);
    card.classList.toggle("is-beyond-means", Boolean(offer.missing));
    setText(part(card, ".offer-missing", HTMLElement), offer.missing);
    reconcile(answers, offer.said.map((said) => [`${said.seat} ${said.answer}`, said]), (said) => makeAnswer(said, offer));
    reconcile(buttons, offer.buttons.map((button) => [JSON.stringify(button.move), button]), (button) => makeButton(button, offer));
  }

  /** @param {number} seat */
  const emblem = (seat) => html("span", { class: `log-seat seat-${store.page.seats[seat].colour}`, "aria-hidden": "true" }, store.page.seats[seat].emblem);

  /**
   * @param {Answer} said
   * @param {OfferCard} offer
   */
  function makeAnswer({ seat, answer, words }, offer) {
    const spoken = html("span", { class: "visually-hidden" }, words);
    const clock = answer === "none" && seat === store.page.viewer ? [answerClock(offer)] : [];
    return html("span", { class: "answer", "data-explain": words }, emblem(seat), ...clock, html("span", { "aria-hidden": "true" }, SIGNS[answer]), spoken);
  }

  /**
   * How long this player has to answer; clocks.js keeps it running.
   * @param {OfferCard} offer
   */
  function answerClock({ number }) {
    const face = document.importNode(element("clock", HTMLElement), true);
    face.removeAttribute("id");
    delete face.dataset.clock;
    face.dataset.answers = `${number}`;
    return face;
  }

  /** @param {OfferCard} offer */
  const terms = ({ terms: { gives, given, gets, got } }) =>
    html("p", { class: "terms" }, html("span", {}, gives), ...cards(given), html("span", {}, gets), ...cards(got));

  /**
   * @param {OfferButton} button
   * @param {OfferCard} offer
   */
  function makeButton({ kind, words, move }, offer) {
    const click = () => (kind === "counter_offer" ? counter(offer) : act({ ...move, kind }));
    const partner = "partner" in move ? `${move.partner}` : null;
    return html("button", { type: "button", class: RANKS[kind] ?? "button button-quiet", "data-kind": kind, "data-partner": partner, click }, words);
  }

  return draw;
}
