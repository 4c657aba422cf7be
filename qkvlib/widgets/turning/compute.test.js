import assert from "node:assert/strict";
import { test } from "node:test";
import { measured } from "./compute.js";

/** @param {number[]} found @param {number[]} expected */
const close = (found, expected) => {
  assert.equal(found.length, expected.length);
  for (const [i, number] of found.entries()) assert.ok(Math.abs(number - expected[i]) < 1e-9);
};

/** @type {import("../kit/points.js").Point} */
const ALONG = [2, 0];

test("wherever the query stands, a distance has the same score", () => {
  const [here, there] = [3, 7].map((place) =>
    measured({ query: [1.2, -0.7], key: [0.4, 2], place, angle: 25 }, 8),
  );
  close(here.scores, there.scores);
});

test("equal arrows fit best without a distance, and not at all at a right angle", () => {
  const { scores } = measured({ query: ALONG, key: ALONG, place: 5, angle: 30 }, 8);
  close(scores.slice(0, 4), [4, 2 * Math.sqrt(3), 2, 0]);
});

test("a query turned back by three places fits best three back", () => {
  const { weights } = measured({ query: [0, -2], key: ALONG, place: 5, angle: 30 }, 8);
  assert.equal(weights.indexOf(Math.max(...weights)), 3);
});

test("what lies before the first place has no weight", () => {
  const { weights } = measured({ query: ALONG, key: ALONG, place: 2, angle: 0 }, 5);
  close(weights, [1 / 3, 1 / 3, 1 / 3, 0, 0]);
});
