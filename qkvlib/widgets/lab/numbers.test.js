import assert from "node:assert/strict";
import { test } from "node:test";
import { bookOf, compact, decimalsFor, reachOf } from "./numbers.js";

test("decimals are enough to see the largest", () => {
  const wanted = [
    [120, 2],
    [3, 2],
    [0.1, 2],
    [0.05, 3],
    [0.004, 4],
    [1e-9, 5],
    [0, 2],
  ];
  for (const [most, digits] of wanted) assert.equal(decimalsFor(most), digits, `of ${most}`);
});

test("a cell has room for five signs", () => {
  assert.equal(compact(-0.0123, 3), "−.012");
  assert.equal(compact(1.5, 2), "1.50");
  assert.equal(compact(123456, 0), "1e5");
  assert.equal(compact(-1e-7 - 54321, 0), "−5e4");
});

test("a large number leaves the others their decimals", () => {
  const row = [1000, -100, -12.34, 1.5, -0.5].map((value) => compact(value, 2));
  assert.deepEqual(row, ["1000", "−100", "−12.3", "1.50", "−0.50"]);
});

const setup = {
  tokens: ["a", "b"],
  heads: 2,
  sizes: { x: [2, 1], w_q: [1, 2], w_k: [1, 2], w_v: [1, 1], q: [2, 2], d_x: [2, 1] },
};
const matrices = { x: [1, 2], w_q: [10, 11, 20, 21], w_k: [1, 1, 1, 1], w_v: [1, 1] };
const state = { matrices, mask: [true, false, true, true] };

test("a book has one head's numbers, and what all heads share", () => {
  const [first, second] = [0, 1].map((head) =>
    bookOf(/** @type {any} */ (setup), /** @type {any} */ (state), head),
  );
  assert.deepEqual([first.at("x", 1, 0), second.at("x", 1, 0)], [2, 2]);
  assert.deepEqual([first.at("w_q", 0, 1), second.at("w_q", 0, 1)], [11, 21]);
  assert.deepEqual([first.at("q", 1, 0), second.at("q", 1, 0)], [20, 40]);
  assert.ok(Number.isNaN(second.at("d_x", 1, 0)), "without a target there are no gradients");
  assert.deepEqual([first.allowed(0, 0), first.allowed(0, 1), first.allowed(1, 0)], [true, false, true]);
  assert.equal(reachOf(first, "q"), 22);
});
