import assert from "node:assert/strict";
import { test } from "node:test";
import { makeSearch, wordsOf } from "./search.js";

/** @type {import("./search.js").Entry[]} */
const ENTRIES = [
  ["question", "Why divide by the square root of d_k?", "questions.html#a", "", "Softmax, and size."],
  ["section", "Why a square root?", "02.html#b", "Soft lookup", "Scores grow."],
  ["word", "softmax", "02.html#c", "Soft lookup", "Weights that sum to one."],
  ["exercise", "softmax", "02.html#d", "Soft lookup", "Write it."],
];
const titles = (/** @type {string} */ asked) => makeSearch(ENTRIES)(asked).map((one) => one[1]);

test("signs, endings and other words for the same thing are one word", () => {
  assert.deepEqual(wordsOf("√d_k"), wordsOf("sqrt(dk)"));
  assert.deepEqual(wordsOf("QKV"), wordsOf("queries, keys and values"));
  assert.deepEqual(wordsOf("Are the weight tables learned?"), wordsOf("weight matrices, trained"));
});

test("what has more of the words comes first", () => {
  assert.deepEqual(titles("divide by the root"), [
    "Why divide by the square root of d_k?",
    "Why a square root?",
  ]);
});

test("a word in a title counts more than one in a text, and its beginning is enough", () => {
  const found = makeSearch(ENTRIES)("softma").map(([kind]) => kind);
  assert.deepEqual(found, ["word", "exercise", "question"]);
});

test("nothing asked, and what is not there, finds nothing", () => {
  for (const asked of ["", "?!", "the of a", "piano"]) assert.deepEqual(titles(asked), []);
});
