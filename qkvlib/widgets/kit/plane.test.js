import assert from "node:assert/strict";
import { test } from "node:test";
import { around, gridNumbers, place, placeLabels } from "./plane.js";

test("a point has its place in the frame, and up is up", () => {
  assert.deepEqual(place([0, 0], around(2, 400)), [200, 200]);
  assert.deepEqual(place([2, -2], around(2, 400)), [400, 400]);
  assert.deepEqual(place([1, 9], { left: 1, bottom: -1, span: 10, side: 100 }), [0, 0]);
});

test("labels of arrows that lie on each other do not", () => {
  const labels = Array.from({ length: 5 }, () => ({ tip: [300, 100], width: 40, wish: 45 }));
  const boxes = placeLabels(labels, [], 400);
  boxes.forEach((a, i) => {
    for (const b of boxes.slice(i + 1)) {
      const apart = Math.abs(a.x - b.x) >= 40 || Math.abs(a.y - b.y) >= a.height;
      assert.ok(apart, "two labels overlap");
    }
  });
});

test("a label at the edge stays within the plane", () => {
  const [box] = placeLabels([{ tip: [399, 1], width: 60, wish: 45 }], [], 400);
  assert.ok(box.x + box.width / 2 <= 400 && box.y - box.height / 2 >= 0);
});

test("the grid's numbers stand beside their axis, within the plane, wherever the axis is", () => {
  const side = 300;
  for (const left of [-4, -0.2, 0.5, -9.9]) {
    const frame = { left, bottom: left, span: 10, side };
    const [across, down] = place([0, 0], frame);
    const numbers = gridNumbers(frame);
    assert.ok(numbers.length > 6);
    for (const { text, box } of numbers) {
      const { x, y, width, height } = box;
      assert.ok(x >= width / 2 && x <= side - width / 2, `${text} is cut`);
      assert.ok(y >= height / 2 && y <= side - height / 2, `${text} is cut`);
      const onAxis = Math.abs(x - across) < width / 2 || Math.abs(y - down) < height / 2;
      assert.ok(!onAxis, `${text} stands on an axis`);
    }
  }
});
