// The browser half of every HTML panel. Python draws; this module keeps an ordered map of parts
// (key → HTML), replaces the nodes whose HTML changed, and sends back what a person does.

/**
 * Exactly the synced traits of ragnb.panels.board.Board.
 * @typedef {{ view: string, label: string, child: string }} PanelTraits
 */
/** @typedef {import("./types").Model<PanelTraits>} Model */
/** @typedef {import("./types").Patch} Patch */
/** @typedef {{ root: HTMLElement, inner: HTMLElement, nodes: Map<string, HTMLElement>, regions: Map<string, HTMLElement>, child?: HTMLElement, pointed: Record<string, Element | null>, area?: HTMLElement }} Face */

const REGION = "/";
const CHILD = "timeline";
/** @type {WeakMap<object, Store>} */
const stores = new WeakMap();

/** What a page knows of one panel, however often it is displayed. */
class Store {
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

/**
 * Bring a displayed copy up to date; nodes whose HTML did not change stay as they are.
 * @param {Face} face
 * @param {Store} store
 * @param {string[]} changed
 */
function draw(face, store, changed) {
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
  mark(face);
  restore(face, kept);
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
 * Which control has the focus, and what a person typed into fields that are about to be replaced.
 * @param {Face} face
 */
function remember(face) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  const inside = active && face.root.contains(active) && active !== face.root ? active : null;
  /** @type {Map<string, { was: string, now: string }>} */
  const typed = new Map();
  for (const field of face.root.querySelectorAll("input[name]")) {
    const input = /** @type {HTMLInputElement} */ (field);
    if (input.value !== input.defaultValue) {
      typed.set(input.name, { was: input.defaultValue, now: input.value });
    }
  }
  const caret = inside instanceof HTMLInputElement && inside.type === "text";
  return {
    inside,
    name: inside ? nameOf(inside) : "",
    caret: caret ? [inside.selectionStart, inside.selectionEnd] : null,
    typed,
  };
}

/**
 * @param {Face} face
 * @param {ReturnType<typeof remember>} kept
 */
function restore(face, kept) {
  for (const [name, { was, now }] of kept.typed) {
    const input = /** @type {HTMLInputElement | null} */ (
      face.root.querySelector(`input[name="${CSS.escape(name)}"]`)
    );
    if (input && input.defaultValue === was) input.value = now;
  }
  if (!kept.inside || kept.inside.isConnected) return;
  const controls = /** @type {NodeListOf<HTMLElement>} */ (
    face.root.querySelectorAll("button, input, select, summary, a, [tabindex]")
  );
  const again = [...controls].find(
    (each) => nameOf(each) === kept.name && !each.matches(":disabled"),
  );
  (again ?? face.root).focus({ preventScroll: true });
  if (kept.caret && again instanceof HTMLInputElement) {
    again.setSelectionRange(kept.caret[0], kept.caret[1]);
  }
}

/** @param {HTMLElement} element */
function nameOf(element) {
  const { action = "", id = "", value = "", tab = "", key = "" } = element.dataset;
  const field = /** @type {HTMLInputElement} */ (element).name ?? "";
  return [element.tagName, action, id, value, tab, key, field].join("|");
}

/**
 * Show which tab is chosen.
 * @param {Face} face
 */
function mark(face) {
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
 * What the fields around a control hold; pressed toggles of one name make a list.
 * @param {Element | null} form
 */
export function valuesOf(form) {
  /** @type {Record<string, any>} */
  const values = {};
  for (const field of form?.querySelectorAll("[name]") ?? []) {
    const input = /** @type {HTMLInputElement} */ (field);
    if (input.hasAttribute("aria-pressed")) {
      const list = (values[input.name] ??= []);
      if (input.getAttribute("aria-pressed") === "true") list.push(input.value);
    } else {
      values[input.name] = input.value;
    }
  }
  return values;
}

/**
 * @param {Store} store
 * @param {HTMLElement} control
 */
function act(store, control) {
  const { action, id = "", value } = control.dataset;
  const own = /** @type {HTMLInputElement} */ (control).value;
  const field = control.matches("input, select");
  const form = control.closest("[data-form]");
  store.unanswered = true;
  store.model.send({
    kind: "act",
    action,
    id,
    value: field ? own : (value ?? ""),
    form: valuesOf(form),
    edited: form?.hasAttribute("data-edited") ?? false,
  });
}

/**
 * @param {Face} face
 * @param {Store} store
 */
function listen(face, store) {
  const { root } = face;
  root.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const control = /** @type {HTMLElement | null} */ (
      target.closest("[data-tab], [data-action], [data-toggle], [data-copy]")
    );
    if (!control || control === root || control.matches("input, select, :disabled")) return;
    if (control.dataset.tab) {
      root.dataset.tab = control.dataset.tab;
      mark(face);
    }
    if (control.dataset.toggle !== undefined) {
      const pressed = control.getAttribute("aria-pressed") === "true";
      control.setAttribute("aria-pressed", String(!pressed));
      edited(control);
    }
    if (control.dataset.copy) navigator.clipboard?.writeText(control.dataset.copy).catch(() => {});
    if (control.dataset.action) act(store, control);
    if (control.dataset.open) {
      root.dataset.tab = control.dataset.open;
      mark(face);
      face.regions.get(control.dataset.open)?.scrollIntoView?.({ block: "nearest" });
    }
  });
  root.addEventListener("change", (event) => {
    const control = /** @type {HTMLElement} */ (event.target);
    if (control.matches("input[data-action], select[data-action]")) act(store, control);
    else edited(control);
  });
  root.addEventListener("input", (event) => edited(/** @type {HTMLElement} */ (event.target)));
  root.addEventListener("keydown", (event) => press(face, store, event));
  root.addEventListener("mouseover", (event) => point(face, "mouse", event.target));
  root.addEventListener("mouseleave", () => point(face, "mouse", null));
  root.addEventListener("focusin", (event) => point(face, "focus", event.target));
  root.addEventListener("focusout", () => point(face, "focus", null));
}

/**
 * Mark, wherever they are shown, the quotes that what is pointed at or has the focus rests on.
 * @param {Face} face
 * @param {"mouse" | "focus"} by
 * @param {EventTarget | null} target
 */
function point(face, by, target) {
  const element = /** @type {HTMLElement | null} */ (target);
  const unit = element?.closest("li, blockquote, .ev, .pair > div, .eh") ?? null;
  if (unit === (face.pointed[by] ?? null)) return;
  face.pointed[by] = unit;
  const ids = new Set();
  for (const each of Object.values(face.pointed)) {
    for (const cited of each?.querySelectorAll("[data-action=evidence]") ?? []) {
      ids.add(/** @type {HTMLElement} */ (cited).dataset.id);
    }
  }
  for (const each of face.root.querySelectorAll("[data-action=evidence], mark[data-id]")) {
    const place = each.closest("blockquote, .ev, .pair > div") ?? each;
    place.classList.toggle("hot", ids.has(/** @type {HTMLElement} */ (each).dataset.id));
  }
}

/** @param {HTMLElement} control */
function edited(control) {
  const form = control.closest("[data-form]");
  if (!form || control.dataset.action) return;
  form.setAttribute("data-edited", "");
  const call = /** @type {HTMLElement | null} */ (form.querySelector("[data-edited-call]"));
  if (call) call.textContent = call.dataset.editedCall ?? "";
}

/**
 * A key that is held goes on as soon as its last press was answered, and leaves no queue behind.
 * @param {Face} face
 * @param {Store} store
 * @param {KeyboardEvent} event
 */
function press(face, store, event) {
  const target = /** @type {HTMLElement} */ (event.target);
  const typing = target.matches("input, select, textarea");
  if (event.key === "Escape" && typing) return void face.root.focus({ preventScroll: true });
  if (event.key === "Enter" && target.matches("input[type=text]")) {
    const submit = target.closest("[data-form]")?.querySelector("[data-submit]");
    return void (/** @type {HTMLElement | null} */ (submit)?.click());
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && target !== face.root) return; // a focused control is pressed by Space
  const name = (event.shiftKey ? "Shift+" : "") + event.key;
  const wanted = [...face.root.querySelectorAll("[data-key-press]")].find((each) =>
    (each.getAttribute("data-key-press") ?? "").split(",").includes(name === " " ? "Space" : name),
  );
  if (!wanted) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.repeat && (store.unanswered || !event.key.startsWith("Arrow"))) return;
  /** @type {HTMLElement} */ (wanted).click();
}

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

/** @param {Model} model */
function storeOf(model) {
  let store = stores.get(model);
  if (!store) stores.set(model, (store = new Store(model)));
  return store;
}

/**
 * Whether a page threw a copy out of its place, as it does when it draws an output again; one that
 * was only scrolled out of sight still has its cell around it.
 * @param {Face} face
 */
const thrownOut = ({ root }) =>
  root.dataset.shown !== undefined && !root.isConnected && !root.closest(".jp-Cell, .jp-OutputArea");

/**
 * An output that is drawn again is empty for a moment; its place keeps its height meanwhile, else
 * the page would scroll.
 * @param {Face} face
 */
function keepPlace(face) {
  const area = /** @type {HTMLElement | null} */ (face.root.closest(".jp-OutputArea"));
  if (!area || face.area === area) return;
  face.area = area;
  let tall = 0;
  new ResizeObserver(() => (tall = face.root.isConnected ? area.offsetHeight : tall)).observe(face.root);
  new MutationObserver(() => {
    if (face.root.isConnected) return void (area.style.minHeight = "");
    if (!tall || area.style.minHeight) return;
    area.style.minHeight = `${tall}px`;
    setTimeout(() => (area.style.minHeight = ""), 1500); // it is gone for good
  }).observe(area, { childList: true, subtree: true });
}

/**
 * A copy that was thrown out is shown again as it was: fields, tab and scroll position.
 * @param {Store} store
 * @returns {Face}
 */
function faceOf(store) {
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

export default {
  /** @param {{ model: Model }} context */
  initialize({ model }) {
    const store = storeOf(model);
    return () => {
      model.off("msg:custom", store.hear);
      stores.delete(model);
    };
  },
  /** @param {{ model: Model, el: HTMLElement }} context */
  render({ model, el }) {
    const store = storeOf(model);
    const face = faceOf(store);
    el.append(face.root);
    requestAnimationFrame(() => {
      if (!face.root.isConnected) return;
      face.root.dataset.shown = "";
      keepPlace(face);
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
