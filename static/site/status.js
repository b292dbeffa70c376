// The round trip of the status page: press, task, answer through this page's own socket.

import { listen } from "./socket.js";

const form = document.getElementById("round-trip-form");
const line = document.getElementById("round-trip-line");
const connection = document.getElementById("round-trip-connection");
const result = document.getElementById("round-trip-result");

const PATIENCE = 10_000;

let pressedAt = null;
let giveUp = null;

function receive(message) {
  if (message.kind === "line") {
    line.value = message.line;
    connection.textContent = "Live connection: open.";
  } else if (message.kind === "answered" && pressedAt !== null) {
    finish(`The answer came back in ${Math.round(performance.now() - pressedAt)} ms.`);
  }
}

function loseLine() {
  line.value = "";
  connection.textContent = "No live connection: an answer cannot reach this page. Trying again …";
}

async function start(event) {
  event.preventDefault();
  if (!line.value) {
    result.textContent = "Nothing was sent: this page has no live connection, so no answer could come back.";
    return;
  }
  pressedAt = performance.now();
  result.textContent = "On its way …";
  clearTimeout(giveUp);
  giveUp = setTimeout(() => finish("No answer within 10 seconds. Is a worker running?"), PATIENCE);
  try {
    const response = await fetch(form.action, { method: "POST", body: new FormData(form) });
    if (!response.ok) finish(`The server refused (${response.status}). Reload the page and try again.`);
  } catch {
    finish("The server could not be reached. Try again in a moment.");
  }
}

function finish(sentence) {
  clearTimeout(giveUp);
  pressedAt = null;
  result.textContent = sentence;
}

form.addEventListener("submit", start);
listen("/ws/status/", receive, loseLine);
