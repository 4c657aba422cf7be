/* Make the program of a widget whose state follows from a few things that a learner moves. */

import { makeHistory } from "./history.js";
import { again } from "./pursuit.js";

/** @import { Standing } from "./goal_strip.js" */
/** @import { Program } from "./owner.js" */

/**
 * @typedef {Record<string, any>} Change  what a hand has moved, by name
 *
 * @typedef {object} Rules
 * @property {(state: any, change: Change) => any} moved  return the complete state after a change
 * @property {(state: any) => Change} kept  return the change that would restore a state
 */

/**
 * @param {Rules} rules @param {Change} start  what Reset goes back to
 * @param {{ goal?: Standing }} opening  the state that the page opened with
 * @returns {Program}
 */
export function makeProgram({ moved, kept }, start, opening) {
  /** @type {any} */
  let state = opening;
  /** @type {ReturnType<typeof makeHistory<Change>>} */
  const history = makeHistory();

  /** The requests that can be made. @type {Record<string, () => void>} */
  const DO = {
    undo() {
      const before = history.back();
      if (before) state = moved(state, before);
    },
    reset() {
      history.remember(kept(state), "reset");
      if (state.goal) state = { ...state, goal: again(state.goal) };
      state = moved(state, start);
    },
  };
  const counted = () => {
    state = { ...state, undo: history.length };
    return state;
  };

  return {
    carryOut(request) {
      if (request.edit) {
        history.remember(kept(state), request.gesture);
        state = moved(state, request.edit);
      } else DO[/** @type {string} */ (request.do)]();
      return counted();
    },
    adopt(told, meanwhile) {
      state = moved(told, meanwhile);
      return counted();
    },
    rest(known) {
      const now = Object.entries(kept(state));
      const news = now.filter(([name, value]) => String(value) !== String(known?.[name]));
      const { met = false, free = false, found = [] } = state.goal ?? {};
      const goal = state.goal ? { goal: { met, free, found } } : {};
      return { ...Object.fromEntries(news), ...goal };
    },
  };
}
