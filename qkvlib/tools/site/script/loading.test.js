import assert from "node:assert/strict";
import { test } from "node:test";
import { inWords } from "./loading.js";

test("what is loading says how much is left, and never less than nothing", () => {
  const said = (/** @type {number} */ loaded, total = 6_400_000) => inWords({ loaded, total });
  assert.equal(said(0), "Loading Python: 6.4 of 6.4 MB left.");
  assert.equal(said(4_300_000), "Loading Python: 2.1 of 6.4 MB left.");
  assert.equal(said(9_000_000), "Loading Python: 0.0 of 6.4 MB left.");
  assert.equal(said(0, 0), "Starting Python.");
});
