// Says "You are offline" in the site's own look. What it keeps is written before this script by the server, and is kept
// when it is installed; no page, no game and no answer of the API is ever put beside it.

/* global KEPT */
/** @import { Kept, Worker } from "./service-worker.d.ts" */

const { version, offline, files } = /** @type {Kept} */ (KEPT);
const worker = /** @type {Worker} */ (/** @type {unknown} */ (self));
const name = `offline-${version}`;

async function keep() {
  const cache = await caches.open(name);
  await cache.addAll([offline, ...files].map((address) => new Request(address, { cache: "reload", credentials: "omit" })));
  await worker.skipWaiting();
}

async function forgetOlder() {
  const names = await caches.keys();
  await Promise.all(names.filter((other) => other !== name).map((other) => caches.delete(other)));
}

/**
 * The site's answer, whatever it is; without one, what was kept.
 * @param {Request} request
 * @param {string} kept
 */
async function answer(request, kept) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await caches.match(kept);
    if (!found) throw error;
    return found;
  }
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(forgetOlder()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { pathname } = new URL(request.url);
  // A form that was sent is the browser's to send again.
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(answer(request, offline));
  else if (files.includes(pathname)) event.respondWith(answer(request, pathname));
});
