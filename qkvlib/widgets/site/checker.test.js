import assert from "node:assert/strict";
import { test } from "node:test";
import { lacks, leftToLoad } from "./checker.js";

test("what is loading says how much is left, and never less than nothing", () => {
  const load = (/** @type {number} */ loaded, total = 6_350_000) =>
    leftToLoad({ what: "Python", loaded, total });
  assert.equal(load(0), "Loading Python: 6.3 of 6.3 MB left.");
  assert.equal(load(4_250_000), "Loading Python: 2.1 of 6.3 MB left.");
  assert.equal(load(9_000_000), "Loading Python: 0.0 of 6.3 MB left.");
  assert.equal(load(0, 0), "Loading Python.");
});

test("a browser that lacks something is told once of each", () => {
  assert.deepEqual(
    lacks(true).map((words) => words.slice(0, 26)),
    typeof Worker === "function" ? [] : ["This browser cannot run Py"],
  );
  assert.match(lacks(false).at(-1) ?? "", /keeps nothing/);
});
