/* What the page computes about a rotated query and key. */

import { rulesOf } from "../kit/arrow_rules.js";
import { dot, softmax } from "../kit/lookup.js";
import { turned } from "../kit/points.js";

/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Point } from "../kit/points.js" */
/** @import { Rules as Goal } from "../kit/pursuit.js" */

/**
 * @typedef {object} TurningPlace  everything that can be moved
 * @property {Point} query  before any turn, and so the key
 * @property {Point} key
 * @property {number} place  at which the query stands
 * @property {number} angle  for each place, in degrees
 *
 * @typedef {object} TurningSetup
 * @property {string[]} names  of the distances
 * @property {number} widest  angle
 * @property {TurningPlace} start
 * @property {Goal | null} goal
 *
 * @typedef {object} Measured
 * @property {number[]} scores  in the order of the distance
 * @property {number[]} weights
 * @property {number} limit
 * @property {number} undo
 * @property {Standing} [goal]
 *
 * @typedef {TurningPlace & Measured} TurningState
 */

/**
 * Rotate both by their positions and multiply them; positions before the first cannot be seen.
 * @param {TurningPlace} now @param {number} count  how many places there are
 */
export function measured({ query, key, place, angle }, count) {
  const asks = turned(query, angle * place);
  const scores = Array.from({ length: count }, (_, distance) =>
    dot(asks, turned(key, angle * (place - distance))),
  );
  const seen = softmax(scores.slice(0, place + 1));
  return { scores, weights: scores.map((_, distance) => seen[distance] ?? 0) };
}

/** @param {TurningSetup} setup */
export const rules = (setup) =>
  rulesOf(setup, (/** @type {TurningPlace} */ now) => measured(now, setup.names.length));
