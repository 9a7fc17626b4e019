// The displayed copies of a panel: made, thrown out by a page and shown again.
import { listen } from "./acting.js";
import { draw } from "./drawing.js";

/** @typedef {import("../types").Face} Face */
/** @typedef {import("./store.js").Store} Store */

/**
 * Make the view of the child widget; `draw` puts it below the parts of its region.
 * @param {Face} face
 * @param {Store} store
 */
async function adopt(face, store) {
  const id = store.model.get("child");
  if (!id || !store.model.widget_manager) return;
  const child = await store.model.widget_manager.get_model(id.replace("IPY_MODEL_", ""));
  const view = await store.model.widget_manager.create_view(child);
  face.child = document.createElement("div");
  face.child.className = "rb-child";
  face.child.append(view.el);
  draw(face, store, []);
}

/**
 * Whether a page threw a copy out of its place, as it does when it draws an output again; one that
 * was only scrolled out of sight still has its cell around it.
 * @param {Face} face
 */
const thrownOut = ({ root }) =>
  root.dataset.shown !== undefined && !root.isConnected && !root.closest(".jp-Cell, .jp-OutputArea");

/**
 * A copy that was thrown out is shown again as it was: fields, tab and scroll position.
 * @param {Store} store
 * @returns {Face}
 */
export function faceOf(store) {
  for (const face of store.faces) if (thrownOut(face)) return face;
  const root = document.createElement("div");
  const inner = document.createElement("div");
  root.className = `rb rb-view-${store.model.get("view")}`;
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", store.model.get("label"));
  root.dataset.lmSuppressShortcuts = "true";
  inner.className = "rb-in";
  root.append(inner);
  /** @type {Face} */
  const face = { root, inner, nodes: new Map(), regions: new Map(), pointed: {} };
  store.faces.add(face);
  listen(face, store);
  draw(face, store, store.order);
  void adopt(face, store);
  return face;
}
