// How many games wait for somebody: said before a page's title, and on the site's icon where the system can.

/** @param {number} count */
export const beforeTitle = (count) => (count ? `(${count}) ` : "");

/** @param {number} count */
export async function showBadge(count) {
  if (!("setAppBadge" in navigator)) return;
  try {
    if (count) await navigator.setAppBadge(count);
    else await navigator.clearAppBadge();
  } catch {
    // Only a site that was put on a home screen has an icon.
  }
}

/**
 * For a page whose title is otherwise always the same.
 * @param {HTMLElement} part which says what that is
 * @param {number} count
 */
export function showWaiting(part, count) {
  document.title = beforeTitle(count) + part.dataset.title;
  showBadge(count);
}
