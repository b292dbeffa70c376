// The board: pieces as the view has them, legal places marked, and which place a press means.

import { element, elementIfAny, parts } from "../site/elements.js";
import { fill } from "../site/words.js";
import { reconcile, svg } from "./dom.js";
import { phrases } from "./phrases.js";

/** @import { Page } from "./page.d.ts" */
/** @import { OwnMove, Store } from "./store.d.ts" */

/** @type {Record<string, string>} */
const GHOSTS = { build_settlement: "settlement", build_city: "city", build_road: "road", move_robber: "robber" };

/** @type {Record<string, string[]>} */
const NAMES = { hex: phrases.places.hexes, vertex: phrases.places.vertices, edge: phrases.places.edges };

// How far from a place a press still means it, in pixels: a finger covers 44.
const REACH = 26;

const board = element("board", SVGSVGElement);
const places = parts(board, ".place", SVGGElement);
const roadPieces = element("roads", SVGGElement);
const buildingPieces = element("buildings", SVGGElement);
const robberPiece = elementIfAny("robber-piece", SVGGElement);
const ghost = svg("g", { id: "ghost", "aria-hidden": "true" });
board.append(ghost);

/**
 * Where on the board a place is.
 * @param {SVGGraphicsElement} place
 */
export function centre(place) {
  const moved = place.transform.baseVal.consolidate();
  return moved ? [moved.matrix.e, moved.matrix.f] : [0, 0];
}

/** @param {string} id of a place */
const transformOf = (id) => element(id, SVGGElement).getAttribute("transform") ?? "";

/**
 * The legal places, each with the move that pressing it stands for.
 * @param {Page} page
 * @param {string | null} mode
 * @returns {Map<string, OwnMove>}
 */
export function legalPlaces({ places: listed }, mode) {
  return new Map(listed.filter(({ kind }) => !mode || mode === kind).map(({ id, kind, move }) => [id, { ...move, kind }]));
}

/**
 * The move that the place stands for which was pressed once.
 * @param {Page} page
 * @param {Store} store
 */
export const selectedMove = (page, { mode, selected }) => (selected === null ? undefined : legalPlaces(page, mode).get(selected));

/** @param {(place: SVGGraphicsElement) => void} onPress */
export function setUpBoard(onPress) {
  for (const place of places) {
    const [kind, number] = place.id.split("-");
    place.querySelector("text")?.remove();
    place.setAttribute("role", "button");
    place.setAttribute("tabindex", "-1");
    place.dataset.name = NAMES[kind][Number(number)];
  }
  board.addEventListener("click", (event) => {
    const place = event.detail === 0 ? legalAround(event.target) : nearestLegal(event.clientX, event.clientY);
    if (!place) return;
    // Two presses of a place are no double tap beside it.
    event.stopImmediatePropagation();
    onPress(place);
  });
}

/** @param {Element} place */
const isLegal = (place) => place.classList.contains("legal");

/** @param {EventTarget | null} target */
const legalAround = (target) => places.find((place) => isLegal(place) && target instanceof Node && place.contains(target));

/**
 * @param {number} x
 * @param {number} y
 */
function nearestLegal(x, y) {
  const scale = board.getScreenCTM();
  /** @type {SVGGElement | null} */
  let nearest = null;
  // A board that is not shown has no places to press.
  if (!scale) return nearest;
  let least = Math.max(REACH, 30 * scale.a);
  for (const place of places.filter(isLegal)) {
    const [px, py] = centre(place);
    const distance = Math.hypot(scale.a * px + scale.e - x, scale.d * py + scale.f - y);
    const reach = place.classList.contains("hex") ? distance * 0.6 : distance;
    if (reach < least) [nearest, least] = [place, reach];
  }
  return nearest;
}

/** @param {Store} store */
export function drawBoard(store) {
  const { page, mode, selected } = store;
  const added = drawPieces(page);
  const legal = legalPlaces(page, mode);
  for (const place of places) {
    const move = legal.get(place.id);
    place.classList.toggle("legal", Boolean(move));
    place.classList.toggle("selected", place.id === selected);
    place.setAttribute("aria-disabled", move ? "false" : "true");
    place.setAttribute("aria-label", label(place, page));
    if (move) place.dataset.kind = move.kind;
    else delete place.dataset.kind;
  }
  keepOneTabStop();
  drawGhost(store);
  return added;
}

/** @param {Page} page */
function drawPieces({ seats, robber }) {
  /** @type {[string, Piece][]} */
  const roads = [];
  /** @type {[string, Piece][]} */
  const buildings = [];
  for (const { colour, ...shown } of seats) {
    for (const edge of shown.roads) roads.push([`road-${edge}`, { kind: "road", colour, place: `edge-${edge}` }]);
    for (const vertex of shown.settlements) buildings.push([`settlement-${vertex}`, { kind: "settlement", colour, place: `vertex-${vertex}` }]);
    for (const vertex of shown.cities) buildings.push([`city-${vertex}`, { kind: "city", colour, place: `vertex-${vertex}` }]);
  }
  robberPiece?.setAttribute("transform", transformOf(`hex-${robber}`));
  return [...reconcile(roadPieces, roads, piece), ...reconcile(buildingPieces, buildings, piece)];
}

/** @typedef {{ kind: string, colour: string, place: string }} Piece */

/** @param {Piece} piece */
function piece({ kind, colour, place }) {
  const shapes = [svg("use", { href: `#${kind}` })];
  if (kind === "settlement" || kind === "city") shapes.push(svg("use", { href: `#emblem-${colour}` }));
  return svg("g", { class: `seat-${colour}`, transform: transformOf(place) }, ...shapes);
}

/**
 * What a place is called, and what stands there.
 * @param {SVGElement} place
 * @param {Page} page
 */
function label({ id, dataset: { name = "" } }, { standing }) {
  return id in standing ? fill(phrases.taken_place, { place: name, standing: standing[id] }) : name;
}

// Tab reaches the board once; the arrow keys go on from there.
function keepOneTabStop() {
  const focused = places.find((place) => place === document.activeElement);
  const stop = focused ?? places.find(isLegal) ?? places[0];
  for (const place of places) place.setAttribute("tabindex", place === stop ? "0" : "-1");
}

/** @param {Store} store */
function drawGhost(store) {
  const { page, selected } = store;
  const move = selectedMove(page, store);
  ghost.replaceChildren();
  if (!move || selected === null || page.viewer === null) return;
  ghost.setAttribute("class", `seat-${page.seats[page.viewer].colour}`);
  ghost.setAttribute("transform", transformOf(selected));
  ghost.append(svg("use", { href: `#${GHOSTS[move.kind]}` }));
}

/**
 * @param {string[]} ids of places
 * @param {boolean} on
 */
export function light(ids, on) {
  for (const place of places) if (ids.includes(place.id)) place.classList.toggle("lit", on);
}
