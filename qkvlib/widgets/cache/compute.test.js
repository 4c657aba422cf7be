import assert from "node:assert/strict";
import { test } from "node:test";
import { costs, fateOf } from "./compute.js";

const SETUP = {
  words: ["a", "b", "c"],
  n_heads: 4,
  d_k: 8,
  keeps: ["nothing", "K and V", "Q, K and V"],
  shares: [4, 2, 1],
  goal: null,
};

/** @param {number} arrived @param {number} keeps @param {number} kv_heads */
const state = (arrived, keeps, kv_heads) => ({ arrived, keeps, kv_heads, held: 0, computed: 0 });

test("what is computed and held is what the rows of all rounds come to", () => {
  for (const keeps of [0, 1, 2])
    for (const kv_heads of [4, 2, 1]) {
      let computed = 0;
      for (const arrived of [1, 2, 3]) {
        const now = state(arrived, keeps, kv_heads);
        let held = 0;
        for (const word of [0, 1, 2]) {
          const [query, key] = [fateOf(now, "query", word), fateOf(now, "key", word)];
          computed += key.computed ? 2 * kv_heads : 0;
          held += 8 * ((key.held ? 2 * kv_heads : 0) + (query.held ? 4 : 0));
        }
        assert.deepEqual(costs(SETUP, now), { held, computed });
      }
    }
});

test("what has not arrived has no row, and the newest word's are computed", () => {
  assert.deepEqual(fateOf(state(2, 1, 4), "key", 2), { computed: false, held: false });
  assert.deepEqual(fateOf(state(2, 1, 4), "key", 1), { computed: true, held: true });
  assert.deepEqual(fateOf(state(2, 1, 4), "key", 0), { computed: false, held: true });
  assert.deepEqual(fateOf(state(2, 1, 4), "query", 0), { computed: false, held: false });
  assert.deepEqual(fateOf(state(2, 0, 4), "value", 0), { computed: true, held: false });
});
