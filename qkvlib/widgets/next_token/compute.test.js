import assert from "node:assert/strict";
import { test } from "node:test";
import { left } from "./compute.js";

const SCORES = [0.5, 0.25, 0.125, 0.125].map(Math.log);
const EASY = { heat: 1, k: 4, p: 1 };

/** @param {number[]} shares */
const rounded = (shares) => shares.map((share) => Number(share.toFixed(6)));

test("nothing is left out where nothing is cut", () => {
  assert.deepEqual(rounded(left(SCORES, EASY).left), [0.5, 0.25, 0.125, 0.125]);
  assert.equal(left(SCORES, EASY).count, 4);
});

test("a temperature raises every probability to a power", () => {
  const [one, two] = left(SCORES, { ...EASY, heat: 0.5 }).left;
  assert.ok(Math.abs(one / two - 4) < 1e-9);
});

test("k counts, p adds up, and the likeliest always stays", () => {
  assert.equal(left(SCORES, { ...EASY, k: 2 }).count, 2);
  assert.deepEqual(rounded(left(SCORES, { ...EASY, p: 0.6 }).left), [0.666667, 0.333333, 0, 0]);
  assert.equal(left(SCORES, { ...EASY, p: 0.05 }).count, 1);
  assert.equal(left(SCORES, { ...EASY, p: 0.8 }).count, 3);
});

test("p is of what k has left", () => {
  assert.equal(left(SCORES, { ...EASY, k: 2, p: 0.6 }).count, 1);
});
