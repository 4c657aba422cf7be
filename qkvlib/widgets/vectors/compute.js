/* What the page computes about its arrows. */

import { rulesOf } from "../kit/arrow_rules.js";
import { angle, cosine, dot, softmax } from "../kit/lookup.js";
import { lengthOf } from "../kit/points.js";

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

/** Compute every number of the arrows. @param {Pick<VectorsState, "query" | "keys">} arrows */
function measured({ query, keys }) {
  const cosines = keys.map((key) => cosine(query, key));
  const scores = keys.map((key) => dot(query, key));
  return {
    query_length: lengthOf(query),
    lengths: keys.map(lengthOf),
    angles: cosines.map(angle),
    cosines,
    scores,
    weights: softmax(scores),
  };
}

/** @param {VectorsSetup} setup */
export const rules = (setup) => rulesOf(setup, measured);
