// The browser half of every HTML panel. Python draws; this keeps an ordered map of parts
// (key → HTML), replaces the nodes whose HTML changed, and sends back what a person does.
import { faceOf } from "./panel/faces.js";
import { forget, storeOf } from "./panel/store.js";

/**
 * Exactly the synced traits of ragnb.panels.board.Board.
 * @typedef {{ view: string, label: string, child: string }} PanelTraits
 */
/** @typedef {import("./types").Model<PanelTraits>} Model */

export default {
  /** @param {{ model: Model }} context */
  initialize({ model }) {
    storeOf(model);
    return () => forget(model);
  },
  /** @param {{ model: Model, el: HTMLElement }} context */
  render({ model, el }) {
    const store = storeOf(model);
    const face = faceOf(store);
    el.append(face.root);
    requestAnimationFrame(() => {
      if (face.root.isConnected) face.root.dataset.shown = "";
    });
    store.ask();
    return () => {
      if (face.root.parentElement !== el) return; // it is shown elsewhere by now
      face.root.remove();
      store.faces.delete(face);
      if (!store.faces.size) model.send({ kind: "gone" });
    };
  },
};
