// The board: pieces as the view has them, legal places marked, and which place a press means.

import { byId, reconcile, svg } from "./dom.js";

/** @typedef {import("./page.d.ts").Page} Page */

/** @type {Record<string, string>} */
const GHOSTS = { build_settlement: "settlement", build_city: "city", build_road: "road", move_robber: "robber" };

// How far from a place a press still means it, in pixels: a finger covers 44.
const REACH = 26;

const board = byId("board");
const places = [...board.querySelectorAll(".place")];
const ghost = svg("g", { id: "ghost", "aria-hidden": "true" });
byId("robber-piece")?.after(ghost);
if (!ghost.isConnected) byId("buildings").after(ghost);

export const centre = (place) => {
  const { e, f } = place.transform.baseVal.consolidate().matrix;
  return [e, f];
};

/**
 * The legal places, each with the move that pressing it stands for.
 * @param {Page} page
 * @param {string | null} mode
 */
export function legalPlaces({ places: listed }, mode) {
  return new Map(listed.filter(({ kind }) => !mode || mode === kind).map(({ id, kind, move }) => [id, { ...move, kind }]));
}

export function setUpBoard(names, onPress) {
  for (const place of places) {
    const [kind, number] = place.id.split("-");
    place.querySelector("text")?.remove();
    place.setAttribute("role", "button");
    place.setAttribute("tabindex", "-1");
    place.dataset.name = names[{ hex: "hexes", vertex: "vertices", edge: "edges" }[kind]][number];
  }
  board.addEventListener("click", (event) => {
    const place = event.detail === 0 ? event.target.closest(".place.legal") : nearestLegal(event.clientX, event.clientY);
    if (place) onPress(place);
  });
}

function nearestLegal(x, y) {
  const scale = board.getScreenCTM();
  let nearest = null;
  let least = Math.max(REACH, 30 * scale.a);
  for (const place of places) {
    if (!place.classList.contains("legal")) continue;
    const [px, py] = centre(place);
    const distance = Math.hypot(scale.a * px + scale.e - x, scale.d * py + scale.f - y);
    const reach = place.classList.contains("hex") ? distance * 0.6 : distance;
    if (reach < least) [nearest, least] = [place, reach];
  }
  return nearest;
}

export function drawBoard({ page, mode, selected }) {
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
  drawGhost(page, legal.get(selected), selected);
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
  const added = [...reconcile(byId("roads"), roads, piece), ...reconcile(byId("buildings"), buildings, piece)];
  byId("robber-piece")?.setAttribute("transform", byId(`hex-${robber}`).getAttribute("transform"));
  return added;
}

/** @typedef {{ kind: string, colour: string, place: string }} Piece */

/** @param {Piece} piece */
function piece({ kind, colour, place }) {
  const parts = [svg("use", { href: `#${kind}` })];
  if (kind === "settlement" || kind === "city") parts.push(svg("use", { href: `#emblem-${colour}` }));
  return svg("g", { class: `seat-${colour}`, transform: byId(place).getAttribute("transform") }, ...parts);
}

/**
 * What a place is called, and what stands there.
 * @param {SVGElement} place
 * @param {Page} page
 */
const label = (place, { standing }) => [place.dataset.name, standing[place.id]].filter(Boolean).join(". ");

// Tab reaches the board once; the arrow keys go on from there.
function keepOneTabStop() {
  const focused = places.find((place) => place === document.activeElement);
  const stop = focused ?? places.find((place) => place.classList.contains("legal")) ?? places[0];
  for (const place of places) place.setAttribute("tabindex", place === stop ? "0" : "-1");
}

/**
 * @param {Page} page
 * @param {{ kind: string } | undefined} move
 * @param {string | null} selected
 */
function drawGhost({ seats, viewer }, move, selected) {
  ghost.replaceChildren();
  if (!move || viewer === null) return;
  ghost.setAttribute("class", `seat-${seats[viewer].colour}`);
  ghost.setAttribute("transform", byId(selected).getAttribute("transform"));
  ghost.append(svg("use", { href: `#${GHOSTS[move.kind]}` }));
}

export function light(ids, on) {
  for (const id of ids) byId(id)?.classList.toggle("lit", on);
}
