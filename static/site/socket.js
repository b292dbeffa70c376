// A socket that comes back by itself.

const LONGEST_PAUSE = 30_000;

/**
 * @template Message
 * @param {string} path
 * @param {(message: Message) => void} onMessage
 * @param {() => void} [onClose]
 */
export function listen(path, onMessage, onClose = () => {}) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  let failures = 0;
  /** @type {WebSocket} */
  let socket;
  /** @type {number | undefined} */
  let retry;

  function connect() {
    retry = undefined;
    socket = new WebSocket(`${scheme}//${location.host}${path}`);
    socket.addEventListener("message", (event) => {
      failures = 0;
      onMessage(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      onClose();
      // A random pause, longer after each failure: after a restart, pages must not all come back in the same moment.
      retry = setTimeout(connect, Math.random() * Math.min(LONGEST_PAUSE, 1000 * 2 ** failures));
      failures += 1;
    });
  }

  // A line that is back needs no pause: it was cut for this page alone.
  addEventListener("online", () => {
    failures = 0;
    if (retry === undefined) return;
    clearTimeout(retry);
    connect();
  });
  // A cut line closes no socket by itself for a long time.
  addEventListener("offline", () => socket.close());

  connect();
}
