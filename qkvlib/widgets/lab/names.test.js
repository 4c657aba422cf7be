import assert from "node:assert/strict";
import { test } from "node:test";
import { columnSaid, indices, spokenName } from "./names.js";

const bare = { tokens: ["its", "law"], features: null };
const named = { ...bare, features: ["a thing", "of water"] };

test("tokens name the rows and columns that are theirs", () => {
  assert.equal(indices({ name: "q", i: 0, j: 1 }, named), "its, 2");
  assert.equal(indices({ name: "d_scores", i: 0, j: 1 }, named), "its, law");
});

test("features name the columns of X and the rows of the W's", () => {
  assert.equal(indices({ name: "x", i: 0, j: 1 }, named), "its, of water");
  assert.equal(indices({ name: "d_w_v", i: 1, j: 0 }, named), "of water, 1");
  assert.equal(columnSaid("x", 1, named), "“of water”");
  assert.equal(columnSaid("w_k", 1, named), "column 2");
});

test("what has no name is counted from 1", () => {
  assert.equal(indices({ name: "w_v", i: 0, j: 1 }, bare), "1, 2");
  assert.equal(columnSaid("d_x", 1, bare), "feature 2");
});

test("a screen reader hears who looks at whom, and of what a weight is", () => {
  assert.equal(spokenName({ name: "weights", i: 0, j: 1 }, named), "attention, “its” looks at “law”");
  assert.equal(spokenName({ name: "k", i: 1, j: 0 }, named), "K, “law”, column 1");
  assert.equal(spokenName({ name: "w_k", i: 1, j: 0 }, named), "W K, of water, column 1");
  assert.equal(spokenName({ name: "x", i: 1, j: 1 }, named), "X, “law”, of water");
  assert.equal(spokenName({ name: "w_k", i: 1, j: 0 }, bare), "W K, row 2, column 1");
});
