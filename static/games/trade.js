// The trade sheet: what to give and get, to whom, and the bank's deals beside it.

import { element, part, parts } from "../site/elements.js";
import { fill } from "../site/words.js";
import { cards, html, reconcile } from "./dom.js";
import { phrases } from "./phrases.js";
import { ownSeat } from "./seat.js";
import { steppers } from "./sheets.js";

/** @import { BankChoice, OfferCard } from "./page.d.ts" */
/** @import { Steppers } from "./sheets.js" */
/** @import { Act, OwnMove, OwnStore } from "./store.d.ts" */

const MOST_ASKED = 19;
const DEALS_SHOWN = 5;

/**
 * @param {OwnStore} store
 * @param {Act} act
 */
export function setUpTrade(store, act) {
  const sheet = element("trade-sheet", HTMLDialogElement);
  const partners = element("trade-to", HTMLFieldSetElement);
  const offerButton = element("trade-offer", HTMLButtonElement);
  const words = phrases.trades;
  const { rules, bank } = store.page;
  const names = [...Object.keys(bank), ...(rules.cards_in_trades ? phrases.cards : [])];
  /** @param {string} name */
  function held(name) {
    const { hand, cards: developments } = ownSeat(store.page);
    return hand[name] ?? developments.filter(({ card }) => card === name).length;
  }
  /**
   * Where anything is traded for anything, a resource may stand on both sides.
   * @param {string} name
   * @param {Steppers} otherSide
   */
  const isBarred = (name, otherSide) => rules.player_trades !== "anything" && name in otherSide.chosen();
  /**
   * The offer that is answered with another, if it is one.
   * @type {number | null}
   */
  let answers = null;

  const gives = steppers(part(sheet, "[data-row=gives] .steppers", HTMLElement), names, {
    most: (name) => (isBarred(name, gets) ? 0 : held(name)),
    isHeld: (name, counts) => counts[name] <= held(name),
    outOf: held,
    onChange: draw,
  });
  const gets = steppers(part(sheet, "[data-row=gets] .steppers", HTMLElement), names, {
    most: (name) => (isBarred(name, gives) ? 0 : MOST_ASKED),
    isHeld: () => true,
    onChange: draw,
  });

  function draw() {
    gives.fit();
    gets.draw();
    const missing = offerNote();
    element("trade-title", HTMLElement).textContent = answers === null ? words.offer_title : words.counter_title;
    partners.hidden = answers !== null;
    offerButton.textContent = answers === null ? words.offer_button : words.counter_button;
    offerButton.setAttribute("aria-disabled", `${Boolean(missing)}`);
    element("trade-note", HTMLElement).textContent = missing;
    drawDeals();
  }

  // What an offer to players still lacks.
  function offerNote() {
    if (answers === null && !("offer_trade" in store.page.choices)) return store.page.reasons.offer_trade;
    if (!gives.total() || !gets.total()) return words.choose_both;
    return answers === null && !chosenSeats().length ? words.choose_whom : "";
  }

  // The bank's deals for what is wanted: those that take what is offered first, then the cheapest.
  function drawDeals() {
    const [give, get] = [Object.keys(gives.chosen()), Object.keys(gets.chosen())];
    const deals = (answers === null ? (store.page.choices.trade_with_bank ?? []) : [])
      .filter((deal) => !get.length || get.includes(deal.take))
      .sort((a, b) => Number(give.includes(b.give)) - Number(give.includes(a.give)) || a.paid - b.paid)
      .slice(0, DEALS_SHOWN);
    element("bank-part", HTMLElement).hidden = answers !== null;
    element("bank-reason", HTMLElement).textContent = bankNote(give, get, deals);
    reconcile(element("bank-deals", HTMLElement), deals.map((deal) => [JSON.stringify(deal), deal]), makeDeal);
  }

  /** @param {BankChoice} deal */
  function makeDeal({ give, paid, take }) {
    const label = fill(words.bank_deal, { give: phrases.card_names[give], paid, take: phrases.card_names[take] });
    const click = () => send({ kind: "trade_with_bank", give, paid, take });
    return html("button", { type: "button", class: "deal", "aria-label": label, "data-give": give, "data-take": take, click }, ...cards({ [give]: paid }), "→", ...cards({ [take]: 1 }));
  }

  /**
   * Why the bank does not serve what has been chosen, and what to choose instead.
   * @param {string[]} give
   * @param {string[]} get
   * @param {BankChoice[]} deals that bring what is wanted
   */
  function bankNote(give, get, deals) {
    const { bank_notes: notes, reasons, choices } = store.page;
    if (!notes) return reasons.trade_with_bank;
    const [[paid], [take]] = [give, get];
    if (give.length > 1 || get.length > 1 || (paid && paid === take) || [...give, ...get].some((name) => !(name in bank))) return words.one_for_one;
    if (notes.take[take]) return notes.take[take];
    if (!paid || !take) return deals.length ? "" : words.one_for_one;
    const deal = choices.trade_with_bank?.find((each) => each.give === paid && each.take === take);
    if (deal?.paid !== gives.total()) return notes.give[paid];
    return gets.total() > 1 ? fill(words.one_card, { take: phrases.card_names[take] }) : "";
  }

  const chosenSeats = () => parts(partners, "input:checked", HTMLInputElement).map(({ value }) => Number(value)).sort();
  partners.addEventListener("change", draw);

  offerButton.addEventListener("click", () => {
    if (offerButton.getAttribute("aria-disabled") === "true") return;
    const terms = { gives: gives.chosen(), gets: gets.chosen() };
    if (answers === null) send({ kind: "offer_trade", to: chosenSeats(), ...terms });
    else send({ kind: "counter_offer", offer: answers, ...terms });
  });

  /**
   * The sheet goes away with its move, and comes back with what was chosen if the move was not played.
   * @param {OwnMove} move
   */
  async function send(move) {
    sheet.close();
    const isPlayed = await act(move);
    if (!isPlayed && isPossible()) show();
  }

  /**
   * A counter-offer starts from the offer: what they give is what you get.
   * @param {OfferCard} [offer]
   */
  function open(offer) {
    answers = offer?.number ?? null;
    gets.set(offer?.gives ?? {});
    gives.set(offer?.gets ?? {});
    show();
  }

  function show() {
    draw();
    if (!sheet.open) sheet.showModal();
  }

  function isPossible() {
    const { choices } = store.page;
    if (answers !== null) return choices.counter_offer?.some(({ offer }) => offer === answers) ?? false;
    return "offer_trade" in choices || "trade_with_bank" in choices;
  }

  // Time may be up while somebody still ponders: then there is nothing left to trade.
  function redraw() {
    if (!sheet.open) return;
    if (isPossible()) draw();
    else sheet.close();
  }

  return { open, redraw };
}
