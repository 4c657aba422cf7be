/* The stages of a way: each shows where a tensor's numbers are. */

import { make } from "../kit/dom.js";
import { quoted } from "../kit/words.js";

/** @import { GoalSetup, Standing } from "../kit/goal_strip.js" */

/**
 * @typedef {object} Stage
 * @property {string} code
 * @property {string[]} axes
 * @property {number[]} shape
 * @property {number[]} places  in each place, the number's place in X, counted from 0
 *
 * @typedef {{ name: string, verdict: string, right: boolean, stages: Stage[] }} Way
 *
 * @typedef {object} Setup
 * @property {string[]} words
 * @property {number} width  how many features a word has
 * @property {Way[]} ways
 * @property {(GoalSetup & { way: number, strays: number[] }) | null} goal  where to look, and for what
 *
 * @typedef {{ marked: number[], goal: Standing }} State
 */

/** Patterns, so that you can recognise a word by more than its colour. */
export const MARKS = ["●", "■", "▲", "◆"];

/**
 * Lay out a stage, and add its cells to `cells`.
 * @param {Setup} setup @param {Stage} stage @param {number} which @param {HTMLElement[]} cells
 */
export function layStage(setup, { code, axes, shape, places }, which, cells) {
  const [blocks, rows, columns] = shape.length === 3 ? shape : [1, ...shape];
  const [blockAxis, rowAxis] = axes.length === 3 ? axes : ["", axes[0]];
  /** @param {string} axis @param {number} i */
  const title = (axis, i) => (axis === "word" ? setup.words[i] : `${axis} ${i}`);
  const parts = Array.from({ length: blocks }, (_, block) => {
    const lines = Array.from({ length: rows }, (_row, row) => {
      const numbers = Array.from({ length: columns }, (_column, column) => {
        const at = (block * rows + row) * columns + column;
        return makeCell(setup, places[at], which, at, shape);
      });
      cells.push(...numbers);
      const name = make("span", { class: "shapes-name" }, title(rowAxis, row));
      return make("div", { class: "shapes-row" }, name, ...numbers);
    });
    const name = blockAxis ? [make("div", { class: "shapes-block-name" }, title(blockAxis, block))] : [];
    return make("div", { class: "shapes-block" }, ...name, ...lines);
  });
  const size = `[${shape.join(" × ")}]`;
  return make(
    "div",
    { class: "shapes-stage", role: "group", "aria-label": `${code}, ${shape.join(" by ")}` },
    make("div", { class: "shapes-code" }, make("code", {}, code)),
    make("div", { class: "shapes-size" }, `${size} ${axes.join(", ")}`),
    make("div", { class: "shapes-blocks", "data-count": blocks }, ...parts),
  );
}

/**
 * @param {Setup} setup @param {number} place @param {number} which
 * @param {number} at @param {number[]} shape
 */
function makeCell(setup, place, which, at, shape) {
  const word = Math.floor(place / setup.width);
  return make(
    "span",
    {
      class: "shapes-cell",
      "data-word": word,
      "data-place": place,
      "data-stage": which,
      tabindex: which === 0 && at === 0 ? 0 : -1,
      role: "img",
      "aria-label": `${nameOf(setup, place)}, at [${indexOf(at, shape).join(", ")}]`,
    },
    make("b", {}, MARKS[word]),
    String(place % setup.width),
  );
}

/** @param {Setup} setup @param {number} place */
export const nameOf = ({ words, width }, place) =>
  `${quoted(words[Math.floor(place / width)])}, feature ${place % width}`;

/**
 * Return the flat index of a position in a tensor of this shape.
 * @param {number} at
 * @param {number[]} shape
 */
export function indexOf(at, shape) {
  const index = [];
  for (let axis = shape.length - 1, rest = at; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]);
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}
