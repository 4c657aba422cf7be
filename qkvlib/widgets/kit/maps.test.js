import assert from "node:assert/strict";
import { test } from "node:test";
import { luminance, shade, titleOf } from "./maps.js";

test("a share has its place among the colours, and what is beyond the ends the ends", () => {
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((share) => shade(share, "signed")),
    [0, 0, 127, 254, 254],
  );
  assert.deepEqual(
    [-1, 0, 1, 2].map((share) => shade(share, "weight")),
    [255, 255, 382, 382],
  );
});

test("black gives no light and white gives all", () => {
  assert.equal(luminance([0, 0, 0]), 0);
  assert.ok(Math.abs(luminance([255, 255, 255]) - 1) < 1e-9);
});

test("an example is named by its words, and cut where they are many", () => {
  assert.equal(
    titleOf([
      ["the", "law"],
      ["the", "law"],
    ]),
    "the law",
  );
  assert.equal(titleOf([["?"], ["red", "blue"]]), "?: red, blue");
  assert.equal(titleOf([["word ".repeat(20)], []]).length, 48);
});
