import assert from "node:assert/strict";
import { test } from "node:test";
import { standingOf } from "./goals.js";
import { softmax } from "./lookup.js";
import { again, allowed, farther, judged } from "./pursuit.js";

/** @import { Place, Rules } from "./pursuit.js" */

const COLUMNS = ["law", "old"];
/** @type {Rules} */
const RULES = {
  words: "Give law 0.95.",
  touch: ["query"],
  keep_lengths: false,
  met_before: false,
  ways: [
    { words: "by turning q", keeps: "lengths" },
    { words: "by making q longer", keeps: "directions" },
  ],
  conditions: [{ kind: "AtLeast", column: 0, weight: 0.95, row: 0, head: 0, bound: 0 }],
};
/** @type {Place} */
const START = {
  query: [1, 1],
  keys: [
    [2, 1],
    [0, 2],
  ],
};
const FRESH = { met: false, free: false, share: 0, words: "", found: [] };

/** @param {[number, number]} query @param {import("./goal_strip.js").Standing} before */
function at(query, before, rules = RULES) {
  const now = { ...START, query };
  const scores = START.keys.map(([x, y]) => query[0] * x + query[1] * y);
  return judged(rules, before, softmax(scores), COLUMNS, now, START);
}

test("each way counts once, and the goal is met when all are found", () => {
  assert.equal(at([1, 1], FRESH).words, "The query gives “law” 0.73; you need at least 0.95.");
  const edge = at([2.936, 2.936], FRESH).words;
  assert.equal(edge, "The query gives “law” just under 0.95; you need at least 0.95.");
  const both = at([4, 0], FRESH);
  assert.match(both.words, /two things at once/);
  assert.deepEqual(both.found, []);
  const one = at([1.37, -0.35], FRESH);
  assert.equal(one.words, "Found: by turning q. Reset, and find another way.");
  assert.deepEqual(at([1.37, -0.35], one).found, [0]);
  assert.ok(farther(FRESH, one) && !farther(one, one));
  const two = at([3, 3], again(one));
  assert.deepEqual([two.met, two.free, two.found], [true, true, [0, 1]]);
  assert.ok(farther(one, two));
});

test("met until Reset, and found for ever", () => {
  const met = { ...FRESH, met: true, free: true, found: [0, 1] };
  const words = "Now move whatever you like.";
  assert.deepEqual(at([0, 0], met), { ...met, share: 1, words });
  const afresh = at([1, 1], again(met));
  assert.deepEqual([afresh.met, afresh.free, afresh.found], [false, true, [0, 1]]);
});

test("a rule that is broken is said before anything else", () => {
  const keys = at([3, 3], FRESH, { ...RULES, touch: ["keys"] });
  assert.equal(keys.words, "The query has moved. Reset to try for the goal.");
  const long = at([3, 3], FRESH, { ...RULES, keep_lengths: true });
  assert.equal(long.words, "A length has changed. Reset to try for the goal.");
});

test("a goal holds still what it does not name, until it is met once", () => {
  assert.deepEqual(
    ["query", "keys"].map((name) => allowed(RULES, FRESH).pinned(name)),
    [false, true],
  );
  assert.ok(!allowed(RULES, { ...FRESH, free: true }).pinned("keys"));
  assert.ok(!allowed(null, undefined).pinned("keys"));
});

test("a weight that only looks like its bound says on which side it is", () => {
  /** @param {"AtLeast" | "AtMost"} kind @param {number} column @param {number} weight */
  const told = (kind, column, weight) => {
    const condition = { kind, column, weight, row: 0, head: 0, bound: 0 };
    const seen = { row: () => [0.8996, 0.1004], columns: COLUMNS, rows: [], loss: null };
    return standingOf([condition], seen).words;
  };
  assert.equal(told("AtLeast", 0, 0.9), "The query gives “law” just under 0.90; you need at least 0.90.");
  assert.equal(told("AtMost", 1, 0.1), "The query gives “old” just over 0.10; you need at most 0.10.");
  assert.equal(told("AtLeast", 0, 0.8996), "Now move whatever you like.");
});

test("rows are named where there are several, and the loss has four digits", () => {
  const seen = { row: () => [0.125, 0.875], columns: COLUMNS, rows: COLUMNS, loss: 0.51234 };
  /** @param {any} condition */
  const told = (condition) => standingOf([condition], seen).words;
  assert.equal(
    told({ kind: "Prefers", column: 0, row: 1, head: 0 }),
    "When “old” looks: “old” has weight 0.88, “law” 0.13.",
  );
  assert.equal(told({ kind: "LossBelow", bound: 0.5 }), "The loss is 0.5123; you need less than 0.5.");
});
