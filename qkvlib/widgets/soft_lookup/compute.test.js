import assert from "node:assert/strict";
import { test } from "node:test";
import { frameOf, hull, lookedUp, rules } from "./compute.js";

/** @typedef {[number, number]} Point */

/** @type {Point[]} */
const KEYS = [
  [2, 0.5],
  [-1, 2],
  [0.5, 2],
];
/** @type {Point[]} */
const VALUES = [
  [8, 0],
  [2, 2],
  [0, 8],
];
/** @type {Point} */
const ITS = [2, 1];
const START = { query: ITS, keys: KEYS, values: VALUES, temperature: 1, hard: false };

/** @param {number[]} numbers */
const rounded = (numbers) => numbers.map((number) => Number(number.toFixed(3)));

test("a hard lookup is what a soft one comes to in the cold, and the heat makes a mean", () => {
  assert.deepEqual(lookedUp({ ...START, hard: true }).output, [8, 0]);
  assert.deepEqual(rounded(lookedUp({ ...START, temperature: 0.05 }).output), [8, 0]);
  const hot = lookedUp({ ...START, temperature: 1e6 }).output;
  assert.deepEqual(rounded(hot), [3.333, 3.333]);
});

test("a change moves what it names, and what is kept brings it back", () => {
  const setup = /** @type {any} */ ({ names: ["law", "old", "spirit"], start: START, goal: null });
  const { moved, kept } = rules(setup);
  const state = moved({ ...START, limit: 3 }, {});
  const other = moved(state, { query: [0, 1], 1: [1, 1], temperature: 2, hard: true });
  assert.deepEqual([other.query, other.keys[1], other.temperature], [[0, 1], [1, 1], 2]);
  assert.deepEqual(other.weights, [0, 0, 1]);
  assert.deepEqual(moved(other, kept(state)), state);
});

test("the blend is never outside of the values' hull, and the hull has no dents", () => {
  assert.deepEqual(hull([...VALUES, [3, 3]]).length, 3);
  assert.deepEqual(
    hull([
      [1, 1],
      [0, 0],
    ]).length,
    2,
  );
  assert.deepEqual(
    hull([
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
      [0.5, 0.5],
    ]).length,
    4,
  );
});

test("the values are in the middle of what is seen", () => {
  const { left, bottom, span } = frameOf(VALUES);
  assert.deepEqual(rounded([left + span / 2, bottom + span / 2]), [4, 4]);
  assert.ok(span > 8);
  assert.ok(frameOf([[5, 5]]).span > 0);
});
