/* The numbers as they were packed, unpacked for drawing. */

import { numbersIn } from "../kit/bytes.js";
import { fixed } from "../kit/words.js";
import { isShared } from "./packing.js";

/** @import { GoalSetup, Standing } from "../kit/goal_strip.js" */
/** @import { Condition } from "../kit/goals.js" */

/**
 * @typedef {object} Setup
 * @property {string[]} tokens
 * @property {string[] | null} features  what the columns of X are called, if anything
 * @property {number} heads
 * @property {Record<string, [number, number]>} sizes  rows and columns of each matrix, in one head
 * @property {Record<string, string[]>} groups  the names in each packed group of numbers
 * @property {string} function  the learner's own attention, or ""
 * @property {boolean} maskable  whether a mask can be given to it
 * @property {number} limit
 * @property {(GoalSetup & { touch: string[], conditions: Condition[] }) | null} goal
 * @property {Start | null} start  what the page computes from, or null where Python alone can
 * @property {boolean} double  whether Python holds the numbers in double precision
 *
 * @typedef {{ names: string[], numbers: DataView, mask: string }} Start  where the lab began
 *
 * @typedef {object} State
 * @property {DataView} given
 * @property {DataView} moving
 * @property {DataView | null} gradients  null where an answer left them out
 * @property {string} mask  a "1" where a token may attend
 * @property {(number | null)[]} losses
 * @property {number | null} loss
 * @property {number} moves
 * @property {number} undo
 * @property {number} rate
 * @property {string[]} frozen
 * @property {string} view
 * @property {string} error
 * @property {string} note
 * @property {Standing} [goal]
 *
 * @typedef {{ name: string, i: number, j: number }} Place  one cell of one matrix
 * @typedef {[string, number | null, number | null]} Lines  cells of a matrix: a row, a column, all
 *
 * @typedef {object} Book  every number of one head, as it is now
 * @property {(name: string, i: number, j: number) => number} at
 * @property {(i: number, j: number) => boolean} allowed
 * @property {Setup} setup
 * @property {State} state
 * @property {number} head
 */

/**
 * A number as a cell has room for it: three decimals go without their zero, and nothing is no noise.
 * @param {number} value
 * @param {number} digits
 */
export function compact(value, digits) {
  if (Number.isNaN(value)) return "·";
  if (value === 0) return "0";
  // A cell holds five signs.
  if (Math.abs(value) >= 1e4) return value.toExponential(0).replace("e+", "e").replace("-", "−");
  const text = fixed(value, digits);
  return digits > 2 ? text.replace(/^(−?)0\./, "$1.") : text;
}

/** Decimals enough to see the largest of some numbers. @param {number} most */
export function decimalsFor(most) {
  if (!(most > 0) || most >= 0.1) return most >= 99.5 ? 0 : most >= 9.95 ? 1 : 2;
  return Math.min(1 - Math.floor(Math.log10(most)), 5);
}

/**
 * Unpack the numbers of a state. Groups that did not change are kept.
 * @param {Setup} setup
 */
export function makeReader(setup) {
  /** @type {Record<string, DataView | null>} */
  const seen = {};
  /** @type {Record<string, Float32Array>} */
  const found = {};
  /** @param {State} state @param {number} head @returns {Book} */
  return (state, head) => {
    for (const [group, names] of Object.entries(setup.groups)) {
      const packed = /** @type {any} */ (state)[group];
      if (packed === seen[group]) continue;
      seen[group] = packed;
      if (!packed) {
        for (const name of names) delete found[name];
        continue;
      }
      const numbers = numbersIn(packed, Float32Array);
      let start = 0;
      for (const name of names) {
        const [rows, cols] = setup.sizes[name];
        const length = rows * cols * (isShared(name) ? 1 : setup.heads);
        found[name] = numbers.subarray(start, start + length);
        start += length;
      }
    }
    const { mask } = state;
    return {
      setup,
      state,
      head,
      at(name, i, j) {
        const [rows, cols] = setup.sizes[name];
        const numbers = found[name];
        return numbers ? numbers[((isShared(name) ? 0 : head) * rows + i) * cols + j] : NaN;
      },
      allowed: (i, j) => mask[i * setup.tokens.length + j] === "1",
    };
  };
}

/**
 * A book with what the hand has set already, each number named by "matrix head row column".
 * @param {Book} book @param {Record<string, number>} ahead @returns {Book}
 */
export const withAhead = (book, ahead) =>
  Object.keys(ahead).length
    ? {
        ...book,
        at: (name, i, j) => ahead[`${name} ${book.head} ${i} ${j}`] ?? book.at(name, i, j),
      }
    : book;

/** The losses as this page knows them: answers carry the last one only. @param {State} state */
export function keepLosses({ losses, moves, loss }) {
  if (losses.length > moves) losses.length = moves;
  while (losses.length < moves) losses.push(loss);
  losses[moves - 1] = loss;
}

/** The largest size among a matrix's numbers. @param {Book} book @param {string} name */
export function reachOf(book, name) {
  const [rows, cols] = book.setup.sizes[name];
  let most = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const size = Math.abs(book.at(name, i, j));
      if (size > most) most = size;
    }
  }
  return most;
}

/** The numbers from 0. @param {number} count */
export const range = (count) => Array.from({ length: count }, (_, t) => t);
