// Motion that tells what happened. It never blocks anything, and under reduced motion there is none.

import { element, part } from "../site/elements.js";
import { centre } from "./board.js";
import { card, html } from "./dom.js";

/** @import { Gain, LogEntry, Page, Seen } from "./page.d.ts" */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const NEWEST = 12;

/** @param {Element[]} pieces */
export function dropPieces(pieces) {
  if (still.matches || pieces.length > 4) return;
  for (const piece of pieces) {
    for (const shape of piece.children) {
      shape.animate({ translate: ["0 -40px", "0 0"], opacity: [0, 1] }, { duration: 320, easing: "cubic-bezier(.3,1.4,.6,1)" });
    }
  }
}

/**
 * Plays what the log tells. After a long absence only the last of it.
 * @param {LogEntry[]} entries
 * @param {Page} page
 */
export function animate(entries, page) {
  if (still.matches) return;
  for (const { event, gains } of entries.slice(-NEWEST)) {
    MOTIONS[event.kind]?.(/** @type {Required<Seen>} */ (event), page);
    for (const gain of gains) bring(gain, event, page);
  }
}

/**
 * A card comes from the hex that produced it, or from the bank.
 * @param {Gain} gain
 * @param {Seen} event
 * @param {Page} page
 */
function bring({ seat, resources }, { dice }, { board: { hexes }, robber }) {
  const rolled = dice && dice[0] + dice[1];
  for (const [name, count] of Object.entries(resources)) {
    const from = hexes.findIndex(({ resource, token }, number) => resource === name && token === rolled && number !== robber);
    fly({ [name]: count }, from < 0 ? bank : element(`hex-${from}`, SVGGElement), seatCard(seat));
  }
}

/** @param {number} seat */
const seatCard = (seat) => element(`seat-${seat}`, HTMLElement);
const board = element("board", SVGSVGElement);
const bank = part(document.body, ".bank", HTMLElement);

/**
 * Each kind of event has what its motion shows.
 * @type {Record<string, ((event: Required<Seen>, page: Page) => void) | undefined>}
 */
const MOTIONS = {
  rolled({ dice: [first, second] }, { board: { hexes }, robber }) {
    for (const die of element("dice", HTMLElement).querySelectorAll(".die")) {
      die.animate({ rotate: ["-200deg", "0deg"], scale: [0.6, 1.15, 1] }, { duration: 500, easing: "ease-out" });
    }
    hexes.forEach(({ token }, number) => {
      if (token !== first + second || number === robber) return;
      const glow = part(element(`land-${number}`, SVGElement), ".glow", SVGElement);
      glow.animate({ opacity: [0, 0.75, 0] }, { duration: 600, delay: 250 });
    });
  },
  starting_resources: ({ seat, resources }) => fly(resources, board, seatCard(seat)),
  traded_with_bank: ({ seat, gets }) => fly(gets, bank, seatCard(seat)),
  traded({ seat, partner, gives, gets }) {
    fly(gives, seatCard(seat), seatCard(partner));
    fly(gets, seatCard(partner), seatCard(seat));
  },
  monopolized: ({ seat, victim, resource, count }) => fly({ [resource]: count }, seatCard(victim), seatCard(seat)),
  stole: ({ seat, victim, resource }) => resource && fly({ [resource]: 1 }, seatCard(victim), seatCard(seat)),
  moved_robber({ from, hex }) {
    const [start, end] = [from, hex].map((number) => centre(element(`hex-${number}`, SVGGElement)));
    const away = `${start[0] - end[0]}px ${start[1] - end[1]}px`;
    part(element("robber-piece", SVGGElement), "use", SVGElement).animate({ translate: [away, "0 0"] }, { duration: 600, easing: "ease-in-out" });
  },
  longest_road: (event) => award("longest_road", event),
  largest_army: (event) => award("largest_army", event),
};

/**
 * Cards travel from one part of the page to another.
 * @param {Record<string, number>} counts
 * @param {Element} from
 * @param {Element} to
 */
function fly(counts, from, to) {
  const [start, end] = [from, to].map((place) => place.getBoundingClientRect());
  const names = Object.entries(counts).flatMap(([name, count]) => Array.from({ length: Math.min(count, 3) }, () => name));
  names.forEach((name, place) => {
    const flier = html("div", { class: "flier", "aria-hidden": "true" }, card(name));
    document.body.append(flier);
    const way = [start, end].map(({ left, top, width, height }) => `${left + width / 2 - 14}px ${top + height / 2 - 18}px`);
    const motion = flier.animate({ translate: way, scale: [1.2, 0.7], opacity: [1, 1, 0.2] }, { duration: 600, delay: 60 * place, easing: "ease-in-out", fill: "backwards" });
    motion.finished.finally(() => flier.remove());
  });
}

/**
 * @param {string} name
 * @param {Seen} event
 */
function award(name, { seat }) {
  // It may have been lost to nobody.
  if (seat < 0) return;
  part(seatCard(seat), `[data-award=${name}]`, HTMLElement).animate({ translate: ["-24px 0", "0 0"], opacity: [0, 1] }, { duration: 500, easing: "ease-out" });
}
