/*
 * Write a learner's work into the lesson's notebook. A cell's metadata names its exercise, as the
 * author's build and nbgrader do.
 */

/**
 * @typedef {{ cell_type: string, source: string | string[], metadata?: { nbgrader?: Marks },
 *   outputs?: unknown[], execution_count?: number | null }} Cell
 * @typedef {{ grade_id?: string, solution?: boolean }} Marks
 * @typedef {{ cells: Cell[] }} Notebook
 *
 * What a learner has written: code by the exercise's name, and the answer in words.
 * @typedef {{ code: Record<string, string>, words: string }} Work
 */

const ANSWER = /^\s*<!--\s*answer:.*?-->/; // begins an answer in words, for the grader, too

/** Return the lesson with the work in its cells; cells without work stay unchanged. */
export function filled(/** @type {Notebook} */ lesson, /** @type {Work} */ { code, words }) {
  const notebook = structuredClone(lesson);
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

/** @param {Cell} cell */
const textOf = ({ source }) => (typeof source === "string" ? source : source.join(""));
