/*
 * A widget's other half in the page, where all of its state follows from a few things that a hand
 * moves: it carries out the same requests as Python, and comes to the same state.
 */

import { again } from "./pursuit.js";

/** @import { Standing } from "./goal.js" */
/** @import { Local } from "./kernel.js" */

/**
 * @typedef {Record<string, any>} Change  what a hand has moved, by name
 *
 * @typedef {object} Twin  what Python computes, computed here
 * @property {(state: any, change: Change) => any} moved  the state after a change
 * @property {(state: any) => Change} kept  the change that would bring a state back
 * @property {boolean} whole  whether that is all: a learner's own function only Python can call
 */

const MOST_UNDO = 100;

/**
 * The widget in the page, or null where Python alone can do what it does.
 * @param {Twin} twin @param {Change} start  what Reset goes back to
 * @param {{ undo: number, goal?: Standing }} opening  the state that the page opened with
 * @returns {Local | null}
 */
export function makeLocal({ moved, kept, whole }, start, opening) {
  if (!whole) return null;
  let state = opening;
  /** @type {Change[]} */
  let past = [];
  let forgotten = opening.undo; // the steps of Undo before those, which Python alone remembers
  /** @type {any} */
  let gesture = null;

  /** One step of Undo for each gesture, however many edits it sends. @param {any} of */
  function remember(of) {
    if (of !== gesture) {
      past = [...past, kept(state)];
      if (forgotten + past.length > MOST_UNDO) forgotten ? forgotten-- : past.shift();
    }
    gesture = of;
  }

  /** What a request can ask for. @type {Record<string, () => void>} */
  const DO = {
    undo() {
      const before = past.pop();
      if (!before) return;
      gesture = null;
      state = moved(state, before);
    },
    reset() {
      remember("reset");
      if (state.goal) state = { ...state, goal: again(state.goal) };
      state = moved(state, start);
    },
    look() {},
  };

  return {
    can: (request) => request.do !== "undo" || past.length > 0 || !forgotten,
    carryOut(request) {
      if (request.edit) {
        remember(request.gesture);
        state = moved(state, request.edit);
      } else DO[/** @type {string} */ (request.do)]();
      state = { ...state, undo: forgotten + past.length };
      return state;
    },
    adopt(truth, itself) {
      if (itself || truth.undo !== forgotten + past.length) {
        past = [];
        forgotten = truth.undo;
        gesture = null;
      }
      state = truth;
      return state;
    },
  };
}
