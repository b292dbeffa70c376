// One's own seat: taking it back from a stand-in, and what shall happen when one is away.

import { byId } from "./dom.js";

// `wish` asks the server and tells whether it was done.
export function setUpSeat(store, wish) {
  const back = byId("take-back");
  const choice = byId("if-absent");
  const saved = byId("if-absent-saved");
  let shown = store.page.if_absent;
  let isComingBack = false;
  let saving = Promise.resolve();

  back.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (isComingBack) return;
    isComingBack = true;
    await wish({ wish: "take_back" });
    isComingBack = false;
  });

  // The arrow keys walk over the choices: one is saved after the other, so that the last one counts.
  choice?.addEventListener("change", () => {
    saved.textContent = "";
    saving = saving.then(save);
  });

  async function save() {
    const isDone = await wish({ wish: "if_absent", if_absent: choice.elements.if_absent.value });
    if (isDone) saved.textContent = store.phrases.saved;
    else choice.elements.if_absent.value = shown;
  }

  return function draw() {
    const { is_replaced: isReplaced, if_absent: ifAbsent, status } = store.page;
    const focused = back.contains(document.activeElement);
    back.hidden = !isReplaced;
    if (focused && !isReplaced) byId("prompt").focus();
    const settings = byId("seat-settings");
    if (settings) settings.hidden = !["running", "paused"].includes(status);
    // A choice that is on its way must not be turned back by an older page.
    if (choice && ifAbsent !== shown) choice.elements.if_absent.value = ifAbsent;
    shown = ifAbsent;
  };
}
