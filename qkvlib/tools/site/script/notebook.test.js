import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, notebookIn, workIn } from "./notebook.js";

const STUBS = {
  dot: "def dot(a, b):\n    raise NotImplementedError",
  centre: "def centre(x): ...",
};
const marks = (/** @type {string} */ grade_id, solution = true) => ({
  nbgrader: { grade_id, solution },
});
const LESSON = {
  cells: [
    { cell_type: "markdown", source: ["# Lesson"] },
    { cell_type: "code", source: [STUBS.dot], metadata: marks("dot"), outputs: [] },
    {
      cell_type: "code",
      source: "dot = check(dot)",
      metadata: marks("check-dot", false),
      outputs: ["Not attempted"],
      execution_count: 3,
    },
    { cell_type: "code", source: STUBS.centre, metadata: marks("centre"), outputs: ["old"] },
    { cell_type: "markdown", source: ["<!-- answer: why, 2 points -->\n", "*Your answer.*"] },
  ],
};
const WORK = {
  code: { dot: "def dot(a, b):\n    return (a * b).sum()" },
  words: "Because.",
  chosen: { "predictions/01-long-key": "the long key", "confidence/01-long-key": "sure" },
};
const CHOICES = /^(predictions|confidence)\/01-/;

test("work goes into its own cells, and what came of the stub is gone", () => {
  const { cells } = filled(LESSON, WORK);
  assert.equal(cells[1]?.source, WORK.code.dot);
  assert.equal(cells[2]?.source, "dot = check(dot)");
  assert.deepEqual(cells[2]?.outputs, []);
  assert.equal(cells[2]?.execution_count, null);
  assert.deepEqual(cells[3], LESSON.cells[3]);
  assert.equal(cells[4]?.source, "<!-- answer: why, 2 points -->\nBecause.");
  assert.equal(LESSON.cells[2]?.outputs?.length, 1);
});

test("nothing written leaves the lesson as it is", () => {
  assert.deepEqual(filled(LESSON, { code: {}, words: " ", chosen: {} }), LESSON);
});

test("what was taken away comes back the same", () => {
  const back = notebookIn(JSON.stringify(filled(LESSON, WORK)));
  assert.deepEqual(back && workIn(back, STUBS, CHOICES), WORK);
});

test("an untouched lesson brings nothing, so that it takes nothing", () => {
  assert.deepEqual(workIn(LESSON, STUBS, CHOICES), { code: {}, words: "", chosen: {} });
});

test("of what was chosen, this chapter's comes back, and nothing else that stands there", () => {
  const chosen = {
    ...WORK.chosen,
    "predictions/02-other": "x",
    "code/01-x": "x",
    "predictions/01-../x": "x",
    "predictions/01-y": 3,
  };
  const notebook = { ...LESSON, metadata: { qkvlib: { chosen } } };
  assert.deepEqual(workIn(notebook, STUBS, CHOICES).chosen, WORK.chosen);
  for (const other of [null, "text", 3, ["x"]]) {
    const strange = { ...LESSON, metadata: { qkvlib: { chosen: other } } };
    assert.deepEqual(workIn(strange, STUBS, CHOICES).chosen, {});
  }
});

test("a cell of the learner's own counts where the exercise's is untouched", () => {
  const own = { cell_type: "code", source: WORK.code.dot };
  const notebook = { cells: [...LESSON.cells, own] };
  assert.deepEqual(workIn(notebook, STUBS, CHOICES).code, WORK.code);
  const both = { cells: [...filled(LESSON, WORK).cells, { ...own, source: "def dot(a, b): 1" }] };
  assert.deepEqual(workIn(both, STUBS, CHOICES).code, WORK.code);
});

test("a file that is no notebook brings nothing", () => {
  for (const text of ["", "[]", "null", "{}", '{"cells": 3}']) assert.equal(notebookIn(text), null);
  const cells = notebookIn('{"cells": [null, {"source": 3}, {"source": [3]}]}')?.cells;
  assert.deepEqual(cells, []);
});
