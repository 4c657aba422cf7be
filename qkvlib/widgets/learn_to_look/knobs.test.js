import assert from "node:assert/strict";
import test from "node:test";
import { scaleOf, wished } from "./knobs.js";

const key = (key, shiftKey = false) => wished({ key, shiftKey }, 1, 3);

test("arrow keys move a knob, Shift ten times as far, Home and End to its bounds", () => {
  assert.equal(key("ArrowRight"), 1.05);
  assert.equal(key("ArrowDown", true), 0.5);
  assert.equal(key("Home"), -3);
  assert.equal(key("End"), 3);
  assert.equal(key("Tab"), null);
});

test("the largest gradient of a run has the longest arrow, and a small one stays small", () => {
  assert.equal(scaleOf(2) * 2, scaleOf(5) * 5);
  assert.ok(scaleOf(0.01) * 0.01 < 1);
});
