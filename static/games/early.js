// Runs before the first paint: the page is painted as its scripts want it, so that nothing moves when they start. Should
// they not start, the page goes back to what works without them.

document.documentElement.classList.add("live");
document.addEventListener("DOMContentLoaded", () => {
  const { classList } = document.documentElement;
  if (!classList.contains("started")) classList.remove("live");
});
