import assert from "node:assert/strict";
import test from "node:test";
import { Model, place } from "./page.js";
import panel from "../panel.js";
import { valuesOf } from "../panel/acting.js";
import { ordered } from "../panel/store.js";

const traits = { view: "inspector", label: "Inspector of a run", child: "" };
const START = {
  kind: "parts", n: 1, fresh: true, order: ["bar/a", "bar/b", "next/card"],
  set: {
    "bar/a": '<button data-action="step" data-key-press="ArrowRight">Step</button>',
    "bar/b": "<span>told</span>",
    "next/card": '<div data-form><input type="text" name="query" value="old">' +
      '<button data-toggle name="channels" value="bm25" aria-pressed="true">bm25</button>' +
      '<code data-edited-call="edited">plain</code>' +
      '<button data-action="do" data-submit>Do</button></div>',
  },
};

function shown() {
  const model = new Model({ ...traits });
  const forget = panel.initialize({ model });
  const el = place();
  const close = panel.render({ model, el });
  model.say(START);
  const root = el.firstElementChild;
  const at = (key) => root.querySelector(`[data-key="${key}"]`);
  return { model, el, root, at, close, forget };
}

test("a page asks for the parts and shows them in their regions, in order", () => {
  const { model, root } = shown();
  assert.equal(model.sent[0].kind, "ready");
  assert.deepEqual([...root.querySelectorAll("[data-key]")].map((e) => e.dataset.key), START.order);
  assert.equal(root.querySelectorAll("section").length, 2);
  assert.equal(root.getAttribute("aria-label"), "Inspector of a run");
});

test("only the nodes whose HTML changed are touched", () => {
  const { model, at } = shown();
  const [kept, inner] = [at("bar/a"), at("bar/a").firstElementChild];
  model.say({ kind: "parts", n: 2, set: { "bar/b": "<b>new</b>", "bar/c": "c" },
    after: [["bar/c", "bar/a"]] });
  assert.equal(at("bar/a"), kept);
  assert.equal(at("bar/a").firstElementChild, inner);
  assert.equal(at("bar/b").innerHTML, "<b>new</b>");
  assert.equal(kept.nextElementSibling, at("bar/c"));
});

test("parts that went are taken away, and their region is hidden", () => {
  const { model, root, at } = shown();
  model.say({ kind: "parts", n: 2, set: {}, drop: ["next/card"] });
  assert.equal(at("next/card"), null);
  assert.equal(root.querySelector(".rb-next").hidden, true);
});

test("a lost message is noticed and everything is asked for again", () => {
  const { model, at } = shown();
  const before = model.sent.length;
  model.say({ kind: "parts", n: 4, set: { "bar/b": "later" } });
  assert.deepEqual(model.sent.slice(before), [{ kind: "ready" }]);
  assert.equal(at("bar/b").textContent, "told");
  model.say({ ...START, n: 5, set: { ...START.set, "bar/b": "later" } });
  assert.equal(at("bar/b").textContent, "later");
});

test("a click says what was clicked, with what the fields around it hold", () => {
  const { model, root } = shown();
  root.querySelector("[data-toggle]").click();
  root.querySelector('[data-action="do"]').click();
  const told = model.sent.at(-1);
  assert.equal(told.action, "do");
  assert.deepEqual(told.form, { query: "old", channels: [] });
  assert.equal(told.edited, true);
  assert.equal(root.querySelector("code").textContent, "edited");
});

test("a key presses the control that names it, but not while a person types", () => {
  const { model, root } = shown();
  const press = (target) => target.dispatchEvent(
    new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
  press(root.querySelector("input"));
  assert.equal(model.sent.at(-1).kind, "ready");
  press(root);
  assert.equal(model.sent.at(-1).action, "step");
});

test("what a person typed survives an update that keeps the field", () => {
  const { model, root } = shown();
  root.querySelector("input").value = "mine";
  model.say({ kind: "parts", n: 2, set: { "next/card": START.set["next/card"] + " " } });
  assert.equal(root.querySelector("input").value, "mine");
  const other = START.set["next/card"].replace("old", "another");
  model.say({ kind: "parts", n: 3, set: { "next/card": other } });
  assert.equal(root.querySelector("input").value, "another");
});

test("the focus stays on a control that was drawn again", () => {
  const { model, root } = shown();
  root.querySelector('[data-action="do"]').focus();
  model.say({ kind: "parts", n: 2, set: { "next/card": START.set["next/card"] + "<i>1</i>" } });
  assert.equal(document.activeElement, root.querySelector('[data-action="do"]'));
});

test("two copies of one panel stay in step, and the last that closes says so", () => {
  const first = shown();
  const el = place();
  const close = panel.render({ model: first.model, el });
  first.model.say({ kind: "parts", n: 2, set: { "bar/b": "both" } });
  for (const each of [first.el, el]) {
    assert.equal(each.querySelector('[data-key="bar/b"]').textContent, "both");
  }
  first.close();
  assert.notEqual(first.model.sent.at(-1).kind, "gone");
  close();
  assert.equal(first.model.sent.at(-1).kind, "gone");
  first.forget();
  assert.equal(first.model.heard.size, 0);
});

test("a copy that the page threw out is shown again as it was", async () => {
  const { model, el, root, close } = shown();
  await new Promise((resolve) => setTimeout(resolve, 5));
  el.remove();
  const again = place();
  panel.render({ model, el: again });
  assert.equal(again.firstElementChild, root);
  close();
  assert.equal(again.firstElementChild, root);
});

test("links never leave the notebook behind", () => {
  const { model, root } = shown();
  model.say({ kind: "parts", n: 2, set: { "bar/b": '<a href="https://example.org/">x</a>' } });
  const link = root.querySelector("a");
  assert.deepEqual([link.target, link.rel], ["_blank", "noopener noreferrer"]);
});

test("keys are put where a patch says", () => {
  const patch = (more) => ({ kind: "parts", n: 1, set: {}, ...more });
  assert.deepEqual(ordered(["a", "b"], patch({ after: [["c", "a"]] })), ["a", "c", "b"]);
  assert.deepEqual(ordered(["a"], patch({ after: [["x", null], ["y", "x"]] })), ["x", "y", "a"]);
  assert.deepEqual(ordered(["a", "b"], patch({ drop: ["a"] })), ["b"]);
  assert.deepEqual(ordered(["a"], patch({ order: ["z"] })), ["z"]);
  assert.deepEqual(valuesOf(null), {});
});

test("a held key goes on once its last press was answered, and leaves no queue", () => {
  const { model, root } = shown();
  const press = (repeat, key = "ArrowRight") => root.dispatchEvent(
    new KeyboardEvent("keydown", { key, repeat, bubbles: true, cancelable: true }));
  const acts = () => model.sent.filter((each) => each.kind === "act").length;
  press(false);
  for (let n = 0; n < 30; n++) press(true);
  assert.equal(acts(), 1);
  press(false); // a second press of its own is never lost
  assert.equal(acts(), 2);
  model.say({ kind: "parts", n: 2, set: {} });
  for (let n = 0; n < 30; n++) press(true);
  assert.equal(acts(), 3);
});

test("a key that is held runs and pauses only once", () => {
  const { model, root } = shown();
  model.say({ kind: "parts", n: 2, set: {
    "bar/b": '<button data-action="run" data-key-press="r,Space">Run</button>' } });
  for (const repeat of [false, true, true]) {
    root.dispatchEvent(new KeyboardEvent("keydown", { key: " ", repeat, bubbles: true }));
    model.say({ kind: "parts", n: model.n = (model.n ?? 2) + 1, set: {} });
  }
  assert.equal(model.sent.filter((each) => each.action === "run").length, 1);
});

test("a control that is disabled gives the focus to the panel, where keys are heard", () => {
  const { model, root } = shown();
  root.querySelector('[data-action="step"]').focus();
  model.say({ kind: "parts", n: 2, set: {
    "bar/a": '<button data-action="step" data-key-press="ArrowRight" disabled>Step</button>' } });
  assert.equal(document.activeElement, root);
});

test("a card that is shorter for a while keeps the height of its region", () => {
  const { model, root } = shown();
  const region = root.querySelector(".rb-next");
  Object.defineProperty(region, "offsetHeight", { value: 270 });
  const now = '<div class="card next" data-hold="">now</div>';
  model.say({ kind: "parts", n: 2, set: { "next/card": now } });
  assert.equal(region.style.minHeight, "270px");
  model.say({ kind: "parts", n: 3, set: { "next/card": START.set["next/card"] } });
  assert.equal(region.style.minHeight, "");
  const text = '<div class="card">&lt;div data-hold=&gt; is only text</div>';
  model.say({ kind: "parts", n: 4, set: { "next/card": text } });
  assert.equal(region.style.minHeight, "");
});

test("pointing at a claim marks its quotes wherever they are shown", () => {
  const { model, root } = shown();
  const cite = (id) => `<button data-action="evidence" data-id="${id}">${id}</button>`;
  model.say({ kind: "parts", n: 2, order: ["answer/a", "evidence/a", "evidence/b", "reader/a"],
    drop: ["bar/a", "bar/b", "next/card"], set: {
      "answer/a": `<ol><li id="claim"><b>said</b><blockquote>${cite("a")}</blockquote></li></ol>`,
      "evidence/a": `<div class="ev" id="a">${cite("a")}</div>`,
      "evidence/b": `<div class="ev" id="b">${cite("b")}</div>`,
      "reader/a": '<p><mark data-id="a" id="m">quote</mark></p>' } });
  const hot = () => [...root.querySelectorAll(".hot")].map((each) => each.id || each.tagName);
  const over = (target) => target.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  over(root.querySelector("#claim b"));
  assert.deepEqual(hot(), ["BLOCKQUOTE", "a", "m"]);
  over(root.querySelector("#b"));
  assert.deepEqual(hot(), ["b"]);
  over(root);
  assert.deepEqual(hot(), []);
  root.querySelector("#claim button").dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
  over(root.querySelector("#b"));
  assert.deepEqual(hot(), ["BLOCKQUOTE", "a", "b", "m"]);
});
