import assert from "node:assert/strict";
import { test } from "node:test";
import { filled } from "./notebook.js";

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
};

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
  assert.deepEqual(filled(LESSON, { code: {}, words: " " }), LESSON);
});
