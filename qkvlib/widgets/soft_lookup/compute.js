/* What the page computes of a lookup. */

import { rulesOf } from "../kit/arrow_rules.js";
import { blend, dot, hardmax, softmax } from "../kit/lookup.js";

/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Frame } from "../kit/plane.js" */
/** @import { Point } from "../kit/points.js" */
/** @import { Rules as Goal } from "../kit/pursuit.js" */

/**
 * @typedef {{ query: Point, keys: Point[], values: Point[], temperature: number, hard: boolean }} LookupPlace
 *
 * @typedef {object} LookupSetup
 * @property {string[]} names
 * @property {string} query_name
 * @property {string[]} touch  what a hand may move
 * @property {[string, string] | null} axes  what the values' two numbers mean
 * @property {string} sentence
 * @property {string[] | null} endings  how the sentence ends where each key wins
 * @property {string} invitation
 * @property {LookupPlace} start
 * @property {Goal | null} goal
 *
 * @typedef {object} Measured
 * @property {number[]} scores
 * @property {number[]} weights
 * @property {Point} output
 * @property {number} limit
 * @property {number} undo
 * @property {Standing} [goal]
 *
 * @typedef {LookupPlace & Measured} LookupState
 */

/**
 * Compute the lookup at a temperature; a hard lookup gives all the weight to the best key.
 * @param {LookupPlace} place
 */
export function lookedUp({ query, keys, values, temperature, hard }) {
  const scores = keys.map((key) => dot(query, key));
  const weights = hard ? hardmax(scores) : softmax(scores.map((score) => score / temperature));
  return { scores, weights, output: /** @type {Point} */ (blend(weights, values)) };
}

/** @param {LookupSetup} setup */
export const rules = (setup) => rulesOf(setup, lookedUp);

/**
 * Return the square in which the values are drawn, with room around them for their names.
 * @param {Point[]} values @returns {Omit<Frame, "side">}
 */
export function frameOf(values) {
  const [[left, right], [low, high]] = [0, 1].map((axis) => {
    const numbers = values.map((value) => value[axis]);
    return [Math.min(...numbers), Math.max(...numbers)];
  });
  const span = 1.44 * (Math.max(right - left, high - low) || 1);
  return { left: (left + right - span) / 2, bottom: (low + high - span) / 2, span };
}

/** Return the corners of the convex hull of some points. @param {Point[]} points @returns {Point[]} */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  /** @param {Point[]} row */
  const side = (row) => {
    /** @type {Point[]} */
    const corners = [];
    for (const point of row) {
      while (
        corners.length > 1 &&
        !turnsLeft(corners[corners.length - 2], corners[corners.length - 1], point)
      )
        corners.pop();
      corners.push(point);
    }
    return corners.slice(0, -1);
  };
  return points.length < 3 ? sorted : [...side(sorted), ...side(sorted.reverse())];
}

/** @param {Point} a @param {Point} b @param {Point} c */
const turnsLeft = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
