/*
 * Write a learner's work into the lesson's notebook, and read it back. A cell's metadata names its
 * exercise, as the author's build and nbgrader do. Choices in predictions and questions have no
 * cell, so they go into the notebook's metadata.
 */

import { factsIn } from "./storage.js";

/**
 * @typedef {{ cell_type: string, source: string | string[], metadata?: { nbgrader?: Marks },
 *   outputs?: unknown[], execution_count?: number | null }} Cell
 * @typedef {{ grade_id?: string, solution?: boolean }} Marks
 * @typedef {{ cells: Cell[], nbformat?: number, metadata?: { qkvlib?: { chosen?: unknown } } }} Notebook
 *
 * What a learner has written: code by the exercise's name, and the answer in words; and what was
 * chosen, as it is kept.
 * @typedef {{ code: Record<string, string>, words: string, chosen: Record<string, string> }} Work
 */

const ANSWER = /^\s*<!--\s*answer:.*?-->/; // begins an answer in words, for the grader, too
const UNANSWERED = "*Your answer.*";

/** Return the lesson with the work in its cells; cells without work stay unchanged. */
export function filled(/** @type {Notebook} */ lesson, /** @type {Work} */ work) {
  const { code, words, chosen } = work;
  const notebook = structuredClone(lesson);
  if (Object.keys(chosen).length) notebook.metadata = { ...notebook.metadata, qkvlib: { chosen } };
  for (const cell of notebook.cells) {
    const { grade_id = "", solution } = cell.metadata?.nbgrader ?? {};
    const text = code[grade_id.replace(/^check-/, "")];
    if (cell.cell_type === "code" && text !== undefined) {
      cell.outputs = []; // outputs of a different text
      cell.execution_count = null;
      if (solution) cell.source = text;
    }
    const mark = cell.cell_type === "markdown" && ANSWER.exec(textOf(cell));
    if (mark && words.trim()) cell.source = `${mark[0]}\n${words}`;
  }
  return notebook;
}

/**
 * Return a learner's work on these exercises from a notebook.
 * @param {Notebook} notebook
 * @param {Record<string, string>} stubs  what stands in each exercise's cell at the beginning
 * @param {RegExp} choices  the names under which what was chosen here is kept
 * @returns {Work}
 */
export function workIn(notebook, stubs, choices) {
  /** @type {Record<string, string>} */
  const code = {};
  let words = "";
  for (const cell of notebook.cells) {
    const text = textOf(cell);
    const mark = cell.cell_type === "markdown" && ANSWER.exec(text);
    if (mark) {
      const said = text.slice(mark[0].length).trim();
      if (said !== UNANSWERED) words = said;
    }
    if (cell.cell_type !== "code") continue;
    for (const [name, stub] of Object.entries(stubs))
      if (isFor(cell, name, name in code) && text.trim() !== stub.trim()) code[name] = text;
  }
  const facts = factsIn(notebook.metadata?.qkvlib?.chosen);
  return { code, words, chosen: Object.fromEntries(facts.filter(([name]) => choices.test(name))) };
}

/** Return the notebook in a file; null if there is none. @param {string} file */
export function notebookIn(file) {
  try {
    const { cells, metadata } = JSON.parse(file);
    if (!Array.isArray(cells)) return null;
    return /** @type {Notebook} */ ({ cells: cells.filter(isCell), metadata });
  } catch {
    return null;
  }
}

/**
 * Tell whether a cell is for an exercise: its own cell, or an unmarked one that defines the
 * function.
 */
function isFor(/** @type {Cell} */ cell, /** @type {string} */ name, /** @type {boolean} */ isThere) {
  const marks = cell.metadata?.nbgrader;
  if (marks?.grade_id) return marks.grade_id === name;
  return !isThere && new RegExp(`^def ${name}\\(`, "m").test(textOf(cell));
}

/** @param {any} thing @returns {thing is Cell} */
function isCell(thing) {
  const source = thing?.source;
  return typeof source === "string" || (Array.isArray(source) && source.every(isText));
}

/** @param {unknown} thing */
const isText = (thing) => typeof thing === "string";

/** @param {Cell} cell */
const textOf = ({ source }) => (typeof source === "string" ? source : source.join(""));
