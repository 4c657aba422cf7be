import assert from "node:assert/strict";
import { test } from "node:test";
import { winners } from "./regions.js";

/** @import { Region } from "./regions.js" */

/** @param {Region[]} regions */
const shares = (regions) =>
  [0, 1, 2].map((wanted) =>
    Math.round(regions.filter(({ key }) => key === wanted).reduce((sum, r) => sum + r.to - r.from, 0)),
  );

test("a long key takes nearly half of the plane", () => {
  /** @type {[number, number][]} */
  const keys = [
    [10, 0],
    [-0.5, 0.87],
    [-0.5, -0.87],
  ];
  const [long, ...short] = shares(winners(keys));
  assert.ok(long > 169 && short[0] < 96 && short[0] === short[1], String(long));
});

test("a key within the others' triangle wins nowhere, and one key everywhere", () => {
  /** @type {[number, number][]} */
  const keys = [
    [2, 0],
    [-2, 0],
    [0, 0],
  ];
  assert.deepEqual(shares(winners(keys)), [180, 180, 0]);
  assert.deepEqual(winners([[1, 1]]), [{ from: 0, to: 360, key: 0 }]);
});
