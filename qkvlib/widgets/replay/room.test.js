import assert from "node:assert/strict";
import { test } from "node:test";
import { roomFor, thinned } from "./room.js";

test("names that would lie on each other are left out, evenly", () => {
  assert.deepEqual(thinned(["a", "b", "c", "d"], 52, 13), ["a", "b", "c", "d"]);
  assert.deepEqual(thinned(["a", "b", "c", "d"], 51, 13), ["a", "", "c", ""]);
  assert.deepEqual(thinned(["a", "b", "c", "d", "e"], 20, 13), ["a", "", "", "", "e"]);
});

test("what stands side by side has room there", () => {
  for (const width of [390, 568, 984, 1400])
    for (const runs of [1, 2])
      for (const heads of [1, 2, 8]) {
        const { side, looks, scores, stacked } = roomFor(width, runs, heads, false, 70);
        assert.ok(side > 40);
        assert.ok((stacked ? Math.max(scores, looks) : scores + looks) <= width);
      }
});

test("where a page is narrow, the maps of two runs are lower", () => {
  assert.ok(roomFor(568, 2, 2, false, 70).matrix < roomFor(984, 2, 2, false, 70).matrix);
});
