/* What the page computes about its arrows. */

import { angle, cosine, dot, softmax } from "../kit/lookup.js";
import { lengthOf } from "../kit/points.js";
import { judged } from "../kit/pursuit.js";

/** @import { Rules } from "../kit/program.js" */
/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Point } from "../kit/points.js" */
/** @import { Place, Rules as Goal } from "../kit/pursuit.js" */

/**
 * @typedef {object} VectorsSetup
 * @property {string[]} names
 * @property {Place} start
 * @property {boolean} regions  whether the plane shows which key wins where
 * @property {Goal | null} goal
 *
 * @typedef {object} VectorsState
 * @property {Point} query
 * @property {Point[]} keys
 * @property {number} limit
 * @property {number} query_length
 * @property {number[]} lengths
 * @property {(number | null)[]} angles
 * @property {(number | null)[]} cosines
 * @property {number[]} scores
 * @property {number[]} weights
 * @property {number} undo
 * @property {Standing} [goal]
 */

/** Compute every number of the arrows. @param {Point} query @param {Point[]} keys */
export function measured(query, keys) {
  const cosines = keys.map((key) => cosine(query, key));
  const scores = keys.map((key) => dot(query, key));
  return {
    query,
    keys,
    query_length: lengthOf(query),
    lengths: keys.map(lengthOf),
    angles: cosines.map(angle),
    cosines,
    scores,
    weights: softmax(scores),
  };
}

/**
 * What moves, and what follows from it.
 * @param {VectorsSetup} setup @returns {Rules}
 */
export function rules({ names, start, goal }) {
  return {
    /** @param {VectorsState} state @returns {VectorsState} */
    moved(state, change) {
      const query = change.query ?? state.query;
      const keys = (change.keys ?? state.keys).map(
        (/** @type {Point} */ key, /** @type {number} */ i) => change[i] ?? key,
      );
      const numbers = measured(query, keys);
      if (!goal || !state.goal) return { ...state, ...numbers };
      const standing = judged(goal, state.goal, numbers.weights, names, { query, keys }, start);
      return { ...state, ...numbers, goal: standing };
    },
    /** @param {VectorsState} state */
    kept: ({ query, keys }) => ({ query, keys }),
  };
}
