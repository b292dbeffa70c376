// Sentences are the server's: a script picks one, and fills its gaps.

/**
 * A sentence with its gaps filled in.
 * @param {string} pattern
 * @param {Record<string, string | number>} values
 */
export const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_gap, name) => `${values[name]}`);

/**
 * A sentence that the template has written on an element, as `data-<name>`.
 * @param {HTMLElement} element
 * @param {string} name
 * @param {Record<string, string | number>} [values]
 */
export function sentence(element, name, values = {}) {
  const pattern = element.dataset[name];
  if (pattern === undefined) throw new TypeError(`#${element.id}: data-${name}?`);
  return fill(pattern, values);
}
