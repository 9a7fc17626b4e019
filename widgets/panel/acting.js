// What a person does in a copy: clicks, fields, pointing and keys, and what of it is sent back.
import { showTab } from "./drawing.js";

/** @typedef {import("../types").Face} Face */
/** @typedef {import("./store.js").Store} Store */

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
export function listen(face, store) {
  const { root } = face;
  root.addEventListener("click", (event) => {
    const target = /** @type {HTMLElement} */ (event.target);
    const control = /** @type {HTMLElement | null} */ (
      target.closest("[data-tab], [data-action], [data-toggle], [data-copy]")
    );
    if (!control || control === root || control.matches("input, select, :disabled")) return;
    if (control.dataset.tab) {
      root.dataset.tab = control.dataset.tab;
      showTab(face);
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
      showTab(face);
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

/** @param {HTMLElement} control */
function edited(control) {
  const form = control.closest("[data-form]");
  if (!form || control.dataset.action) return;
  form.setAttribute("data-edited", "");
  const call = /** @type {HTMLElement | null} */ (form.querySelector("[data-edited-call]"));
  if (call) call.textContent = call.dataset.editedCall ?? "";
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
