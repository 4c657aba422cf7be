import assert from "node:assert/strict";
import { test } from "node:test";
import { begun, followed, LONGEST, steepestOf } from "./run.js";

/** @import { Pass } from "./pass.js" */

/** Make a pass with only these gradients. @param {number} slope @returns {Pass} */
const pass = (slope) => {
  const of = { numbers: [slope, 0] };
  const found = { d_w_q: of, d_w_k: of, d_w_v: of };
  return /** @type {any} */ ({ loss: 1, found });
};

test("a long run keeps its last moves, and its hands stay at theirs", () => {
  let run = begun(pass(9));
  run = followed(run, pass(8), { before: pass(9) });
  for (let step = 0; step < LONGEST + 10; step++) run = followed(run, pass(1));
  run = followed(run, pass(2), { before: pass(1) });
  run = followed(run, pass(3));
  assert.equal(run.lengths.length, LONGEST);
  assert.deepEqual(run.hands, [LONGEST - 2]);
  assert.equal(run.lengths[run.hands[0]].w_q, 2);
  assert.equal(steepestOf(run), 9);
});
