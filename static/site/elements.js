// Finding elements that a template promises: of which kind, and whether they are always there.

/**
 * An element that the page always has.
 * @template {Element} Kind
 * @param {string} id
 * @param {{ new (): Kind }} kind
 */
export const element = (id, kind) => promised(document.getElementById(id), kind, `#${id}`);

/**
 * An element that only some pages have.
 * @template {Element} Kind
 * @param {string} id
 * @param {{ new (): Kind }} kind
 */
export const elementIfAny = (id, kind) => document.getElementById(id) && element(id, kind);

/**
 * The first part of an element that a selector names.
 * @template {Element} Kind
 * @param {Element} whole
 * @param {string} selector
 * @param {{ new (): Kind }} kind
 */
export const part = (whole, selector, kind) => promised(whole.querySelector(selector), kind, selector);

/**
 * All parts of an element that a selector names.
 * @template {Element} Kind
 * @param {ParentNode} whole
 * @param {string} selector
 * @param {{ new (): Kind }} kind
 */
export const parts = (whole, selector, kind) => [...whole.querySelectorAll(selector)].map((found) => promised(found, kind, selector));

/**
 * A copy of what a <template> holds.
 * @template {Element} Kind
 * @param {string} id
 * @param {{ new (): Kind }} kind
 */
export const copy = (id, kind) => copyOf(element(id, HTMLTemplateElement), kind);

/**
 * @template {Element} Kind
 * @param {HTMLTemplateElement} template
 * @param {{ new (): Kind }} kind
 */
export const copyOf = ({ content, id }, kind) => promised(document.importNode(content, true).firstElementChild, kind, `template#${id} > *`);

/**
 * @template {Element} Kind
 * @param {Element | null} found
 * @param {{ new (): Kind }} kind
 * @param {string} selector
 * @returns {Kind}
 */
function promised(found, kind, selector) {
  if (!(found instanceof kind)) throw new TypeError(`${selector}: ${kind.name}?`);
  return found;
}
