// Says "You are offline" in the site's own look, and shows what somebody is told while the site is closed. What it keeps
// is written before this script by the server, and is kept when it is installed; no page, no game and no answer of the API
// is ever put beside it.

/* global KEPT */
/** @import { Kept, Renewed, Told, Worker } from "./service-worker.d.ts" */

const { version, offline, files, icon, renewal } = /** @type {Kept} */ (KEPT);
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

/** @param {Told} told */
async function show({ title, body, url, tag, key }) {
  const { registration } = worker;
  const shown = await registration.getNotifications({ tag });
  // What comes a second time, since the first was not acknowledged, disturbs nobody.
  const renotify = !shown.some(({ data }) => data.key === key);
  await registration.showNotification(title, /** @type {NotificationOptions} */ ({ body, tag, renotify, icon, data: { url, key } }));
}

/**
 * The push service has given this browser another address, or none any more. A site that tells it nothing answers with a
 * refusal, and there is nobody to show that to.
 * @param {Renewed} renewed
 */
async function renew({ oldSubscription, newSubscription }) {
  const asked = await fetch(renewal);
  if (!asked.ok) return;
  const { key, token } = await asked.json();
  const wanted = { userVisibleOnly: true, applicationServerKey: key };
  const subscription = newSubscription ?? (await worker.registration.pushManager.subscribe(wanted));
  await fetch(renewal, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify({ ...subscription.toJSON(), instead_of: oldSubscription?.endpoint }),
  });
}

/**
 * A page of this very site, whatever else the address says; one that is open there already is taken.
 * @param {string} url
 */
async function open(url) {
  const { pathname, search } = new URL(url);
  const windows = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = windows.find((window) => new URL(window.url).pathname === pathname);
  await (there ? there.focus() : worker.clients.openWindow(worker.location.origin + pathname + search));
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
worker.addEventListener("push", (event) => event.data && event.waitUntil(show(event.data.json())));
worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
worker.addEventListener("notificationclick", (event) => {
  const { notification } = event;
  notification.close();
  event.waitUntil(open(notification.data.url));
});
