import assert from "node:assert/strict";
import { test } from "node:test";
import { result } from "./quiz.js";

const state = (/** @type {string | null} */ choice, because = "") => ({
  choice,
  outcome: choice && "a",
  because,
  sealed: "",
});

test("a quiz counts what is right and what is left, and names each place once, in order", () => {
  const nine = "No. Reread chapter 9, “Why”. And so on.";
  const two = "No. Reread chapter 2, “Soft, softer”.";
  const told = result([state("a", nine), state("b", nine), state("b", two), state("b", nine), state(null)]);
  assert.equal(told.count, "1 of 5 right, 1 not answered yet");
  assert.deepEqual(told.again, [
    ["2", "Soft, softer"],
    ["9", "Why"],
  ]);
});

test("all right leaves nothing to read", () => {
  assert.deepEqual(result([state("a")]), { count: "1 of 1 right", again: [] });
});
