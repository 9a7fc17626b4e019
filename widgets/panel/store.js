// What a page knows of one panel, and how the kernel's patches change it.
import { draw } from "./drawing.js";

/** @typedef {import("../types").Model<import("../panel.js").PanelTraits>} Model */
/** @typedef {import("../types").Patch} Patch */
/** @typedef {import("../types").Face} Face */

/** @type {WeakMap<object, Store>} */
const stores = new WeakMap();

/** What a page knows of one panel, however often it is displayed. */
export class Store {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.number = 0;
    this.unanswered = false;
    /** @type {string[]} */
    this.order = [];
    /** @type {Map<string, string>} */
    this.parts = new Map();
    /** @type {Set<Face>} */
    this.faces = new Set();
    /** @type {(message: any) => void} */
    this.hear = (message) => {
      if (message?.kind === "parts") this.take(message);
    };
    model.on("msg:custom", this.hear);
  }

  ask() {
    this.model.send({ kind: "ready" });
  }

  /** @param {Patch} patch */
  take(patch) {
    if (!patch.fresh && patch.n !== this.number + 1) {
      if (patch.n > this.number) this.ask(); // something was lost on the way
      return;
    }
    this.number = patch.n;
    this.unanswered = false;
    if (patch.fresh) this.parts.clear();
    for (const key of patch.drop ?? []) this.parts.delete(key);
    for (const [key, html] of Object.entries(patch.set)) this.parts.set(key, html);
    this.order = ordered(this.order, patch);
    const changed = Object.keys(patch.set);
    for (const face of this.faces) draw(face, this, changed);
  }
}

/**
 * The keys after a patch.
 * @param {string[]} order
 * @param {Patch} patch
 */
export function ordered(order, patch) {
  if (patch.order) return patch.order;
  const gone = new Set(patch.drop ?? []);
  const keys = order.filter((key) => !gone.has(key));
  for (const [key, before] of patch.after ?? []) {
    keys.splice(before === null ? 0 : keys.lastIndexOf(before) + 1, 0, key);
  }
  return keys;
}

/** @param {Model} model */
export function storeOf(model) {
  let store = stores.get(model);
  if (!store) stores.set(model, (store = new Store(model)));
  return store;
}

/** @param {Model} model */
export function forget(model) {
  const store = stores.get(model);
  if (store) model.off("msg:custom", store.hear);
  stores.delete(model);
}
