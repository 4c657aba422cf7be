/*
 * A widget's other half in the page, where all of its state follows from a few things that a hand
 * moves: it carries out the same requests as Python, and comes to the same state.
 */

import { makeHistory } from "./history.js";
import { again } from "./pursuit.js";

/** @import { Standing } from "./goal_strip.js" */
/** @import { Local } from "./kernel.js" */

/**
 * @typedef {Record<string, any>} Change  what a hand has moved, by name
 *
 * @typedef {object} Twin  what Python computes, computed here
 * @property {(state: any, change: Change) => any} moved  the state after a change
 * @property {(state: any) => Change} kept  the change that would bring a state back
 * @property {boolean} whole  whether that is all: a learner's own function only Python can call
 */

/**
 * The widget in the page, or null where Python alone can do what it does.
 * @param {Twin} twin @param {Change} start  what Reset goes back to
 * @param {{ undo: number, goal?: Standing }} opening  the state that the page opened with
 * @returns {Local | null}
 */
export function makeLocal({ moved, kept, whole }, start, opening) {
  if (!whole) return null;
  let state = opening;
  /** @type {ReturnType<typeof makeHistory<Change>>} */
  const history = makeHistory(opening.undo);

  /** What a request can ask for. @type {Record<string, () => void>} */
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
    look() {},
  };

  return {
    can: (request) => request.do !== "undo" || history.known,
    carryOut(request) {
      if (request.edit) {
        history.remember(kept(state), request.gesture);
        state = moved(state, request.edit);
      } else DO[/** @type {string} */ (request.do)]();
      state = { ...state, undo: history.length };
      return state;
    },
    adopt(truth, itself) {
      history.adopt(truth.undo, itself);
      state = truth;
      return state;
    },
  };
}
