// A page without a browser, and a kernel that says what it was sent.
import { Window } from "happy-dom";

const window = new Window();
for (const name of ["document", "navigator", "HTMLElement", "HTMLInputElement", "KeyboardEvent",
  "MouseEvent", "FocusEvent", "Event", "MutationObserver", "getComputedStyle"]) {
  const value = name === "document" ? window.document : /** @type {any} */ (window)[name];
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
globalThis.CSS ??= /** @type {any} */ ({ escape: (/** @type {string} */ text) => text });
globalThis.requestAnimationFrame = /** @type {any} */ ((/** @type {any} */ call) => setTimeout(call, 0));
globalThis.ResizeObserver = /** @type {any} */ (class { observe() {} disconnect() {} });

export class Model {
  /** @param {Record<string, any>} traits */
  constructor(traits) {
    this.traits = traits;
    /** @type {any[]} */
    this.sent = [];
    /** @type {Set<(...given: any[]) => void>} */
    this.heard = new Set();
  }
  get(name) { return this.traits[name]; }
  set(name, value) { this.traits[name] = value; }
  save_changes() {}
  send(message) { this.sent.push(message); }
  on(_, callback) { this.heard.add(callback); }
  off(_, callback) { this.heard.delete(callback); }
  say(message, buffers = []) { for (const callback of [...this.heard]) callback(message, buffers); }
}

export function place() {
  const el = document.createElement("div");
  document.body.append(el);
  return el;
}
