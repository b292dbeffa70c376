// The round trip of the status page: press, task, answer through this page's own socket.

import { element } from "./elements.js";
import { listen } from "./socket.js";
import { sentence } from "./words.js";

/** @typedef {{ kind: "line", line: string } | { kind: "answered" }} Message */

const form = element("round-trip-form", HTMLFormElement);
const line = element("round-trip-line", HTMLInputElement);
const connection = element("round-trip-connection", HTMLElement);
const result = element("round-trip-result", HTMLElement);

const PATIENCE = 10;

/** @type {number | null} */
let pressedAt = null;
/** @type {number | undefined} */
let giveUp;

/** @param {Message} message */
function receive(message) {
  if (message.kind === "line") {
    line.value = message.line;
    connection.textContent = sentence(connection, "open");
  } else if (message.kind === "answered" && pressedAt !== null) {
    finish("answered", { milliseconds: Math.round(performance.now() - pressedAt) });
  }
}

function loseLine() {
  line.value = "";
  connection.textContent = sentence(connection, "lost");
}

/** @param {SubmitEvent} event */
async function start(event) {
  event.preventDefault();
  if (!line.value) {
    result.textContent = sentence(result, "unsent");
    return;
  }
  pressedAt = performance.now();
  result.textContent = sentence(result, "sent");
  clearTimeout(giveUp);
  giveUp = setTimeout(() => finish("unanswered", { seconds: PATIENCE }), 1000 * PATIENCE);
  try {
    const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
    if (!response.ok) finish("refused", { status: response.status });
  } catch {
    finish("unreachable");
  }
}

/**
 * @param {string} outcome
 * @param {Record<string, number>} [values]
 */
function finish(outcome, values) {
  clearTimeout(giveUp);
  pressedAt = null;
  result.textContent = sentence(result, outcome, values);
}

form.addEventListener("submit", start);
listen("/ws/status/", receive, loseLine);
