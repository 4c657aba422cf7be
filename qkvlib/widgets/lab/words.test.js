import assert from "node:assert/strict";
import { test } from "node:test";
import { products, same } from "./words.js";

test("a long sum of products ends in dots", () => {
  assert.equal(
    products([
      [1, -2],
      [0.5, 4],
    ]),
    "1.00 × −2.00 + 0.50 × 4.00",
  );
  const long = products(
    Array.from({ length: 6 }, () => [1, 1]),
    0,
  );
  assert.equal(long, "1 × 1 + 1 × 1 + 1 × 1 + 1 × 1 + …");
});

test("what was rounded is not said to be equal", () => {
  assert.equal(same(0.301, 0.304), " = ");
  assert.equal(same(0.301, 0.306), " ≈ ");
});
