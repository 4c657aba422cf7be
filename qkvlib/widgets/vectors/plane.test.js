import assert from "node:assert/strict";
import { test } from "node:test";
import { placeLabels } from "./plane.js";
import { lengthOf, turned, withLength } from "./points.js";

test("a turn keeps the length, and a new length the direction", () => {
  const [x, y] = turned([3, 4], 90);
  assert.ok(Math.abs(x + 4) < 1e-12 && Math.abs(y - 3) < 1e-12);
  assert.equal(lengthOf([3, 4]), 5);
  assert.deepEqual(withLength([3, 4], 10), [6, 8]);
  assert.deepEqual(withLength([0, 0], 10), [0, 0]);
});

test("labels of arrows that lie on each other do not", () => {
  const labels = Array.from({ length: 5 }, () => ({ tip: [300, 100], width: 40, wish: 45 }));
  const boxes = placeLabels(labels, []);
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      const apart = Math.abs(a.x - b.x) >= 40 || Math.abs(a.y - b.y) >= a.height;
      assert.ok(apart, "two labels overlap");
    }
  });
});

test("a label at the edge stays within the plane", () => {
  const [box] = placeLabels([{ tip: [399, 1], width: 60, wish: 45 }], []);
  assert.ok(box.x + box.width / 2 <= 400 && box.y - box.height / 2 >= 0);
});
