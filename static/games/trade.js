// The trade sheet: what to give and get, to whom, and the bank's deals beside it.

import { byId, cards, fill, html, reconcile } from "./dom.js";
import { steppers } from "./sheets.js";

const MOST_ASKED = 19;
const DEALS_SHOWN = 5;

export function setUpTrade(store, act) {
  const sheet = byId("trade-sheet");
  const words = store.phrases.trades;
  const { rules, bank } = store.page;
  const names = [...Object.keys(bank), ...(rules.cards_in_trades ? store.phrases.cards : [])];
  const own = () => store.page.seats[store.page.viewer];
  const held = (name) => own().hand[name] ?? own().cards.filter(({ card }) => card === name).length;
  // Where anything is traded for anything, a resource may stand on both sides.
  const isBarred = (name, otherSide) => rules.player_trades !== "anything" && otherSide.chosen()[name];
  let answers = null;

  const gives = steppers(sheet.querySelector("[data-row=gives] .steppers"), names, store.phrases, {
    most: (name) => (isBarred(name, gets) ? 0 : held(name)),
    isHeld: (name, counts) => counts[name] <= held(name),
    outOf: held,
    onChange: () => draw(),
  });
  const gets = steppers(sheet.querySelector("[data-row=gets] .steppers"), names, store.phrases, {
    most: (name) => (isBarred(name, gives) ? 0 : MOST_ASKED),
    isHeld: () => true,
    onChange: () => draw(),
  });

  function draw() {
    gives.fit();
    gets.draw();
    const missing = offerNote();
    byId("trade-title").textContent = answers === null ? words.offer_title : words.counter_title;
    byId("trade-to").hidden = answers !== null;
    byId("trade-offer").textContent = answers === null ? words.offer_button : words.counter_button;
    byId("trade-offer").setAttribute("aria-disabled", Boolean(missing));
    byId("trade-note").textContent = missing;
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
      .sort((a, b) => give.includes(b.give) - give.includes(a.give) || a.paid - b.paid)
      .slice(0, DEALS_SHOWN);
    byId("bank-part").hidden = answers !== null;
    byId("bank-reason").textContent = bankNote(give, get, deals);
    reconcile(byId("bank-deals"), deals.map((deal) => [JSON.stringify(deal), deal]), (deal) => {
      const trade = () => send({ kind: "trade_with_bank", ...deal });
      const label = fill(words.bank_deal, deal);
      return html("button", { type: "button", class: "deal", "aria-label": label, "data-give": deal.give, "data-take": deal.take, click: trade }, ...cards({ [deal.give]: deal.paid }), "→", ...cards({ [deal.take]: 1 }));
    });
  }

  // Why the bank does not serve what has been chosen, and what to choose instead.
  function bankNote(give, get, deals) {
    const { bank_notes: notes, reasons, choices } = store.page;
    if (!notes) return reasons.trade_with_bank;
    const [[paid], [take]] = [give, get];
    if (give.length > 1 || get.length > 1 || (paid && paid === take) || [...give, ...get].some((name) => !(name in bank))) return words.one_for_one;
    if (notes.take[take]) return notes.take[take];
    if (!paid || !take) return deals.length ? "" : words.one_for_one;
    const deal = choices.trade_with_bank.find((each) => each.give === paid && each.take === take);
    if (deal?.paid !== gives.total()) return notes.give[paid];
    return gets.total() > 1 ? fill(words.one_card, { take }) : "";
  }

  const chosenSeats = () => [...byId("trade-to").querySelectorAll("input:checked")].map(({ value }) => Number(value)).sort();
  byId("trade-to").addEventListener("change", draw);

  byId("trade-offer").addEventListener("click", () => {
    if (byId("trade-offer").getAttribute("aria-disabled") === "true") return;
    const terms = { gives: gives.chosen(), gets: gets.chosen() };
    if (answers === null) send({ kind: "offer_trade", to: chosenSeats(), ...terms });
    else send({ kind: "counter_offer", offer: answers, ...terms });
  });

  // The sheet goes away with its move, and comes back with what was chosen if the move was not played.
  async function send(move) {
    sheet.close();
    const isPlayed = await act(move);
    if (!isPlayed && isPossible()) show();
  }

  // A counter-offer starts from the offer: what they give is what you get.
  function open(offer = null) {
    answers = offer ? offer.number : null;
    gets.set(offer ? offer.gives : {});
    gives.set(offer ? offer.gets : {});
    show();
  }

  function show() {
    draw();
    if (!sheet.open) sheet.showModal();
  }

  function isPossible() {
    const { choices } = store.page;
    if (answers !== null) return choices.counter_offer?.some(({ offer }) => offer === answers);
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
