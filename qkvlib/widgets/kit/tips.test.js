import assert from "node:assert/strict";
import { test } from "node:test";
import { wished } from "./tips.js";

/** @param {string} key @param {boolean} shiftKey @param {boolean} turning */
const wish = (key, shiftKey = false, turning = false) =>
  (wished({ key, shiftKey }, [2, 0], turning) ?? []).map((number) => Number(number.toFixed(3)));

test("arrow keys move, ten times as far with Shift", () => {
  assert.deepEqual(wish("ArrowRight"), [2.05, 0]);
  assert.deepEqual(wish("ArrowDown", true), [2, -0.5]);
  assert.deepEqual(wish("a"), []);
});

test("brackets turn, ten times as far with Shift, whatever Shift makes of them", () => {
  const ten = [1.97, 0.347];
  assert.deepEqual(wish("["), [2, 0.035]);
  assert.deepEqual(wish("[", true), ten);
  assert.deepEqual(wish("{", true), ten);
  assert.deepEqual(wish("{"), ten); // with AltGr
  assert.deepEqual(wish("ArrowUp", true, true), ten);
});
