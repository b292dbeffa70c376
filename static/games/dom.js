// The few lines that every module needs to make and find elements.

import { element } from "../site/elements.js";
import { phrases } from "./phrases.js";

const game = element("game", HTMLElement);
const announcer = element("announcer", HTMLElement);
const { icons } = game.dataset;
const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Element} place
 * @param {string | number} text
 */
export const setText = (place, text) => {
  if (place.textContent !== `${text}`) place.textContent = `${text}`;
};

/**
 * Says something to those who listen to the page.
 * @param {string} text
 */
export const announce = (text) => {
  announcer.textContent = text;
};

// What is outside an open sheet is silent, so the announcer goes where it is heard.
export function placeAnnouncer() {
  const home = document.querySelector("dialog[open]") ?? game;
  if (announcer.parentElement !== home) home.append(announcer);
}

/**
 * Attributes by name, and listeners by the event's name. True is an attribute without a value; false and nothing, none.
 * @typedef {Record<string, string | number | boolean | null | undefined | (() => void)>} Attributes
 */

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
export function html(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

/**
 * @template {Element} Built
 * @param {Built} built
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function build(built, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") built.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) built.setAttribute(name, value === true ? "" : `${value}`);
  }
  built.append(...children);
  return built;
}

/** @type {Record<string, string | undefined>} */
const DEVELOPMENTS = {
  knight: "#shape-knight",
  road_building: `${icons}#road`,
  year_of_plenty: "#shape-plenty",
  monopoly: "#shape-monopoly",
  victory_point: `${icons}#card`,
};

/**
 * A card with its symbol: a resource in its colours, or a development card.
 * @param {string} name
 */
export function card(name) {
  const href = DEVELOPMENTS[name] ?? `${icons}#${name}`;
  const symbol = svg("svg", { class: "icon", role: "img", "aria-label": phrases.card_names[name] }, svg("use", { href }));
  return html("span", { class: `resource resource-${name}` }, symbol);
}

/** @param {Record<string, number>} counts */
export function cards(counts) {
  return Object.entries(counts).map(([name, count]) => html("span", { class: "counted" }, card(name), html("b", {}, `${count}`)));
}

/**
 * Puts children in place, in their order, without touching those that are there already, so that focus and motion survive.
 * @template Value
 * @template {HTMLElement | SVGElement} Child
 * @param {Element} parent
 * @param {[key: string, value: Value][]} wanted
 * @param {(value: Value) => Child} make
 * @returns {Child[]} the children that were not there before
 */
export function reconcile(parent, wanted, make) {
  // All children of such a parent were made here, or drawn by the server with the same keys.
  const children = /** @type {Child[]} */ ([...parent.children]);
  const present = new Map(children.map((child) => [child.dataset.key, child]));
  const keys = new Set(wanted.map(([key]) => key));
  for (const [key, child] of present) if (key === undefined || !keys.has(key)) child.remove();
  /** @type {Child[]} */
  const added = [];
  let next = parent.firstElementChild;
  for (const [key, value] of wanted) {
    let child = present.get(key);
    if (!child) {
      child = make(value);
      child.dataset.key = key;
      added.push(child);
    }
    if (child === next) next = child.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  return added;
}
