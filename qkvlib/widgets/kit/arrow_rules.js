/* What moves in a widget of arrows, and what follows from it. */

import { judged } from "./pursuit.js";

/** @import { Point } from "./points.js" */
/** @import { Rules } from "./program.js" */
/** @import { Rules as Goal } from "./pursuit.js" */

/**
 * @param {object} setup
 * @param {string[]} setup.names  of what has a weight
 * @param {any} setup.start  everything that can be moved; one key of several is moved by its number
 * @param {Goal | null} setup.goal
 * @param {(state: any) => { weights: number[] }} measured
 * @returns {Rules}
 */
export function rulesOf({ names, start, goal }, measured) {
  /** @param {any} state */
  const kept = (state) => Object.fromEntries(Object.keys(start).map((name) => [name, state[name]]));
  return {
    kept,
    moved(state, change) {
      const now = kept({ ...state, ...change });
      if (now.keys)
        now.keys = now.keys.map((/** @type {Point} */ key, /** @type {number} */ i) => change[i] ?? key);
      const found = { ...state, ...now, ...measured({ ...state, ...now }) };
      if (!goal || !state.goal) return found;
      const standing = judged(goal, state.goal, found.weights, names, withKeys(now), withKeys(start));
      return { ...found, goal: standing };
    },
  };
}

/** Return a state with the names that goals use: a single key is in a list of keys. @param {any} state */
const withKeys = (state) => ({ ...state, keys: state.keys ?? [state.key] });
