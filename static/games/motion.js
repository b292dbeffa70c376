// Motion that tells what happened. It never blocks anything, and under reduced motion there is none.

import { element, part } from "../site/elements.js";
import { byId, card, html } from "./dom.js";

/** @import { LogEntry, Page, Seen } from "./page.d.ts" */

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
  for (const { event } of entries.slice(-NEWEST)) MOTIONS[event.kind]?.(/** @type {Required<Seen>} */ (event), page);
}

/**
 * Each kind of event has what its motion shows.
 * @type {Record<string, ((event: Required<Seen>, page: Page) => void) | undefined>}
 */
const MOTIONS = {
  rolled({ dice: [first, second] }, { board, robber }) {
    for (const die of element("dice", HTMLElement).querySelectorAll(".die")) {
      die.animate({ rotate: ["-200deg", "0deg"], scale: [0.6, 1.15, 1] }, { duration: 500, easing: "ease-out" });
    }
    board.hexes.forEach(({ token }, number) => {
      if (token !== first + second || number === robber) return;
      const glow = part(element(`land-${number}`, SVGElement), ".glow", SVGElement);
      glow.animate({ opacity: [0, 0.75, 0] }, { duration: 600, delay: 250 });
    });
  },
  received: ({ seat, resources }) => fly(resources, byId("board"), byId(`seat-${seat}`)),
  starting_resources: ({ seat, resources }) => fly(resources, byId("board"), byId(`seat-${seat}`)),
  traded_with_bank: ({ seat, gets }) => fly(gets, document.querySelector(".bank"), byId(`seat-${seat}`)),
  traded({ seat, partner, gives, gets }) {
    fly(gives, byId(`seat-${seat}`), byId(`seat-${partner}`));
    fly(gets, byId(`seat-${partner}`), byId(`seat-${seat}`));
  },
  monopolized: ({ seat, victim, resource, count }) => fly({ [resource]: count }, byId(`seat-${victim}`), byId(`seat-${seat}`)),
  stole: ({ seat, victim, resource }) => resource && fly({ [resource]: 1 }, byId(`seat-${victim}`), byId(`seat-${seat}`)),
  moved_robber({ from, hex }) {
    const [start, end] = [from, hex].map((number) => element(`hex-${number}`, SVGGElement).transform.baseVal.consolidate()?.matrix);
    if (!start || !end) return;
    const away = `${start.e - end.e}px ${start.f - end.f}px`;
    byId("robber-piece")?.firstElementChild?.animate({ translate: [away, "0 0"] }, { duration: 600, easing: "ease-in-out" });
  },
  longest_road: (event) => award("longest_road", event),
  largest_army: (event) => award("largest_army", event),
};

/**
 * Cards travel from one part of the page to another.
 * @param {Record<string, number>} counts
 * @param {Element | null} from
 * @param {Element | null} to
 */
function fly(counts, from, to) {
  if (!from || !to) return;
  const [start, end] = [from, to].map((place) => place.getBoundingClientRect());
  const names = Object.entries(counts).flatMap(([name, count]) => Array(Math.min(count, 3)).fill(name));
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
 * @param {Event} event
 */
function award(name, { seat }) {
  const place = byId(`seat-${seat}`)?.querySelector(`[data-award=${name}]`);
  place?.animate({ translate: ["-24px 0", "0 0"], opacity: [0, 1] }, { duration: 500, easing: "ease-out" });
}
