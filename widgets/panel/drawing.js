// Bringing a displayed copy up to date: nodes whose HTML did not change stay as they are.
import { remember, restore } from "./keeping.js";

/** @typedef {import("../types").Face} Face */
/** @typedef {import("./store.js").Store} Store */

const REGION = "/";
const CHILD = "timeline";

/**
 * Bring a displayed copy up to date; nodes whose HTML did not change stay as they are.
 * @param {Face} face
 * @param {Store} store
 * @param {string[]} changed
 */
export function draw(face, store, changed) {
  const kept = remember(face);
  hold(face, store, changed);
  for (const [key, node] of face.nodes) {
    if (!store.parts.has(key)) {
      node.remove();
      face.nodes.delete(key);
    }
  }
  for (const key of changed) {
    let node = face.nodes.get(key);
    if (!node) {
      node = document.createElement("div");
      node.className = "rb-part";
      node.dataset.key = key;
      face.nodes.set(key, node);
    }
    node.innerHTML = store.parts.get(key) ?? "";
    for (const link of node.querySelectorAll("a")) {
      link.target = "_blank";
      link.rel = "noopener noreferrer";
    }
  }
  /** @type {Map<string, number>} */
  const places = new Map();
  for (const key of store.order) {
    const node = face.nodes.get(key);
    if (!node) continue;
    const name = key.split(REGION, 1)[0];
    const region = face.regions.get(name) ?? addRegion(face, name);
    const place = places.get(name) ?? 0;
    if (region.children[place] !== node) region.insertBefore(node, region.children[place] ?? null);
    places.set(name, place + 1);
  }
  for (const [name, region] of face.regions) region.hidden = !places.has(name);
  const below = face.regions.get(CHILD);
  if (face.child && below && face.child.parentElement !== below) below.append(face.child);
  showTab(face);
  restore(face, kept);
}

/**
 * While a step runs its card is shorter; its region keeps its height, so that nothing below jumps.
 * @param {Face} face
 * @param {Store} store
 * @param {string[]} changed
 */
function hold(face, store, changed) {
  for (const key of changed) {
    const region = face.regions.get(key.split(REGION, 1)[0]);
    if (!region) continue;
    const holds = /^<div[^>]* data-hold=/.test(store.parts.get(key) ?? "");
    if (!holds) region.style.minHeight = "";
    else if (!region.style.minHeight) region.style.minHeight = `${region.offsetHeight}px`;
  }
}

/**
 * @param {Face} face
 * @param {string} name
 */
function addRegion(face, name) {
  const region = document.createElement("section");
  region.className = `rb-region rb-${name}`;
  region.dataset.region = name;
  region.setAttribute("aria-label", name);
  face.inner.append(region);
  face.regions.set(name, region);
  return region;
}

/**
 * Show which tab is chosen.
 * @param {Face} face
 */
export function showTab(face) {
  choose(face);
  bring(face);
}

/** @param {Face} face */
function choose(face) {
  const tabs = /** @type {HTMLElement[]} */ ([...face.root.querySelectorAll("[data-tab]")]).filter(
    (each) => each !== face.root,
  );
  if (!tabs.length) return;
  const first = tabs[0].dataset.tab ?? "";
  const chosen = face.root.dataset.tab ?? first;
  face.root.dataset.tab = chosen;
  for (const tab of tabs) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === chosen));
    face.regions.get(tab.dataset.tab ?? "")?.setAttribute("role", "tabpanel");
  }
}

/**
 * Scroll a source to its quote, once, when it is first seen.
 * @param {Face} face
 */
function bring(face) {
  for (const quote of face.root.querySelectorAll(".txt mark:not([data-brought])")) {
    const text = /** @type {HTMLElement} */ (quote.closest(".txt"));
    if (!text.clientHeight) continue; // its tab is hidden
    const above = quote.getBoundingClientRect().top - text.getBoundingClientRect().top;
    if (above > text.clientHeight * 0.6) text.scrollTop += above - text.clientHeight / 3;
    quote.setAttribute("data-brought", "");
  }
}
