// The few lines that every module needs to make and find elements.

export const byId = (id) => document.getElementById(id);

const icons = byId("game").dataset.icons;
const SVG = "http://www.w3.org/2000/svg";

export const setText = (element, text) => {
  if (element.textContent !== `${text}`) element.textContent = text;
};

// A sentence of the server's with its gaps filled in.
export const fill = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_gap, name) => values[name]);

// Says something to those who listen to the page.
export const announce = (text) => {
  byId("announcer").textContent = text;
};

// What is outside an open sheet is silent, so the announcer goes where it is heard.
export function placeAnnouncer() {
  const home = document.querySelector("dialog[open]") ?? byId("game");
  if (byId("announcer").parentElement !== home) home.append(byId("announcer"));
}

export function svg(tag, attributes = {}, ...children) {
  return build(document.createElementNS(SVG, tag), attributes, children);
}

export function html(tag, attributes = {}, ...children) {
  return build(document.createElement(tag), attributes, children);
}

function build(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

const DEVELOPMENTS = {
  knight: "#shape-knight",
  road_building: `${icons}#road`,
  year_of_plenty: "#shape-plenty",
  monopoly: "#shape-monopoly",
  victory_point: `${icons}#card`,
};

// A card with its symbol: a resource in its colours, or a development card.
export function card(name) {
  const href = DEVELOPMENTS[name] ?? `${icons}#${name}`;
  const label = name.replaceAll("_", " ");
  const symbol = svg("svg", { class: "icon", role: "img", "aria-label": label }, svg("use", { href }));
  return html("span", { class: `resource resource-${name}` }, symbol);
}

export function cards(counts) {
  return Object.entries(counts).map(([name, count]) => html("span", { class: "counted" }, card(name), html("b", {}, `${count}`)));
}

// Puts children in place, in their order, without touching those that are there already, so that focus and motion survive.
export function reconcile(parent, wanted, make) {
  const present = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  const keys = new Set(wanted.map(([key]) => key));
  for (const [key, child] of present) if (!keys.has(key)) child.remove();
  const added = [];
  let next = parent.firstElementChild;
  for (const [key, value] of wanted) {
    let child = present.get(key);
    if (!child) {
      child = make(value);
      child.dataset.key = key;
      added.push(child);
    }
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
  return added;
}
