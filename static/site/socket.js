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

  function connect() {
    const socket = new WebSocket(`${scheme}//${location.host}${path}`);
    socket.addEventListener("message", (event) => {
      failures = 0;
      onMessage(JSON.parse(event.data));
    });
    socket.addEventListener("close", () => {
      onClose();
      // A random pause, longer after each failure: after a restart, pages must not all come back in the same moment.
      setTimeout(connect, Math.random() * Math.min(LONGEST_PAUSE, 1000 * 2 ** failures));
      failures += 1;
    });
  }

  connect();
}
