import assert from "node:assert/strict";
import { test } from "node:test";
import { share } from "./map.js";

test("a share says how many of how many, and one is one", () => {
  assert.equal(share(2, 4, "goal", "met"), "2 of 4 goals met");
  assert.equal(share(0, 1, "goal", "met"), "0 of 1 goal met");
});

test("nothing to do is not spoken of, and nobody has done more than there is", () => {
  assert.equal(share(0, 0, "goal", "met"), "");
  assert.equal(share(3, 2, "goal", "met"), "2 of 2 goals met");
});
