import assert from "node:assert/strict";
import { test } from "node:test";
import { progressIn } from "./storage.js";

test("a file of progress gives its facts, and nothing else that stands in it", () => {
  const kept = {
    "predictions/03-x": "yes",
    "theme/chosen": "dark",
    "goals/../x": "met",
    "answers/03": 3,
  };
  assert.deepEqual(progressIn(JSON.stringify({ qkvlib: 1, kept })), [["predictions/03-x", "yes"]]);
});

test("another file is none", () => {
  for (const text of ["", "[]", "null", "{}", '{"qkvlib": 2, "kept": {}}', '{"qkvlib": 1, "kept": null}'])
    assert.equal(progressIn(text), null, text);
});
