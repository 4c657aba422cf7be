import assert from "node:assert/strict";
import { test } from "node:test";
import { placeAt, put, without } from "./moves.js";

test("a letter is put in, moved and taken out", () => {
  assert.equal(put("EJ", "B", 1), "EBJ");
  assert.equal(put("EJB", "E", 2), "JBE");
  assert.equal(put("EJB", "E", 9), "JBE");
  assert.equal(put("", "E", 0), "E");
  assert.equal(put("EJ", "J", -1), "JE");
  assert.equal(without("EJB", "J"), "EB");
  assert.equal(without("EJB", "X"), "EJB");
});

test("a line goes behind those whose middle is above it", () => {
  assert.equal(placeAt(5, [10, 30, 50]), 0);
  assert.equal(placeAt(31, [10, 30, 50]), 2);
  assert.equal(placeAt(99, [10, 30, 50]), 3);
});
