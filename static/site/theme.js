// The switch between paper and night. The choice is kept in a cookie, so that the server draws the next page right from the start.

import { element, parts } from "./elements.js";

const YEAR = 365 * 24 * 60 * 60;
const root = document.documentElement;
const night = matchMedia("(prefers-color-scheme: dark)");
const button = element("theme-switch", HTMLButtonElement);

const isDark = () => (root.dataset.theme ?? (night.matches ? "dark" : "light")) === "dark";
const tints = parts(document, "meta[name='theme-color']", HTMLMetaElement);

function show() {
  button.setAttribute("aria-pressed", `${isDark()}`);
  // The browser's own frame goes with the page.
  for (const tint of tints) tint.media = (tint.dataset.theme === "dark") === isDark() ? "all" : "not all";
}

/** @param {"light" | "dark"} theme */
function choose(theme) {
  // Whoever picks what the system says anyway goes on following the system.
  const followsSystem = (theme === "dark") === night.matches;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `theme=${theme}; Path=/; SameSite=Lax; Max-Age=${followsSystem ? 0 : YEAR}${secure}`;
  if (followsSystem) delete root.dataset.theme;
  else root.dataset.theme = theme;
  show();
}

button.addEventListener("click", () => choose(isDark() ? "light" : "dark"));
night.addEventListener("change", show);
show();
