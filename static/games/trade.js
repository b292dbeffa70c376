// The trade sheet: what to give and get, to whom, and the bank's deals beside it.

import { byId, cards, fill, html, reconcile } from "./dom.js";
import { steppers } from "./sheets.js";

const MOST_ASKED = 19;
const DEALS_SHOWN = 5;

export function setUpTrade(store, act) {
  const sheet = byId("trade-sheet");
  const { rules, bank } = store.page.view;
  const names = [...Object.keys(bank), ...(rules.cards_in_trades ? store.phrases.cards : [])];
  const own = () => store.page.view.seats[store.page.you];
  const held = (name) => own().hand[name] ?? own().cards.filter(({ card }) => card === name).length;
  let answers = null;

  const gives = steppers(sheet.querySelector("[data-row=gives] .steppers"), names, {
    most: (name) => (gets?.chosen()[name] ? 0 : held(name)),
    outOf: held,
    onChange: () => draw(),
  });
  const gets = steppers(sheet.querySelector("[data-row=gets] .steppers"), names, {
    most: (name) => (gives.chosen()[name] ? 0 : MOST_ASKED),
    onChange: () => draw(),
  });

  function draw() {
    gives.draw();
    gets.draw();
    const mayOffer = answers === null ? "offer_trade" in store.page.view.moves : true;
    const complete = gives.total() > 0 && gets.total() > 0 && mayOffer && (answers !== null || chosenSeats().length > 0);
    byId("trade-title").textContent = answers === null ? "Trade" : "Counter-offer";
    byId("trade-to").hidden = answers !== null;
    byId("trade-offer").textContent = answers === null ? "Offer to players" : "Send counter-offer";
    byId("trade-offer").setAttribute("aria-disabled", !complete);
    byId("trade-note").textContent = mayOffer ? "" : (store.page.why_not.offer_trade ?? "");
    drawDeals();
  }

  // The bank's deals for what is wanted: those that take what is offered first, then the cheapest.
  function drawDeals() {
    const box = byId("bank-deals");
    const [give, get] = [Object.keys(gives.chosen()), Object.keys(gets.chosen())];
    const deals = (answers === null ? (store.page.view.moves.trade_with_bank ?? []) : [])
      .filter((deal) => !get.length || get.includes(deal.take))
      .sort((a, b) => give.includes(b.give) - give.includes(a.give) || a.paid - b.paid)
      .slice(0, DEALS_SHOWN);
    byId("bank-part").hidden = answers !== null;
    byId("bank-reason").textContent = deals.length ? "" : (store.page.why_not.trade_with_bank ?? "");
    const wanted = deals.map((deal) => [JSON.stringify(deal), deal]);
    // In their order, but anew only when they change: a redraw must not take a deal from under a finger or the focus.
    if (wanted.some(([key], place) => box.children[place]?.dataset.key !== key)) box.replaceChildren();
    reconcile(box, wanted, (deal) => {
      const trade = () => {
        sheet.close();
        act({ kind: "trade_with_bank", ...deal });
      };
      const label = fill(store.phrases.bank_deal, deal);
      return html("button", { type: "button", class: "deal", "aria-label": label, "data-give": deal.give, "data-take": deal.take, click: trade }, ...cards({ [deal.give]: deal.paid }), "→", ...cards({ [deal.take]: 1 }));
    });
  }

  const chosenSeats = () => [...byId("trade-to").querySelectorAll("input:checked")].map(({ value }) => Number(value)).sort();
  byId("trade-to").addEventListener("change", draw);

  byId("trade-offer").addEventListener("click", () => {
    if (byId("trade-offer").getAttribute("aria-disabled") === "true") return;
    sheet.close();
    const terms = { gives: gives.chosen(), gets: gets.chosen() };
    if (answers === null) act({ kind: "offer_trade", to: chosenSeats(), ...terms });
    else act({ kind: "counter_offer", offer: answers, ...terms });
  });

  // A counter-offer starts from the offer: what they give is what you get.
  function open(offer = null) {
    answers = offer ? offer.number : null;
    gives.set(offer ? mine(offer.gets) : {});
    gets.set(offer ? offer.gives : {});
    draw();
    if (!sheet.open) sheet.showModal();
  }

  const mine = (counts) => Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Math.min(count, held(name))]));

  // Time may be up while somebody still ponders: then there is nothing left to trade.
  function redraw() {
    const { moves } = store.page.view;
    const isPossible = answers === null ? "offer_trade" in moves || "trade_with_bank" in moves : moves.counter_offer?.some(({ offer }) => offer === answers);
    if (!sheet.open) return;
    if (isPossible) draw();
    else sheet.close();
  }

  return { open, redraw };
}
