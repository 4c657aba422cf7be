import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAxis } from "./axis.js";

test("the axis runs from the first step to the last, and back again", () => {
  for (const last of [1, 30, 300, 5000]) {
    const { along, stepAt } = makeAxis(last);
    assert.deepEqual([along(0), along(last), stepAt(-1), stepAt(2)], [0, 1, 0, last]);
    for (const step of [0, last / 7, last / 2]) assert.ok(Math.abs(stepAt(along(step)) - step) < 1e-6 * last);
  }
});

test("a tenth of the steps gets more than a third of the room", () => {
  assert.ok(makeAxis(300).along(30) > 0.35);
});

test("round steps are marked, from the first to the last", () => {
  assert.deepEqual(makeAxis(300).marks(), [0, 5, 20, 50, 100, 200, 300]);
  assert.deepEqual(makeAxis(0).marks(), [0]);
});
