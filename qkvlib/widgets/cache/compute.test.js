import assert from "node:assert/strict";
import { test } from "node:test";
import { costs, fateOf, makeProgram } from "./compute.js";

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

test("the goal needs all words, little memory and little work, and stays met", () => {
  const goal = { name: "fits", words: "", met_before: false, most_held: 60, most_computed: 20 };
  const setup = { ...SETUP, words: ["a", "b", "c", "d", "e"], d_k: 3, goal };
  const opening = { ...state(1, 0, 4), goal: { met: false, share: 0, words: "" } };
  const program = makeProgram(setup, opening);
  program.adopt(opening, {});
  /** @param {Record<string, number>} edit */
  const standing = (edit) => program.carryOut({ edit }).goal;
  assert.ok(!standing({ arrived: 5 }).met, "too many rows");
  const { met, words } = standing({ keeps: 1 });
  assert.deepEqual([met, words], [false, "5 of 5 words, 120 numbers of 60, 40 rows of 20."]);
  standing({ arrived: 4 });
  assert.ok(!standing({ kv_heads: 2 }).met, "a word is missing");
  assert.ok(standing({ arrived: 5 }).met);
  assert.ok(standing({ kv_heads: 4 }).met, "what is met stays met");
  assert.deepEqual(program.rest(null), { arrived: 5, keeps: 1, kv_heads: 4, met: true });
});
