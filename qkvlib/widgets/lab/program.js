/*
 * Carry out everything that moves the lab's numbers (edits, steps, Undo, Reset), and judge the goal.
 */

import { MET, standingOf } from "../kit/goals.js";
import { makeHistory } from "../kit/history.js";
import { WEIGHT_NAMES } from "./graph.js";
import { passOf } from "./pass.js";
import { begun, followed, keepRun, LONGEST } from "./run.js";

/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Ask } from "../kit/kernel.js" */
/** @import { Program } from "../kit/owner.js" */
/** @import { Pass } from "./pass.js" */
/** @import { Moved, Setup, State } from "./numbers.js" */
/** @import { Run } from "./run.js" */

/**
 * @typedef {Moved & Pick<State, "losses"> & { run: Run }} Past  what Undo restores
 *
 * @typedef {object} Own  the state, which each request replaces, and the history for Undo
 * @property {Setup} setup
 * @property {State} state
 * @property {Run | null} run
 * @property {ReturnType<typeof makeHistory<Past>>} history
 */

/** Make the lab's program. @param {Setup} setup @param {State} opening  the first state @returns {Program} */
export function makeProgram(setup, opening) {
  /** @type {Own} */
  const own = { setup, state: opening, run: null, history: makeHistory() };
  const counted = () => {
    own.state.undo = own.history.length;
    keepRun(own.state, runNow(own));
    return own.state;
  };
  return {
    carryOut(request) {
      own.state = { ...own.state, note: "" };
      if (request.edit) change(own, edited(own, request.edit), request.gesture);
      else DO[/** @type {string} */ (request.do)](own, request);
      return counted();
    },
    adopt(told, meanwhile) {
      own.state = { ...told, note: "" };
      place(own, edited(own, meanwhile));
      return counted();
    },
    rest: (known) => rest(own, known),
  };
}

/** The requests that can be made. @type {Record<string, (own: Own, request: Ask) => void>} */
const DO = {
  step(own, { gesture, times = 1 }) {
    own.history.remember(kept(own), gesture);
    for (let k = 0; k < times; k++) takeStep(own);
  },
  undo(own) {
    const last = own.history.back();
    if (!last) return;
    place(own, last);
    own.state.losses = last.losses;
    own.run = last.run;
  },
  reset(own) {
    own.history.remember(kept(own));
    if (own.state.goal) own.state.goal = { ...own.state.goal, met: false };
    place(own, own.setup.start);
    own.state.losses = [own.state.loss];
    own.run = null;
  },
  mask(own, { choice: [i, j] }) {
    const clicked = i * own.setup.tokens.length + j;
    change(own, { mask: own.state.mask.map((allowed, at) => allowed !== (at === clicked)) });
  },
  rate(own, { choice }) {
    own.state.rate = choice;
  },
  view(own, { choice }) {
    own.state.view = choice;
  },
};

/** Return the run so far, which begins when it is first looked at. @param {Own} own */
function runNow(own) {
  own.run ??= begun(passOf(own.setup, own.state));
  return own.run;
}

/** Return what Undo will restore. @param {Own} own @returns {Past} */
function kept(own) {
  const { matrices, mask, losses } = own.state;
  return { matrices, mask, losses, run: runNow(own) };
}

/**
 * Move something by hand; the edits of one gesture count as one move.
 * @param {Own} own
 * @param {Partial<Past>} moved
 * @param {any} [of]
 */
function change(own, moved, of = null) {
  const sameMove = own.history.goesOn(of);
  own.history.remember(kept(own), of);
  const before = passOf(own.setup, own.state);
  place(own, moved);
  keepLoss(own, sameMove, before);
}

/** Set several matrices at once, and judge the goal. @param {Own} own @param {Partial<Past>} moved */
function place(own, { matrices, mask }) {
  const { setup, state } = own;
  own.state = { ...state, matrices: matrices ?? state.matrices, mask: mask ?? state.mask };
  const { loss } = passOf(setup, own.state);
  own.state.loss = tidy(loss);
  if (setup.goal) own.state.goal = state.goal?.met ? { ...state.goal, ...MET } : judge(own, loss);
}

/** @param {Own} own @param {boolean} sameMove @param {Pass | null} before  what a hand has moved from */
function keepLoss(own, sameMove, before) {
  const { setup, state } = own;
  own.run = followed(runNow(own), passOf(setup, state), { before, goesOn: sameMove });
  const losses = sameMove ? state.losses.slice(0, -1) : state.losses;
  state.losses = [...losses.slice(1 - LONGEST), state.loss];
}

/** Judge the goal. @param {Own} own @param {number | null} loss @returns {Standing} */
function judge({ setup, state }, loss) {
  const { touch, conditions } = /** @type {NonNullable<Setup["goal"]>} */ (setup.goal);
  const { tokens, start } = setup;
  const { found } = passOf(setup, state);
  // In single precision, as Python may hold them: a weight that was brought back is where it was.
  const held = (/** @type {Moved} */ { matrices }, /** @type {string} */ name) =>
    matrices[name].map(Math.fround);
  const moved = WEIGHT_NAMES.filter((name) => !isSame(held(state, name), held(start, name)));
  if (!isSame(state.mask, start.mask)) moved.push("mask");
  const strange = moved.find((name) => !touch.includes(name));
  if (strange) {
    const words = `${strange} has changed. Reset to try for the goal.`;
    return { met: false, share: 0, words };
  }
  /** @param {number} head @param {number} i */
  const row = (head, i) => {
    const { cols, numbers } = found.weights[head];
    // In single precision: rounding makes no weight larger than its equal.
    return Array.from(numbers.subarray(i * cols, (i + 1) * cols), Math.fround);
  };
  return standingOf(conditions, { row, rows: tokens, columns: tokens, loss });
}

/** @param {unknown[]} one @param {unknown[] | undefined} other */
const isSame = (one, other) => one.every((value, at) => value === other?.[at]);

/**
 * Set single weights, each named by "matrix head row column".
 * @param {Own} own @param {Record<string, number>} edit @returns {Partial<Past>}
 */
function edited({ setup, state }, edit) {
  const matrices = { ...state.matrices };
  for (const [address, value] of Object.entries(edit)) {
    const [name, ...at] = address.split(" ");
    const [head, row, column] = at.map(Number);
    const [, width] = setup.sizes[name];
    matrices[name] = [...matrices[name]];
    matrices[name][(row * setup.heads + head) * width + column] = value;
  }
  return { matrices };
}

/**
 * Tell whether a step leaves a matrix unchanged, because it is frozen or the goal locks it.
 * @param {Own} own
 * @param {string} name
 */
const stays = ({ setup: { goal }, state }, name) =>
  state.frozen.includes(name) || (goal && !state.goal?.met && !goal.touch.includes(name));

/** Take one gradient step, unless a number would leave the picture's range. @param {Own} own */
function takeStep(own) {
  const { setup, state } = own;
  const { found } = passOf(setup, state);
  const matrices = { ...state.matrices };
  for (const name of WEIGHT_NAMES.filter((name) => !stays(own, name))) {
    const slope = found[`d_${name}`].numbers;
    matrices[name] = matrices[name].map((w, at) => w - state.rate * slope[at]);
    if (!matrices[name].every((w) => Math.abs(w) <= setup.limit)) {
      state.note =
        `With learning rate ${state.rate} this step takes ${name.toUpperCase()} ` +
        `beyond ${setup.limit}. Nothing moved: try a smaller one.`;
      return;
    }
  }
  place(own, { matrices });
  keepLoss(own, false, null);
}

/**
 * Return what Python receives. For the losses that is only the new ones, and the index of the first.
 * @param {Own} own @param {State | null} known
 */
function rest({ state }, known) {
  const { matrices, mask, rate, view, losses } = state;
  /** @type {Record<string, unknown[] | undefined>} */
  const was = { ...known?.matrices, mask: known?.mask };
  const news = Object.entries({ ...matrices, mask }).filter(([name, now]) => !isSame(now, was[name]));
  const same = known ? losses.findIndex((loss, k) => loss !== known.losses[k]) : 0;
  const from = same < 0 ? losses.length : same;
  return {
    ...Object.fromEntries(news),
    ...(rate !== known?.rate && { rate }),
    ...(view !== known?.view && { view }),
    losses: [from, ...losses.slice(from)],
    ...(state.goal && { met: state.goal.met }),
  };
}

/** Write a number for JSON: six digits, or null if it is not a finite number. @param {number | null} value */
const tidy = (value) => (value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(6)));
