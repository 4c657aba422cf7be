import assert from "node:assert/strict";
import { test } from "node:test";
import { enqueue } from "./queue.js";

/** @param {any[]} entries */
const log = (...entries) => {
  /** @type {any[]} */
  const waiting = [];
  for (const entry of entries) enqueue(waiting, entry);
  return waiting.map(({ request }) => request);
};
const edit = (value, gesture, more = {}) => ({
  request: { edit: { w: value }, gesture },
  done: true,
  ...more,
});
const step = (gesture, times) => ({ request: { do: "step", gesture, times }, done: true });

test("edits of one gesture are one, and the newest wins", () => {
  assert.deepEqual(log(edit(1, 1), edit(2, 1), edit(3, 2)), [
    { edit: { w: 2 }, gesture: 1 },
    { edit: { w: 3 }, gesture: 2 },
  ]);
});

test("what the page has not done yet is one edit whatever its gesture", () => {
  const waits = { done: false };
  assert.deepEqual(log(edit(1, 1, waits), edit(2, 2, waits)), [{ edit: { w: 2 }, gesture: 1 }]);
});

test("steps of one gesture are counted", () => {
  assert.deepEqual(log(step(1), step(1, 3), step(2)), [
    { do: "step", gesture: 1, times: 4 },
    { do: "step", gesture: 2, times: undefined },
  ]);
});

test("an edit that reached something is not overwritten", () => {
  assert.equal(log(edit(1, 1), edit(2, 1, { whole: true }), edit(3, 1)).length, 2);
});

test("all else stays in its order", () => {
  const mask = { request: { do: "mask", choice: [0, 1] }, done: true };
  assert.equal(log(edit(1, 1), mask, mask, edit(2, 1)).length, 4);
});
