// A socket that comes back by itself.

// What a server says when it closes a socket: it restarts, it has too much to do, this visitor has too many sockets.
const RESTARTING = 1012;
const TRY_AGAIN_LATER = 1013;
const TOO_MANY = 4429;
// Whoever the page belongs to is banned: the page itself is to say so.
const SHUT_OUT = 4403;
const LONGEST_PAUSE = 30_000;

/**
 * Milliseconds until the next try, after so many that failed. Always a random part of a span: pages that lose their
 * sockets in the same moment must not all come back in the same moment.
 * @param {number} code
 * @param {number} failures
 */
function pause(code, failures) {
  if (code === TOO_MANY) return LONGEST_PAUSE * (1 + Math.random());
  const longer = 2 ** Math.min(failures, 5);
  // Another process is there already, and takes over.
  if (code === RESTARTING && failures === 0) return 1000 * Math.random();
  if (code === TRY_AGAIN_LATER) return Math.min(LONGEST_PAUSE, 1000 * longer) * (0.5 + Math.random());
  return Math.min(LONGEST_PAUSE, 2000 * longer) * Math.random();
}

/**
 * @template Message
 * @param {string} path
 * @param {(message: Message) => void} onMessage
 * @param {(code: number) => void} [onClose]
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
    socket.addEventListener("close", ({ code }) => {
      onClose(code);
      if (code === SHUT_OUT) {
        location.reload();
        return;
      }
      retry = setTimeout(connect, pause(code, failures));
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
  return {
    /**
     * Lost if the line is cut: what must be known is said again at each greeting.
     * @param {object} message
     */
    say(message) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
    },
  };
}
