/* Read the numbers of a state in the form that the picture needs. */

import { shade } from "../kit/maps.js";
import { fixed } from "../kit/words.js";
import { passOf } from "./pass.js";

/** @import { GoalSetup, Standing } from "../kit/goal_strip.js" */
/** @import { Condition } from "../kit/goals.js" */
/** @import { Pass } from "./pass.js" */

/**
 * @typedef {object} Setup
 * @property {string[]} tokens
 * @property {string[] | null} features  the names of X's columns, if they have any
 * @property {number} heads
 * @property {Record<string, [number, number]>} sizes  rows and columns of each matrix, in one head
 * @property {number} limit
 * @property {(GoalSetup & { touch: string[], conditions: Condition[] }) | null} goal
 * @property {Moved} start  the lab's initial state
 *
 * @typedef {object} State
 * @property {Record<string, number[]>} matrices  x, the weights and the target, with the heads side by side
 * @property {boolean[]} mask  true where a token may attend
 * @property {(number | null)[]} losses
 * @property {number | null} loss
 * @property {number} undo
 * @property {number} rate
 * @property {string[]} frozen
 * @property {string} view
 * @property {string} note
 * @property {Standing} [goal]
 *
 * @typedef {Pick<State, "matrices" | "mask">} Moved  everything that can be moved
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
 * Write a number as briefly as a cell needs: three decimals go without the leading zero, rounding noise is
 * written as 0, and a large number has fewer decimals than the others of its matrix.
 * @param {number} value
 * @param {number} digits
 */
export function compact(value, digits) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  // A cell has space for five characters.
  if (size >= 1e4) return value.toExponential(0).replace("e+", "e").replace("-", "−");
  const text = fixed(value, size >= 99.5 ? 0 : size >= 9.95 ? 1 : digits);
  return digits > 2 ? text.replace(/^(−?)0\./, "$1.") : text;
}

/** Return how many decimals are needed to show the largest of some numbers. @param {number} most */
export function decimalsFor(most) {
  if (!(most > 0) || most >= 0.1) return 2;
  return Math.min(1 - Math.floor(Math.log10(most)), 5);
}

/**
 * Return every number of one head.
 * @param {Setup} setup
 * @param {State} state
 * @param {number} head
 * @returns {Book}
 */
export function bookOf(setup, state, head) {
  return {
    ...{ setup, state, head },
    at: reader(setup, passOf(setup, state), head),
    allowed: (i, j) => state.mask[i * setup.tokens.length + j],
  };
}

/**
 * Return a function that looks up a number of one head.
 * @param {Setup} setup
 * @param {Pass} pass
 * @param {number} head
 * @returns {Book["at"]}
 */
export const reader =
  (setup, { found }, head) =>
  (name, i, j) => {
    const one = found[name];
    if (!one) return NaN;
    if (Array.isArray(one)) return one[head].numbers[i * one[head].cols + j];
    const [, width] = setup.sizes[name];
    const before = one.cols > width ? head * width : 0; // all heads share X
    return one.numbers[i * one.cols + before + j];
  };

/** Return the largest absolute value in a matrix. @param {Book} book @param {string} name */
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

/**
 * Return the index of a number's colour.
 * @param {string} name @param {number} value @param {number} most  the largest number of its matrix
 */
export const tint = (name, value, most) =>
  name === "weights" ? shade(value, "weight") : shade((STRONGEST * value) / (most || 1), "signed");

const STRONGEST = 0.8; // the strongest share of a colour in a cell

/** List the numbers from 0. @param {number} count */
export const range = (count) => Array.from({ length: count }, (_, t) => t);
