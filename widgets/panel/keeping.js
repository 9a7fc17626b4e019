// What a person has in hand while parts are drawn again: the focus and what was typed.

/** @typedef {import("../types").Face} Face */

/**
 * Which control has the focus, and what a person typed into fields that are about to be replaced.
 * @param {Face} face
 */
export function remember(face) {
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
export function restore(face, kept) {
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
