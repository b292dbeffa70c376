// The devices that somebody is told on: this browser says yes, or leaves.

import { element, elementIfAny, part } from "../site/elements.js";
import { sentence } from "../site/words.js";

const panel = element("push", HTMLElement);
const here = elementIfAny("push-here", HTMLButtonElement);
const isAble = "serviceWorker" in navigator && "PushManager" in window && window.Notification !== undefined;

/** What this browser has agreed to before, if it still does. */
async function agreed() {
  const registration = await navigator.serviceWorker.getRegistration();
  return Notification.permission === "granted" ? ((await registration?.pushManager.getSubscription()) ?? null) : null;
}

/** @param {HTMLButtonElement} button */
async function draw(button) {
  element("push-unable", HTMLElement).hidden = isAble;
  element("push-denied", HTMLElement).hidden = !isAble || Notification.permission !== "denied";
  const own = elementIfAny("push-own", HTMLFormElement);
  button.hidden = !isAble || Notification.permission === "denied" || (own !== null && (await agreed()) !== null);
}

async function agree() {
  await navigator.serviceWorker.register("/service-worker.js");
  const { pushManager } = await navigator.serviceWorker.ready;
  const wanted = { userVisibleOnly: true, applicationServerKey: panel.dataset.key };
  try {
    return await pushManager.subscribe(wanted);
  } catch (error) {
    // The site has a new key, and what was agreed under the old one is worth nothing.
    const old = await pushManager.getSubscription();
    if (!old) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(wanted);
  }
}

/** @param {PushSubscription} subscription */
function tell(subscription) {
  const token = part(element("push-token", HTMLFormElement), "[name=csrfmiddlewaretoken]", HTMLInputElement).value;
  return fetch(`${panel.dataset.address}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": token },
    body: JSON.stringify(subscription),
  });
}

/** @param {HTMLButtonElement} button */
async function add(button) {
  const refusal = element("push-refusal", HTMLElement);
  refusal.textContent = "";
  button.disabled = true;
  try {
    if ((await Notification.requestPermission()) === "granted") {
      const answer = await tell(await agree());
      // The server draws the list, and says what was done.
      if (answer.ok) location.reload();
      else refusal.textContent = (await answer.json()).sentence;
    }
  } catch {
    refusal.textContent = sentence(panel, "failed");
  }
  button.disabled = false;
  draw(button);
}

if (here) {
  here.addEventListener("click", () => add(here));
  draw(here);
}

elementIfAny("push-own", HTMLFormElement)?.addEventListener("submit", async (event) => {
  if (!isAble || !(event.currentTarget instanceof HTMLFormElement)) return;
  const form = event.currentTarget;
  event.preventDefault();
  try {
    await (await agreed())?.unsubscribe();
  } finally {
    form.submit();
  }
});
