import assert from "node:assert/strict";
import { test } from "node:test";
import { valuesIn } from "./walk.js";

test("a step back reads the values that its product names", () => {
  assert.deepEqual(valuesIn("v"), ["weights"]);
  assert.deepEqual(valuesIn("q"), ["k"]);
  assert.deepEqual(valuesIn("x"), ["w_q", "w_k", "w_v"]);
  assert.deepEqual(valuesIn("scores"), []);
});
