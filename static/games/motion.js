// Motion that tells what happened. The page says the truth at once and motion lies above it, so it blocks and changes nothing.
// Under reduced motion there is none: what would otherwise be missed is shown for a while, and stands still.

import { copy, element, part, parts } from "../site/elements.js";
import { centre } from "./board.js";
import { card, html } from "./dom.js";

/** @import { Gain, LogEntry, Page, Seen } from "./page.d.ts" */

const still = matchMedia("(prefers-reduced-motion: reduce)");
const NEWEST = 12;

// Milliseconds: the dice roll, the robber walks; how long it is told that it is one's turn, and which card was stolen.
const [TUMBLE, WALK, BANNER, STOLEN] = [650, 750, 1200, 1900];

/**
 * The one door to motion.
 * @param {Element} what
 * @param {Keyframe[] | PropertyIndexedKeyframes} keyframes
 * @param {KeyframeAnimationOptions} options
 */
const move = (what, keyframes, options) => (still.matches ? null : what.animate(keyframes, options));

/** @param {Element[]} pieces */
export function dropPieces(pieces) {
  if (pieces.length > 4) return;
  for (const piece of pieces) move(piece, landing("0 -46px", "0 -34px", 0.5), { duration: 420 });
}

/**
 * A piece comes from above and bounces once.
 * @param {string} from
 * @param {string} over where it is halfway
 * @param {number} down when it touches the ground
 * @returns {Keyframe[]}
 */
const landing = (from, over, down) => [
  { translate: from, easing: "ease-in" },
  { translate: over, offset: down / 2 },
  { translate: "0 0", offset: down, easing: "ease-out" },
  { translate: "0 -9px", offset: (1 + down) / 2, easing: "ease-in" },
  { translate: "0 0" },
];

/**
 * Plays what the log tells; after a long absence only the last of it. What a motion is about is drawn by then.
 * @param {Page} page
 * @param {boolean} isNewTurn
 */
export function animate(page, isNewTurn) {
  settleDice();
  // A hidden page has no frames: all of it would be seen at once when somebody comes back.
  if (document.hidden) return;
  requestAnimationFrame(() => {
    if (isNewTurn) beginTurn(page);
    for (const entry of page.log.slice(-NEWEST)) {
      const event = /** @type {Required<Seen>} */ (entry.event);
      MOTIONS[event.kind]?.(event, page, entry);
      for (const gain of entry.gains) bring(gain, event, page);
    }
  });
}

const board = element("board", SVGSVGElement);
const island = part(document.body, ".island", HTMLElement);
const bank = part(document.body, ".bank", HTMLElement);
const more = element("players-more", HTMLButtonElement);

/** @param {number} seat */
const seatCard = (seat) => element(`seat-${seat}`, HTMLElement);

// On a phone the bank is behind a button.
const bankPlace = () => (bank.getClientRects().length ? bank : more);

/**
 * Where somebody has a card: one's own lie in the hand.
 * @param {Page} page
 * @param {number} seat
 * @param {string} [name]
 */
const placeOf = ({ viewer }, seat, name) => (seat === viewer && document.querySelector(`.hand-card[data-resource="${name}"]`)) || seatCard(seat);

/**
 * Each kind of event has what its motion shows.
 * @type {Record<string, ((event: Required<Seen>, page: Page, entry: LogEntry) => void) | undefined>}
 */
const MOTIONS = {
  rolled: roll,
  starting_resources: ({ seat, resources }, page) => fly(resources, () => board, (name) => placeOf(page, seat, name)),
  discarded: ({ seat, resources }, page) => fly(resources, (name) => placeOf(page, seat, name), bankPlace),
  traded_with_bank: ({ seat, gives, gets }, page) => {
    fly(gives, (name) => placeOf(page, seat, name), bankPlace);
    fly(gets, bankPlace, (name) => placeOf(page, seat, name));
  },
  traded: ({ seat, partner, gives, gets }, page) => {
    fly(gives, (name) => placeOf(page, seat, name), (name) => placeOf(page, partner, name));
    fly(gets, (name) => placeOf(page, partner, name), (name) => placeOf(page, seat, name));
  },
  bought_card: ({ seat }) => flyOne(back(), bankPlace(), seatCard(seat)),
  monopolized: ({ seat, victim, resource, count }, page) => fly({ [resource]: count }, (name) => placeOf(page, victim, name), (name) => placeOf(page, seat, name)),
  offered: ({ offer, to }, { viewer }) => {
    const shown = document.querySelector(`[data-offer="${offer}"]`);
    if (shown && viewer !== null && to.includes(viewer)) pulse(shown, "var(--accent)");
  },
  moved_robber: moveRobber,
  stole: showStolen,
  longest_road: (event) => award("longest_road", event),
  largest_army: (event) => award("largest_army", event),
};

// Whose turn it is

/** @param {Page} page */
function beginTurn({ active, viewer }) {
  const shown = seatCard(active);
  pulse(shown, "var(--accent)");
  move(part(shown, ".seat", HTMLElement), { scale: [1, 1.45, 1] }, { duration: 600, easing: "ease-in-out" });
  if (active !== viewer) return;
  const banner = copy("your-turn", HTMLElement);
  showFor(BANNER, banner);
  move(banner, { translate: ["-70% 0", "0 0", "0 0", "70% 0"], opacity: [0, 1, 1, 0], offset: [0, 0.25, 0.75, 1], easing: ["ease-out", "linear", "ease-in"] }, { duration: BANNER });
}

/**
 * @param {Element} what
 * @param {string} colour
 */
function pulse(what, colour) {
  const [lit, out] = ["4px", "0"].map((width) => `inset 0 0 0 ${width} ${colour}, inset 0 0 14px ${width} ${colour}`);
  // What the card's own frame says stays.
  move(what, { boxShadow: [lit, lit, out] }, { duration: 900, easing: "ease-in", composite: "add" });
}

/**
 * Over the sea, in the way of nothing.
 * @param {number} time
 * @param {HTMLElement} what
 */
function showFor(time, what) {
  island.append(what);
  setTimeout(() => what.remove(), time);
}

// Dice, and what they bring

// The pips of each face, as templates/games/_dice.html names them.
const FACES = ["p4", "p2 p6", "p2 p4 p6", "p1 p2 p6 p7", "p1 p2 p4 p6 p7", "p1 p2 p3 p5 p6 p7"];
// What is seen of a die on its way, whatever it shows in the end.
const TURNS = [[2, 5, 1, 4, 0, 3, 5], [0, 4, 2, 5, 3, 1, 2]];

/**
 * What goes on until the dice lie, or waits for that.
 * @type {Animation[]}
 */
let rolling = [];

// Whatever happens next finds the dice lying, and what they bring on its way.
function settleDice() {
  for (const motion of rolling) if (motion.playState === "running") motion.currentTime = Math.max(Number(motion.currentTime), TUMBLE);
  rolling = [];
}

/**
 * @param {Required<Seen>} event
 * @param {Page} page
 */
function roll(event, page) {
  parts(element("dice", HTMLElement), ".die", SVGElement).forEach((die, place) => tumble(die, place));
  for (const number of producing(event, page)) {
    const glow = part(element(`land-${number}`, SVGElement), ".glow", SVGElement);
    noteRoll(move(glow, { opacity: [0, 0.75, 0] }, { duration: 700, delay: TUMBLE }));
  }
}

/** @param {Animation | null} motion */
function noteRoll(motion) {
  if (motion) rolling.push(motion);
}

/**
 * A die turns over and over; its last face is the one that lies there all the time.
 * @param {SVGElement} die
 * @param {number} place
 */
function tumble(die, place) {
  const side = place ? 1 : -1;
  noteRoll(move(die, { rotate: [`${side * 540}deg`, "0deg"], translate: ["0 -10px", "0 -22px", "0 0", "0 -9px", "0 0", "0 -3px", "0 0"] }, { duration: TUMBLE, easing: "ease-out" }));
  for (const pip of parts(die, "circle", SVGElement)) {
    const seen = TURNS[place].map((face) => ({ visibility: FACES[face].includes(`${pip.getAttribute("class")}`) ? "visible" : "hidden", easing: "step-end" }));
    noteRoll(move(pip, seen, { duration: 0.8 * TUMBLE }));
  }
}

/**
 * The hexes whose number was rolled.
 * @param {Seen} event
 * @param {Page} page
 */
function producing({ dice }, { board: { hexes }, robber }) {
  const rolled = dice && dice[0] + dice[1];
  return [...hexes.keys()].filter((number) => hexes[number].token === rolled && number !== robber);
}

/**
 * A card comes from the hex that produced it, or from the bank.
 * @param {Gain} gain
 * @param {Seen} event
 * @param {Page} page
 */
function bring({ seat, resources }, event, page) {
  const { settlements, cities } = page.seats[seat];
  const built = [...settlements, ...cities].map((vertex) => element(`vertex-${vertex}`, SVGGElement));
  const hexes = producing(event, page).map((number) => ({ ...page.board.hexes[number], place: element(`hex-${number}`, SVGGElement) }));
  const own = hexes.filter(({ place }) => built.some((vertex) => isAtCorner(vertex, place)));
  /** @param {string} name */
  const sources = (name) => own.filter(({ resource }) => resource === name).map(({ place }) => place);
  const delay = event.dice ? TUMBLE + 200 : 0;
  fly(resources, (name, number) => sources(name)[number % sources(name).length] ?? bankPlace(), (name) => placeOf(page, seat, name), delay);
}

// A hex's corners are 60 from its middle, in the units of the board.
const CORNER = 65;

/**
 * @param {SVGGElement} vertex
 * @param {SVGGElement} hex
 */
function isAtCorner(vertex, hex) {
  const [[x, y], [middleX, middleY]] = [centre(vertex), centre(hex)];
  return Math.hypot(x - middleX, y - middleY) < CORNER;
}

/**
 * Cards travel from one part of the page to another.
 * @param {Record<string, number>} counts
 * @param {(name: string, number: number) => Element} from
 * @param {(name: string) => Element} to
 * @param {number} [delay]
 */
function fly(counts, from, to, delay = 0) {
  let place = 0;
  for (const [name, count] of Object.entries(counts)) {
    for (let number = 0; number < Math.min(count, 3); number++) {
      flyOne(card(name), from(name, number), to(name), delay + 70 * place);
      place += 1;
    }
  }
}

/**
 * @param {HTMLElement} shown
 * @param {Element} from
 * @param {Element} to
 * @param {number} [delay]
 */
function flyOne(shown, from, to, delay = 0) {
  if (still.matches) return;
  const flier = html("div", { class: "flier", "aria-hidden": "true" }, shown);
  document.body.append(flier);
  const [start, end] = [from, to].map((place) => way(flier, place));
  const motion = move(
    flier,
    [
      { translate: start, scale: 0.6, opacity: 0 },
      { translate: start, scale: 1.4, opacity: 1, offset: 0.2, easing: "cubic-bezier(.5,0,.3,1)" },
      { translate: end, scale: 0.9, opacity: 1, offset: 0.9 },
      { translate: end, scale: 0.6, opacity: 0 },
    ],
    { duration: 800, delay, fill: "backwards" },
  );
  if (delay >= TUMBLE) noteRoll(motion);
  motion?.finished.finally(() => flier.remove());
}

/**
 * From where something is to the middle of another part of the page.
 * @param {Element} what
 * @param {Element} to
 */
function way(what, to) {
  const [here, there] = [what, to].map((place) => place.getBoundingClientRect());
  return `${there.left + there.width / 2 - here.left - here.width / 2}px ${there.top + there.height / 2 - here.top - here.height / 2}px`;
}

const back = () => html("span", { class: "resource card-back" });

// The robber

/** @param {Required<Seen>} event */
function moveRobber({ from, hex }) {
  const [start, end] = [from, hex].map((number) => centre(element(`hex-${number}`, SVGGElement)));
  const [x, y] = [start[0] - end[0], start[1] - end[1]];
  const walk = landing(`${x}px ${y}px`, `${x / 2}px ${y / 2 - 30}px`, 0.7);
  move(element("robber-piece", SVGGElement), walk, { duration: WALK });
  const land = element(`land-${hex}`, SVGGElement);
  move(land, { translate: ["0 0", "-5px 0", "5px 0", "-3px 0", "3px 0", "0 0"] }, { duration: 400, delay: 0.7 * WALK });
  move(part(land, ".glow", SVGElement), { fill: ["#1b150c", "#1b150c"], opacity: [0, 0.6, 0.6, 0] }, { duration: 1100, delay: 0.5 * WALK });
}

/**
 * The two concerned see which card it was, and can read it; everybody else sees its back.
 * @param {Required<Seen>} event
 * @param {Page} page
 * @param {LogEntry} entry
 */
function showStolen({ seat, victim, count, resource }, page, { text }) {
  if (!count) return;
  const robbed = seatCard(victim);
  pulse(robbed, "var(--error)");
  move(robbed, { translate: ["0 0", "-3px 0", "3px 0", "-3px 0", "0 0"] }, { duration: 350 });
  if (!resource) {
    flyOne(back(), robbed, seatCard(seat));
    return;
  }
  const stolen = card(resource);
  const words = html("p", {}, text);
  showFor(STOLEN, html("div", { class: "stolen", "aria-hidden": "true" }, words, stolen));
  const [start, end] = [victim, seat].map((holder) => way(stolen, placeOf(page, holder, resource)));
  move(stolen, { translate: [start, "0 0", "0 0", end], scale: [0.4, 1, 1, 0.4], offset: [0, 0.12, 0.85, 1], easing: ["ease-out", "linear", "ease-in"] }, { duration: STOLEN });
  move(words, { opacity: [0, 1, 1, 0], offset: [0, 0.12, 0.85, 1] }, { duration: STOLEN });
}

/**
 * @param {string} name
 * @param {Seen} event
 */
function award(name, { seat }) {
  // It may have been lost to nobody.
  if (seat < 0) return;
  move(part(seatCard(seat), `[data-award=${name}]`, HTMLElement), { translate: ["-24px 0", "0 0"], opacity: [0, 1] }, { duration: 500, easing: "ease-out" });
}
