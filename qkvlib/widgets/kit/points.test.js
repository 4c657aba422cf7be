import assert from "node:assert/strict";
import { test } from "node:test";
import { atEdge, lengthOf, turned, within, withLength } from "./points.js";

test("a turn keeps the length, and a new length the direction", () => {
  const [x, y] = turned([3, 4], 90);
  assert.ok(Math.abs(x + 4) < 1e-12 && Math.abs(y - 3) < 1e-12);
  assert.equal(lengthOf([3, 4]), 5);
  assert.deepEqual(withLength([3, 4], 10), [6, 8]);
  assert.deepEqual(withLength([0, 0], 10), [0, 0]);
});

test("a tip stays within the limit, and on numbers of two digits", () => {
  assert.deepEqual(within([1.2345, -0.5], 3, null), [1.23, -0.5]);
  assert.deepEqual(within([30, 40], 3, null), [1.8, 2.4]);
  assert.ok(atEdge([1.8, 2.4], 3));
  assert.ok(!atEdge([1.8, 2.3], 3));
});

test("no rounding makes a tip go beyond the limit, and there it is at the edge", () => {
  for (let degrees = 0; degrees < 360; degrees++) {
    const tip = within(turned([30, 0], degrees), 3, null) ?? [0, 0];
    assert.ok(lengthOf(tip) <= 3, `${degrees}: ${tip}`);
    assert.ok(atEdge(tip, 3), `${degrees}: ${tip}`);
  }
});

test("a held length is kept, and nothing points to nowhere", () => {
  assert.deepEqual(within([0, 9], 3, 2), [0, 2]);
  assert.equal(within([0, 0], 3, 2), null);
});
