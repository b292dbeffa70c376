// The front page, kept current: the socket says that something changed, the server then draws what lies open anew.

import { element } from "../site/elements.js";
import { listen } from "../site/socket.js";
import { live } from "./live.js";
import { showWaiting } from "./waiting.js";

const front = element("front", HTMLElement);
const news = element("front-news", HTMLElement);
let asks = front.querySelectorAll(".asks").length;

const countWaiting = () => showWaiting(front, Number(front.querySelector("[data-waiting]")?.getAttribute("data-waiting")));
countWaiting();

const catchUp = live(front, {
  drawn() {
    countWaiting();
    const asksNow = front.querySelectorAll(".asks").length;
    // Somebody who does not see the page is told of what waits for them, and of nothing else.
    if (asksNow > asks) news.textContent = `${news.dataset.waits}`;
    asks = asksNow;
  },
});

// A page may have missed something before its socket opened.
listen("/ws/front/", catchUp);
