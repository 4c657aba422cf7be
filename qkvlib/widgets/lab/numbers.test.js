import assert from "node:assert/strict";
import { test } from "node:test";
import { compact, decimalsFor, makeReader, reachOf } from "./numbers.js";

test("decimals are enough to see the largest", () => {
  const wanted = [
    [120, 0],
    [12, 1],
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
  assert.equal(compact(NaN, 2), "·");
});

const setup = {
  tokens: ["a", "b"],
  heads: 2,
  sizes: { x: [2, 1], w_q: [1, 2], q: [2, 2], d_x: [2, 1] },
  groups: { given: ["x"], moving: ["w_q", "q"], gradients: ["d_x"] },
};
/** @param {number[]} numbers */
const packed = (numbers) => new DataView(Float32Array.from(numbers).buffer);
const state = {
  given: packed([1, 2]),
  moving: packed([10, 11, 20, 21, 1, 2, 3, 4, 5, 6, 7, 8]),
  gradients: packed([0.5, -0.75]),
  mask: "1011",
};

test("numbers are packed name after name, head after head, row after row", () => {
  const read = makeReader(setup);
  const [first, second] = [read(state, 0), read(state, 1)];
  assert.deepEqual([first.at("x", 1, 0), second.at("x", 1, 0)], [2, 2]); // all heads share X
  assert.deepEqual([first.at("w_q", 0, 1), second.at("w_q", 0, 1)], [11, 21]);
  assert.deepEqual([first.at("q", 1, 0), second.at("q", 1, 0)], [3, 7]);
  assert.equal(second.at("d_x", 1, 0), -0.75);
  assert.deepEqual(
    [first.allowed(0, 0), first.allowed(0, 1), first.allowed(1, 0)],
    [true, false, true],
  );
  assert.equal(reachOf(first, "d_x"), 0.75);
});

test("a group that an answer left out is no number", () => {
  const read = makeReader(setup);
  read(state, 0);
  const book = read({ ...state, gradients: null }, 0);
  assert.ok(Number.isNaN(book.at("d_x", 0, 0)));
  assert.equal(book.at("q", 0, 0), 1);
});
