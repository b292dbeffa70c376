// The sheets that ask for cards or a player: discarding, Year of Plenty, Monopoly, the robber's victim.

import { byId, card, fill, html, reconcile } from "./dom.js";

// A row of cards, each with − and +. `most` says how far a count may grow, `isHeld` whether it can stay as it is.
export function steppers(row, names, words, { most, isHeld, outOf, onChange }) {
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  const parts = names.map((name) => {
    const label = { card: words.card_names[name] };
    const less = html("button", { type: "button", class: "step", "aria-label": fill(words.trades.less, label), click: () => change(name, -1) }, "−");
    const more = html("button", { type: "button", class: "step", "aria-label": fill(words.trades.more, label), click: () => change(name, 1) }, "+");
    const number = html("output", {}, "0");
    const held = html("small", {});
    const count = html("span", { class: "stepper-count" }, number, held);
    return { name, less, more, number, held, element: html("div", { class: "stepper", "data-name": name }, less, card(name), count, more) };
  });
  row.replaceChildren(...parts.map(({ element }) => element));

  function change(name, by) {
    const next = counts[name] + by;
    if (next < 0 || next > most(name, counts)) return;
    counts[name] = next;
    onChange();
    draw();
  }

  function draw() {
    for (const { name, less, more, number, held } of parts) {
      number.textContent = counts[name];
      held.textContent = outOf ? fill(words.trades.out_of, { held: outOf(name) }) : "";
      less.setAttribute("aria-disabled", counts[name] === 0);
      more.setAttribute("aria-disabled", counts[name] >= most(name, counts));
    }
  }

  function set(wanted) {
    for (const name of names) counts[name] = wanted[name] ?? 0;
    draw();
  }

  // Whatever has happened meanwhile, what was chosen stays as far as it can.
  function fit() {
    for (const name of names) while (counts[name] > 0 && !isHeld(name, counts)) counts[name] -= 1;
    draw();
  }

  return { draw, fit, set, total: () => sum(counts), chosen: () => Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) };
}

export const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

const SHEETS = { discard: "discard-sheet", play_year_of_plenty: "plenty-sheet", play_monopoly: "monopoly-sheet", steal: "steal-sheet" };

export function setUpSheets(store, act) {
  for (const sheet of document.querySelectorAll("dialog.sheet")) {
    sheet.querySelector("[data-close]").addEventListener("click", () => sheet.close());
  }
  const words = store.phrases.trades;
  const names = Object.keys(store.page.bank);
  const hand = () => store.page.seats[store.page.viewer].hand;

  const discard = steppers(byId("discard-sheet").querySelector(".steppers"), names, store.phrases, {
    most: (name, counts) => Math.min(hand()[name], counts[name] + owed() - sum(counts)),
    isHeld: (name, counts) => counts[name] <= hand()[name] && sum(counts) <= owed(),
    outOf: (name) => hand()[name],
    onChange: () => drawDiscard(),
  });
  const owed = () => store.page.choices.discard?.count ?? 0;
  function drawDiscard() {
    discard.fit();
    byId("discard-title").textContent = fill(words.discard_title, { count: owed() });
    byId("discard-note").textContent = fill(words.discard_chosen, { chosen: discard.total(), count: owed() });
    byId("discard-yes").setAttribute("aria-disabled", discard.total() !== owed());
  }
  byId("discard-yes").addEventListener("click", () => {
    if (discard.total() === owed()) send({ kind: "discard", resources: discard.chosen() });
  });

  const ways = () => (store.page.choices.play_year_of_plenty ?? []).map((way) => way.resources);
  // Whatever leads to one of the ways the server lists may be chosen.
  const plenty = steppers(byId("plenty-sheet").querySelector(".steppers"), names, store.phrases, {
    most: (name, counts) => (ways().some((way) => names.every((other) => (way[other] ?? 0) >= counts[other] + (other === name))) ? 2 : counts[name]),
    isHeld: (name, counts) => ways().some((way) => (way[name] ?? 0) >= counts[name]),
    onChange: () => drawPlenty(),
  });
  const isWay = () => ways().some((way) => names.every((name) => (way[name] ?? 0) === (plenty.chosen()[name] ?? 0)));
  function drawPlenty() {
    plenty.fit();
    byId("plenty-yes").setAttribute("aria-disabled", !isWay());
  }
  byId("plenty-yes").addEventListener("click", () => {
    if (isWay()) send({ kind: "play_year_of_plenty", resources: plenty.chosen() });
  });

  for (const pick of byId("monopoly-sheet").querySelectorAll("[data-resource]")) {
    pick.addEventListener("click", () => send({ kind: "play_monopoly", resource: pick.dataset.resource }));
  }

  function drawVictims() {
    reconcile(byId("steal-picks"), store.page.victims.map((each) => [JSON.stringify(each), each]), makeVictim);
  }

  function makeVictim({ seat: victim, words: holding }) {
    const { name, colour, emblem } = store.page.seats[victim];
    const parts = [html("span", { class: `log-seat seat-${colour}`, "aria-hidden": "true" }, emblem), html("span", {}, name), html("small", {}, holding)];
    return html("button", { type: "button", class: "pick", "data-victim": victim, click: () => send({ kind: "steal", victim }) }, ...parts);
  }

  const draws = { discard: drawDiscard, play_year_of_plenty: drawPlenty, steal: drawVictims };

  function show(kind) {
    draws[kind]?.();
    if (!byId(SHEETS[kind]).open) byId(SHEETS[kind]).showModal();
  }

  // A sheet goes away with its move, and comes back with what was chosen if the move was not played.
  async function send(move) {
    byId(SHEETS[move.kind]).close();
    const isPlayed = await act(move);
    if (!isPlayed && move.kind in store.page.choices) show(move.kind);
  }

  return {
    open(kind) {
      if (kind === "play_year_of_plenty") plenty.set({});
      show(kind);
    },
    // A sheet stays while what it asks for is asked, whatever others do meanwhile.
    redraw() {
      const { choices } = store.page;
      for (const [kind, id] of Object.entries(SHEETS)) {
        if (kind in choices) draws[kind]?.();
        else if (byId(id).open) byId(id).close();
      }
      if (!("discard" in choices)) discard.set({});
    },
  };
}
