// A browser keeps the page that says that one is offline, and nothing else.

// It can wait: whatever the page itself needs comes first.
addEventListener("load", () => navigator.serviceWorker?.register("/service-worker.js").catch(() => {}));
