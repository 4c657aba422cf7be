import assert from "node:assert/strict";
import { test } from "node:test";
import { angle, blend, cosine, dot, hardmax, softmax } from "./lookup.js";

/** @param {number[]} found @param {number[]} expected */
const close = (found, expected) =>
  found.forEach((number, i) => {
    assert.ok(Math.abs(number - expected[i]) < 1e-4, `${found} and not ${expected}`);
  });

const ITS = [2, 1];
const KEYS = [
  [2, 0.5],
  [-1, 2],
  [0.5, 2],
];
const VALUES = [
  [8, 0],
  [2, 2],
  [0, 8],
];

test("a softmax is chapter 2's, and large scores do not overflow it", () => {
  const scores = KEYS.map((key) => dot(ITS, key));
  close(scores, [4.5, 0, 3]);
  close(softmax(scores), [0.8102, 0.009, 0.1808]);
  close(softmax([1000, 999]), [0.7311, 0.2689]);
});

test("a soft lookup is a sum of all values, a hard one takes the first of the best", () => {
  const weights = softmax(KEYS.map((key) => dot(ITS, key)));
  close(blend(weights, VALUES), [6.4998, 1.4643]);
  assert.deepEqual(hardmax([1, 3, 3]), [0, 1, 0]);
  assert.deepEqual(blend([0, 1, 0], VALUES), [2, 2]);
});

test("what has no length has no angle", () => {
  assert.equal(cosine([0, 0], [1, 0]), null);
  assert.equal(angle(null), null);
  assert.equal(angle(1.0000001), 0);
  assert.equal(angle(cosine([0, 1], [-2, 0])), 90);
});
