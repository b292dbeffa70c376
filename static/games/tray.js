// The tray: cards of the hand to give, cards of the bank to get. Offers and counter-offers, trades with the bank, discards
// and Year of Plenty are put together here, in sight of the board.

import { element, part, parts } from "../site/elements.js";
import { fill } from "../site/words.js";
import { card, cards, html, reconcile, setText } from "./dom.js";
import { phrases } from "./phrases.js";
import { ownSeat } from "./seat.js";

/** @import { OfferCard } from "./page.d.ts" */
/** @import { Act, Laid, OwnMove, OwnStore } from "./store.d.ts" */

/** @typedef {Record<string, number>} Counts of cards, by their names; none is not counted */

/**
 * What the tray is open for.
 * @typedef {object} Purpose
 * @property {() => string} title
 * @property {string} button
 * @property {() => boolean} isPossible
 * @property {(name: string) => string} cannotGive why one more is not given
 * @property {(name: string) => string} cannotGet why one more is not got
 * @property {() => string} lacks what is missing before it can be sent
 * @property {() => OwnMove} move
 */

// More of a resource than there are cards of it is never asked for.
const MOST_ASKED = 19;

/** @param {Counts} counts */
const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

/**
 * @param {OwnStore} store
 * @param {Act} act
 */
export function setUpTray(store, act) {
  const game = element("game", HTMLElement);
  const tray = element("tray", HTMLElement);
  const partners = element("tray-to", HTMLFieldSetElement);
  const sendButton = element("tray-send", HTMLButtonElement);
  const bankButton = element("tray-bank", HTMLButtonElement);
  const handCards = parts(document, ".hand-card", HTMLElement);
  const bankCards = parts(tray, ".bank-card", HTMLButtonElement);
  const words = phrases.trades;
  const { rules, bank } = store.page;

  /** @type {string | null} */
  let purpose = null;
  /**
   * The offer that is answered with another, if it is one.
   * @type {number | null}
   */
  let answers = null;
  /** @type {Counts} */
  let gives = {};
  /** @type {Counts} */
  let gets = {};
  // Why the last press changed nothing.
  let note = "";
  // Whether what was chosen is on its way, and is not asked for again before the answer.
  let isSent = false;

  /** @param {string} name */
  function held(name) {
    const { hand, cards: developments } = ownSeat(store.page);
    return hand[name] ?? developments.filter(({ card: kind }) => kind === name).length;
  }

  /**
   * @param {string} sentence
   * @param {string} name
   */
  const about = (sentence, name) => fill(sentence, { card: phrases.card_names[name], held: held(name) });

  /** @param {string} name */
  function allGiven(name) {
    if ((gives[name] ?? 0) < held(name)) return "";
    return about(held(name) ? words.all_given : words.none_held, name);
  }

  /**
   * Where anything is traded for anything, a resource may stand on both sides.
   * @param {string} name
   * @param {Counts} otherSide
   */
  const onBothSides = (name, otherSide) => (rules.player_trades !== "anything" && name in otherSide ? about(words.both_sides, name) : "");

  const owed = () => store.page.choices.discard?.count ?? 0;
  const ways = () => (store.page.choices.play_year_of_plenty ?? []).map(({ resources }) => resources);
  const taken = () => Math.max(...ways().map(sum));

  const terms = {
    cannotGive: (/** @type {string} */ name) => onBothSides(name, gets) || allGiven(name),
    cannotGet: (/** @type {string} */ name) => onBothSides(name, gives) || (gets[name] === MOST_ASKED ? about(words.no_more, name) : ""),
  };

  /** @type {Record<string, Purpose>} */
  const purposes = {
    offer_trade: {
      ...terms,
      title: () => words.offer_title,
      button: words.offer_button,
      isPossible: () => "offer_trade" in store.page.choices || "trade_with_bank" in store.page.choices,
      lacks() {
        if (!sum(gives) || !sum(gets)) return words.choose_both;
        if (!("offer_trade" in store.page.choices)) return store.page.reasons.offer_trade;
        return chosenSeats().length ? "" : words.choose_whom;
      },
      move: () => ({ kind: "offer_trade", to: chosenSeats(), gives, gets }),
    },
    counter_offer: {
      ...terms,
      title: () => words.counter_title,
      button: words.counter_button,
      isPossible: () => store.page.choices.counter_offer?.some(({ offer }) => offer === answers) ?? false,
      lacks: () => (sum(gives) && sum(gets) ? "" : words.choose_both),
      move: () => ({ kind: "counter_offer", offer: answers, gives, gets }),
    },
    discard: {
      title: () => fill(words.discard_title, { count: owed() }),
      button: words.discard_button,
      isPossible: () => "discard" in store.page.choices,
      cannotGive: (name) => (sum(gives) < owed() ? allGiven(name) : fill(words.all_chosen, { count: owed() })),
      cannotGet: () => "",
      lacks: () => (sum(gives) === owed() ? "" : fill(words.discard_chosen, { chosen: sum(gives), count: owed() })),
      move: () => ({ kind: "discard", resources: gives }),
    },
    play_year_of_plenty: {
      title: () => words.plenty_title,
      button: words.plenty_button,
      isPossible: () => "play_year_of_plenty" in store.page.choices,
      cannotGive: () => words.plenty_only_gets,
      // Whatever leads to one of the ways the server lists may be chosen.
      cannotGet(name) {
        if (sum(gets) === taken()) return fill(words.all_chosen, { count: taken() });
        const wanted = { ...gets, [name]: (gets[name] ?? 0) + 1 };
        const isServed = ways().some((way) => Object.entries(wanted).every(([each, count]) => (way[each] ?? 0) >= count));
        return isServed ? "" : about(words.no_more, name);
      },
      lacks: () => (sum(gets) === taken() ? "" : fill(words.plenty_chosen, { chosen: sum(gets), count: taken() })),
      move: () => ({ kind: "play_year_of_plenty", resources: gets }),
    },
  };
  const current = () => (purpose === null ? null : purposes[purpose]);

  // What is pressed

  /**
   * @param {Counts} counts
   * @param {string} name
   * @param {string | undefined} obstacle
   */
  function choose(counts, name, obstacle) {
    note = obstacle ?? "";
    if (!note) counts[name] = (counts[name] ?? 0) + 1;
    draw();
  }

  /**
   * @param {Counts} counts
   * @param {string} name
   */
  function takeBack(counts, name) {
    counts[name] -= 1;
    if (!counts[name]) delete counts[name];
  }

  for (const button of bankCards) {
    const { get = "" } = button.dataset;
    button.addEventListener("click", () => choose(gets, get, current()?.cannotGet(get)));
  }
  const chosenSeats = () => parts(partners, "input:checked", HTMLInputElement).map(({ value }) => Number(value)).sort();
  partners.addEventListener("change", draw);
  element("tray-close", HTMLButtonElement).addEventListener("click", close);

  sendButton.addEventListener("click", () => {
    const asked = current();
    if (asked && !asked.lacks()) send(asked.move());
  });

  bankButton.addEventListener("click", () => {
    const deal = bankDeal();
    note = deal ? "" : bankNote();
    if (deal) send({ kind: "trade_with_bank", ...deal });
    else draw();
  });

  // The bank

  // The bank's deal for what was chosen. Its rate is its own: one card that is given stands for all it asks.
  function bankDeal() {
    const [[give], [take]] = [Object.keys(gives), Object.keys(gets)];
    const deal = store.page.choices.trade_with_bank?.find((each) => each.give === give && each.take === take);
    return deal && gives[give] <= deal.paid && sum(gives) === gives[give] && sum(gets) === 1 ? deal : null;
  }

  // Why the bank does not serve what has been chosen, and what to choose instead.
  function bankNote() {
    const { bank_notes: notes, reasons } = store.page;
    if (!notes) return reasons.trade_with_bank;
    const [[give, otherGive], [take, otherTake]] = [Object.keys(gives), Object.keys(gets)];
    if (otherGive || otherTake || !(give in bank) || !(take in bank) || give === take) return words.one_for_one;
    if (notes.take[take]) return notes.take[take];
    return gets[take] > 1 ? about(words.one_card, take) : notes.give[give];
  }

  // What is shown

  // Whatever has happened meanwhile, what was chosen stays as far as it can.
  function fit() {
    for (const name of Object.keys(gives)) while (gives[name] > held(name)) takeBack(gives, name);
  }

  function draw() {
    const asked = current();
    tray.hidden = !asked;
    game.dataset.tray = purpose ?? "";
    drawHand();
    if (!asked) return;
    setText(element("tray-title", HTMLElement), asked.title());
    setText(sendButton, asked.button);
    const lacks = asked.lacks();
    sendButton.setAttribute("aria-disabled", `${Boolean(lacks)}`);
    setText(element("tray-note", HTMLElement), note || lacks);
    drawSide("gives", gives, drawn(gives));
    drawSide("gets", gets, drawn(gets));
    for (const button of bankCards) button.classList.toggle("is-chosen", `${button.dataset.get}` in gets);
    drawBankButton();
  }

  function drawHand() {
    const { hand, rates } = ownSeat(store.page);
    for (const row of handCards) {
      const { resource = "" } = row.dataset;
      const left = hand[resource] - (gives[resource] ?? 0);
      setText(part(row, "b", HTMLElement), left);
      setText(part(row, ".rate", HTMLElement), rates ? fill(words.rate, { rate: rates[resource] }) : "");
      row.classList.toggle("is-none", left === 0);
      row.classList.toggle("is-chosen", resource in gives);
    }
  }

  /**
   * In the order of the hand, whatever was pressed first.
   * @param {Counts} counts
   * @returns {[string, number][]}
   */
  const drawn = (counts) => [...Object.keys(bank), ...phrases.cards].filter((name) => name in counts).map((name) => [name, counts[name]]);

  /**
   * @param {"gives" | "gets"} side
   * @param {Counts} counts
   * @param {[string, number][]} shown
   */
  function drawSide(side, counts, shown) {
    const row = part(tray, `[data-row=${side}]`, HTMLElement);
    reconcile(row, shown, () => html("button", { type: "button", class: "chip" }));
    shown.forEach(([name, count], place) => drawChip(/** @type {HTMLElement} */ (row.children[place]), counts, name, count));
  }

  /**
   * A chip stays the same while it is pressed more than once.
   * @param {HTMLElement} chip
   * @param {Counts} counts
   * @param {string} name
   * @param {number} count
   */
  function drawChip(chip, counts, name, count) {
    if (!chip.firstChild) {
      chip.append(card(name), html("b", {}));
      chip.dataset.name = name;
    }
    chip.onclick = () => {
      takeBack(counts, name);
      note = "";
      draw();
    };
    chip.setAttribute("aria-label", fill(words.take_back, { count, card: phrases.card_names[name] }));
    setText(part(chip, "b", HTMLElement), count);
  }

  function drawBankButton() {
    const deal = bankDeal();
    const key = JSON.stringify(deal);
    bankButton.setAttribute("aria-disabled", `${!deal}`);
    if (bankButton.dataset.deal === key) return;
    bankButton.dataset.deal = key;
    const shown = deal ? [...cards({ [deal.give]: deal.paid }), words.becomes, ...cards({ [deal.take]: 1 })] : [];
    bankButton.replaceChildren(html("span", {}, words.bank), html("span", { class: "deal" }, ...shown));
    if (deal) bankButton.setAttribute("aria-label", fill(words.bank_deal, { give: phrases.card_names[deal.give], paid: deal.paid, take: phrases.card_names[deal.take] }));
    else bankButton.removeAttribute("aria-label");
  }

  // Open and away

  /**
   * @param {string} kind
   * @param {OfferCard} [offer] that is answered: a counter-offer starts from it, what they give is what you get
   */
  function open(kind, offer) {
    const focused = element("actions", HTMLElement).contains(document.activeElement);
    [purpose, answers, note] = [kind, offer?.number ?? null, ""];
    [gives, gets] = [{ ...offer?.gets }, { ...offer?.gives }];
    // An offer is for everybody until somebody is left out.
    for (const box of parts(partners, "input", HTMLInputElement)) box.checked = true;
    fit();
    draw();
    // The button that was pressed has made room.
    if (focused) tray.focus();
  }

  function close() {
    const focused = tray.contains(document.activeElement);
    [purpose, answers, note, gives, gets] = [null, null, "", {}, {}];
    draw();
    if (focused) element("prompt", HTMLElement).focus();
  }

  /**
   * The tray goes away with its move, and comes back with what was chosen if the move was not played.
   * @param {OwnMove} move
   */
  async function send(move) {
    const before = { purpose, answers, gives, gets };
    close();
    isSent = true;
    const isPlayed = await act(move);
    isSent = false;
    if (!isPlayed && purpose === null) ({ purpose, answers, gives, gets } = before);
    redraw();
  }

  // Time may be up while somebody still ponders: then there is nothing left to choose.
  function redraw() {
    if (purpose !== "discard" && purposes.discard.isPossible() && !isSent) open("discard");
    else if (purpose !== null && !current()?.isPossible()) close();
    fit();
    draw();
  }

  return {
    open,
    redraw,
    /**
     * Lays out what a move consists of, for the player to send; tells whether it is one that is put together here.
     * @param {Laid} move
     */
    lay({ kind, offer, to, ...said }) {
      const isBank = kind === "trade_with_bank";
      if (!isBank && !(kind in purposes)) return false;
      open(isBank ? "offer_trade" : kind);
      answers = offer ?? null;
      gives = { ...(said.give ? { [said.give]: said.paid ?? 0 } : kind === "discard" ? said.resources : said.gives) };
      gets = { ...(said.take ? { [said.take]: 1 } : kind === "discard" ? {} : said.gets ?? said.resources) };
      for (const box of parts(partners, "input", HTMLInputElement)) box.checked = to?.includes(Number(box.value)) ?? true;
      draw();
      (isBank ? bankButton : sendButton).focus();
      return true;
    },
    /** @param {string} kind */
    toggle: (kind) => (purpose === kind ? close() : open(kind)),
    /** Nobody puts a discard away. */
    putAway: () => purpose !== null && purpose !== "discard" && close(),
    isOpen: () => purpose !== null,
    /**
     * Whether a kind of move is put together here.
     * @param {string} kind
     */
    has: (kind) => kind in purposes,
    /**
     * Gives a card of the hand, if there is anything to give it for; tells whether there is.
     * @param {string} name
     */
    give(name) {
      if (purpose === null && purposes.offer_trade.isPossible()) open("offer_trade");
      if (purpose === null) return false;
      choose(gives, name, current()?.cannotGive(name));
      return true;
    },
    /** Whether a development card is given when it is pressed, and not played. */
    takesDevelopments: () => rules.cards_in_trades && (purpose === "offer_trade" || purpose === "counter_offer"),
  };
}
