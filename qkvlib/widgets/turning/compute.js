/* What the page computes about a rotated query and key. */

import { dot, softmax } from "../kit/lookup.js";
import { turned } from "../kit/points.js";
import { judged } from "../kit/pursuit.js";

/** @import { Rules } from "../kit/program.js" */
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

/** The names that goals use: here the one key is in a list of keys. @param {TurningPlace} now */
const ofAGoal = (now) => ({ ...now, keys: [now.key] });

/** What moves, and what follows from it. @param {TurningSetup} setup @returns {Rules} */
export function rules({ names, start, goal }) {
  return {
    /** @param {TurningState} state @returns {TurningState} */
    moved(state, change) {
      const now = {
        query: change.query ?? state.query,
        key: change.key ?? state.key,
        place: change.place ?? state.place,
        angle: change.angle ?? state.angle,
      };
      const found = { ...state, ...now, ...measured(now, names.length) };
      if (!goal || !state.goal) return found;
      const [at, from] = [ofAGoal(now), ofAGoal(start)];
      return { ...found, goal: judged(goal, state.goal, found.weights, names, at, from) };
    },
    /** @param {TurningState} state */
    kept: ({ query, key, place, angle }) => ({ query, key, place, angle }),
  };
}
