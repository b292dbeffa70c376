// Finding elements that a template promises: of which kind, and whether they are always there.

/**
 * An element that the page always has.
 * @template {Element} Kind
 * @param {string} id
 * @param {{ new (): Kind }} kind
 * @returns {Kind}
 */
export function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new TypeError(`#${id}: ${kind.name}?`);
  return found;
}

/**
 * An element that only some pages have.
 * @template {Element} Kind
 * @param {string} id
 * @param {{ new (): Kind }} kind
 * @returns {Kind | null}
 */
export function elementIfAny(id, kind) {
  return document.getElementById(id) && element(id, kind);
}
