import assert from "node:assert/strict";
import test from "node:test";
import { Model, place } from "./page.js";
import chart, { grow, themed } from "../chart.js";

test("a figure grows by the tails of its traces", () => {
  const figure = { data: [{ x: [1], marker: { color: ["a"] } }, { x: [9] }], layout: { a: 1 } };
  grow(figure, { tails: { 0: { x: [2], marker: { color: ["b"] } } }, whole: { 2: { x: [3] } } });
  assert.deepEqual(figure.data, [
    { x: [1, 2], marker: { color: ["a", "b"] } }, { x: [9] }, { x: [3] },
  ]);
  grow(figure, { count: 1, layout: { a: 2 } });
  assert.equal(figure.data.length, 1);
  assert.deepEqual(figure.layout, { a: 2 });
});

test("a figure takes the colours of the page and keeps its own layout", () => {
  const el = place();
  el.style.color = "rgb(1, 2, 3)";
  const { layout } = themed({ data: [], layout: { font: { size: 12 }, height: 5 } }, el);
  assert.equal(layout.font.color, "rgb(1, 2, 3)");
  assert.equal(layout.font.size, 12);
  assert.equal(layout.height, 5);
});

test("a figure asks to be told, and lets go when it is closed", () => {
  const model = new Model({ label: "Timeline" });
  const el = place();
  const close = chart.render({ model, el });
  assert.deepEqual(model.sent, [{ kind: "ready" }]);
  model.say({ kind: "figure", n: 3, tails: {} });
  assert.deepEqual(model.sent.at(-1), { kind: "ready" });
  assert.equal(el.querySelector("[role=img]").getAttribute("aria-label"), "Timeline");
  close();
  assert.equal(model.heard.size, 0);
  assert.deepEqual(model.sent.at(-1), { kind: "gone" });
});
