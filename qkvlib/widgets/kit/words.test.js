import assert from "node:assert/strict";
import { test } from "node:test";
import { fixed, inTwoDigits, quoted } from "./words.js";

test("a number has a true minus, no minus zero, and a dash where there is none", () => {
  assert.equal(fixed(-1.005), "−1.00");
  assert.equal(fixed(2), "2.00");
  assert.equal(fixed(-0.004), "0.00");
  assert.equal(fixed(-0.004, 3), "−0.004");
  assert.equal(fixed(null), "–");
  assert.equal(fixed(undefined), "–");
  assert.equal(fixed(Number.NaN), "–");
});

test("a name is quoted unless it is a letter with a number", () => {
  assert.equal(quoted("its"), "“its”");
  assert.equal(quoted("a"), "“a”");
  assert.equal(quoted("k₁"), "k₁");
  assert.equal(quoted("t10"), "t10");
});

test("a size keeps two digits, however small", () => {
  assert.deepEqual([0.21, 0.034, 0.0034, 2e-7].map(inTwoDigits), ["0.21", "0.034", "0.0034", "2e−7"]);
});
