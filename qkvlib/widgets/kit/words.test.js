import assert from "node:assert/strict";
import { test } from "node:test";
import { fixed, fixedEven, general, inTwoDigits, quoted } from "./words.js";

test("a number has a true minus, no minus zero, and a dash where there is none", () => {
  assert.equal(fixed(-1.005), "−1.00");
  assert.equal(fixed(2), "2.00");
  assert.equal(fixed(-0.004), "0.00");
  assert.equal(fixed(-0.004, 3), "−0.004");
  assert.equal(fixed(null), "–");
  assert.equal(fixed(undefined), "–");
});

test("a name is quoted unless it is a letter with a number", () => {
  assert.equal(quoted("its"), "“its”");
  assert.equal(quoted("a"), "“a”");
  assert.equal(quoted("k₁"), "k₁");
  assert.equal(quoted("t10"), "t10");
});

test("a size keeps two digits, however small", () => {
  assert.deepEqual([0.21, 0.034, 0.0034, 2e-7].map(inTwoDigits), [
    "0.21",
    "0.034",
    "0.0034",
    "2e−7",
  ]);
});

test("what lies exactly between two numbers goes to the even one, as in Python", () => {
  const between = [0.125, 0.375, 2.5, 0.0625];
  assert.deepEqual(
    between.map((value) => fixedEven(value)),
    ["0.12", "0.38", "2.50", "0.06"],
  );
  assert.equal(fixedEven(0.00625, 4), (0.00625).toFixed(4));
  assert.equal(fixedEven(0.03125, 4), "0.0312");
  assert.equal(fixedEven(2.675), "2.67");
});

test("a number in general has six digits at most, as in Python", () => {
  const values = [1, 0.3, 1 / 3, 1e-5, 1234567, 0.0001, 123456.7];
  const words = ["1", "0.3", "0.333333", "1e-05", "1.23457e+06", "0.0001", "123457"];
  assert.deepEqual(values.map(general), words);
});
