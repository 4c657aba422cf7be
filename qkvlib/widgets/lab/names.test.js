import assert from "node:assert/strict";
import { test } from "node:test";
import { indices, spokenName } from "./names.js";

const setup = { tokens: ["its", "law"] };

test("tokens name the rows and columns that are theirs", () => {
  assert.equal(indices({ name: "q", i: 0, j: 1 }, setup), "its, 1");
  assert.equal(indices({ name: "d_scores", i: 0, j: 1 }, setup), "its, law");
  assert.equal(indices({ name: "w_v", i: 0, j: 1 }, setup), "0, 1");
});

test("a screen reader hears who looks at whom", () => {
  assert.equal(
    spokenName({ name: "weights", i: 0, j: 1 }, setup),
    "attention, “its” looks at “law”",
  );
  assert.equal(spokenName({ name: "k", i: 1, j: 0 }, setup), "K “law” column 0");
  assert.equal(spokenName({ name: "w_k", i: 1, j: 0 }, setup), "W K row 1 column 0");
});
