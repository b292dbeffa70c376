// The sheets that ask for cards or a player: discarding, Year of Plenty, Monopoly, the robber's victim.

import { byId, card, html } from "./dom.js";

// A row of cards, each with − and +.
export function steppers(row, names, { most, outOf, onChange }) {
  const counts = Object.fromEntries(names.map((name) => [name, 0]));
  const parts = names.map((name) => {
    const label = name.replaceAll("_", " ");
    const less = html("button", { type: "button", class: "step", "aria-label": `Less ${label}`, click: () => change(name, -1) }, "−");
    const more = html("button", { type: "button", class: "step", "aria-label": `More ${label}`, click: () => change(name, 1) }, "+");
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
      held.textContent = outOf ? ` of ${outOf(name)}` : "";
      less.setAttribute("aria-disabled", counts[name] === 0);
      more.setAttribute("aria-disabled", counts[name] >= most(name, counts));
    }
  }

  function set(wanted) {
    for (const name of names) counts[name] = wanted[name] ?? 0;
    draw();
  }

  return { draw, set, total: () => sum(counts), chosen: () => Object.fromEntries(Object.entries(counts).filter(([, count]) => count)) };
}

export const sum = (counts) => Object.values(counts).reduce((total, count) => total + count, 0);

export function setUpSheets(store, act) {
  for (const sheet of document.querySelectorAll("dialog.sheet")) {
    sheet.querySelector("[data-close]").addEventListener("click", () => sheet.close());
  }
  const names = Object.keys(store.page.view.bank);
  const hand = () => store.page.view.seats[store.page.you].hand;

  const discard = steppers(byId("discard-sheet").querySelector(".steppers"), names, {
    most: (name, counts) => Math.min(hand()[name], counts[name] + owed() - sum(counts)),
    outOf: (name) => hand()[name],
    onChange: () => drawDiscard(),
  });
  const owed = () => store.page.view.moves.discard?.count ?? 0;
  function drawDiscard() {
    discard.draw();
    byId("discard-title").textContent = `Discard ${owed()} of your cards`;
    byId("discard-note").textContent = `${discard.total()} of ${owed()} chosen`;
    byId("discard-yes").setAttribute("aria-disabled", discard.total() !== owed());
  }
  byId("discard-yes").addEventListener("click", () => {
    if (discard.total() !== owed()) return;
    byId("discard-sheet").close();
    act({ kind: "discard", resources: discard.chosen() });
  });

  const ways = () => (store.page.view.moves.play_year_of_plenty ?? []).map((way) => way.resources);
  // Whatever leads to one of the ways the server lists may be chosen.
  const plenty = steppers(byId("plenty-sheet").querySelector(".steppers"), names, {
    most: (name, counts) => (ways().some((way) => names.every((other) => (way[other] ?? 0) >= counts[other] + (other === name))) ? 2 : counts[name]),
    onChange: () => byId("plenty-yes").setAttribute("aria-disabled", !isWay()),
  });
  const isWay = () => ways().some((way) => names.every((name) => (way[name] ?? 0) === (plenty.chosen()[name] ?? 0)));
  byId("plenty-yes").addEventListener("click", () => {
    if (!isWay()) return;
    byId("plenty-sheet").close();
    act({ kind: "play_year_of_plenty", resources: plenty.chosen() });
  });

  for (const pick of byId("monopoly-sheet").querySelectorAll("[data-resource]")) {
    pick.addEventListener("click", () => {
      byId("monopoly-sheet").close();
      act({ kind: "play_monopoly", resource: pick.dataset.resource });
    });
  }

  function drawVictims() {
    const picks = (store.page.view.moves.steal ?? []).map(({ victim }) => {
      const { name, colour, emblem } = store.page.seats[victim];
      const held = store.page.view.seats[victim].hand_size;
      const take = () => {
        byId("steal-sheet").close();
        act({ kind: "steal", victim });
      };
      const parts = [html("span", { class: `log-seat seat-${colour}`, "aria-hidden": "true" }, emblem), html("span", {}, name), html("small", {}, `${held} cards`)];
      return html("button", { type: "button", class: "pick", "data-victim": victim, click: take }, ...parts);
    });
    byId("steal-picks").replaceChildren(...picks);
  }

  return {
    open(kind) {
      if (kind === "discard") {
        discard.set({});
        drawDiscard();
      } else if (kind === "play_year_of_plenty") {
        plenty.set({});
        byId("plenty-yes").setAttribute("aria-disabled", "true");
      } else if (kind === "steal") drawVictims();
      const sheet = byId({ discard: "discard-sheet", play_year_of_plenty: "plenty-sheet", play_monopoly: "monopoly-sheet", steal: "steal-sheet" }[kind]);
      if (!sheet.open) sheet.showModal();
    },
    // A sheet whose move is no longer possible goes away.
    closeStale() {
      const { moves } = store.page.view;
      for (const [kind, id] of [["discard", "discard-sheet"], ["play_year_of_plenty", "plenty-sheet"], ["play_monopoly", "monopoly-sheet"], ["steal", "steal-sheet"]]) {
        if (!(kind in moves) && byId(id).open) byId(id).close();
      }
    },
  };
}
