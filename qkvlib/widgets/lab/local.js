/*
 * The lab's other half in the page: state.py again, on the engine. It carries out the same requests
 * as Python and comes to the same state, so that a hand sees at once what it does, and the lab lives
 * where no kernel is.
 */

import { backward, squaredError, trace } from "../engine/gradients.js";
import { each } from "../engine/matrix.js";
import { standingOf } from "../kit/goals.js";
import { makeHistory } from "../kit/history.js";
import { general } from "../kit/words.js";
import { WEIGHT_NAMES } from "./graph.js";
import { keepLosses } from "./numbers.js";
import { pack, sumUp, unpack } from "./packing.js";

/** @import { Gradients, Trace } from "../engine/gradients.js" */
/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Ask, Local } from "../kit/kernel.js" */
/** @import { Setup, State } from "./numbers.js" */

/**
 * @typedef {object} Numbers  everything that a change can move
 * @property {Record<string, Matrix>} matrices  the heads side by side
 * @property {boolean[]} mask
 *
 * @typedef {Numbers & { losses: (number | null)[] }} Past  what Undo goes back to
 */

const LONGEST_CURVE = 2000;

/**
 * The lab in the page, or null where the page cannot compute what this lab does: with the learner's
 * own function, or with a goal of a kind that only Python knows.
 * @param {Setup} setup @param {State} opening  what the page opened with @returns {Local | null}
 */
export function makeLocal(setup, opening) {
  if (!setup.start) return null;
  const { goal, groups, heads, limit, sizes, tokens } = setup;
  const start = {
    matrices: unpack(setup, setup.start.names, setup.start.numbers),
    mask: allowedIn(setup.start.mask),
  };
  /** A weight as Python's tensors hold it. @type {(value: number) => number} */
  const held = setup.double ? (value) => value : Math.fround;

  let state = opening;
  let now = start;
  /** @type {Trace} */
  let forward;
  /** @type {Gradients | null} */
  let back = null;
  /** @type {ReturnType<typeof makeHistory<Past>>} */
  const history = makeHistory(opening.undo);

  /** Compute everything from the numbers. @returns {number | null} the loss */
  function compute() {
    const { x, w_q, w_k, w_v, target } = now.matrices;
    forward = trace({ x, w_q, w_k, w_v, mask: now.mask, n_heads: heads });
    back = null;
    if (!target) return null;
    const [loss, d_output] = squaredError(forward.output, target);
    back = backward(forward, d_output);
    return loss;
  }

  /** Move several at once, compute once, and judge. @param {Partial<Numbers>} moved */
  function place({ matrices, mask }) {
    now = { matrices: { ...now.matrices, ...matrices }, mask: mask ?? now.mask };
    const loss = compute();
    state.loss = tidy(loss);
    if (goal && !state.goal?.met) state.goal = judge(loss);
  }

  /** @param {number | null} loss @returns {Standing} */
  function judge(loss) {
    const { touch, conditions } = /** @type {NonNullable<Setup["goal"]>} */ (goal);
    const names = [...Object.keys(start.matrices), "mask"];
    const moved = names.find((name) => !touch.includes(name) && !same(name));
    if (moved) {
      const words = `${moved} is not what it was. Reset to try for the goal.`;
      return { met: false, share: 0, words };
    }
    /** @param {number} head @param {number} i */
    const row = (head, i) => {
      const { cols, numbers } = forward.weights[head];
      return Array.from(numbers.subarray(i * cols, (i + 1) * cols), held);
    };
    return standingOf(conditions, { row, rows: tokens, columns: tokens, loss });
  }

  /** Whether something is what it was at the start. @param {string} name */
  function same(name) {
    const [is, was] =
      name === "mask"
        ? [now.mask, start.mask]
        : [now.matrices[name].numbers, start.matrices[name].numbers];
    return is.every((/** @type {any} */ value, /** @type {number} */ at) => value === was[at]);
  }

  /** @param {any} [of]  the gesture that begins or goes on */
  const remember = (of) => history.remember({ ...now, losses: state.losses }, of);

  /** @param {boolean} sameMove */
  function keepLoss(sameMove) {
    const losses = sameMove ? state.losses.slice(0, -1) : state.losses;
    state.losses = [...losses.slice(1 - LONGEST_CURVE), state.loss];
  }

  /** Move some of it by hand; edits of one gesture are one move. @param {Partial<Numbers>} moved @param {any} [of] */
  function change(moved, of = null) {
    const sameMove = history.goesOn(of);
    remember(of);
    place(moved);
    keepLoss(sameMove);
  }

  /** Set single weights, each named by "matrix head row column". @param {Ask} request */
  function edit({ edit = {}, gesture }) {
    /** @type {Record<string, Matrix>} */
    const matrices = {};
    for (const [address, value] of Object.entries(edit)) {
      const [name, ...at] = address.split(" ");
      const [head, row, column] = at.map(Number);
      matrices[name] ??= each(now.matrices[name], (number) => number);
      const { cols, numbers } = matrices[name];
      numbers[row * cols + head * sizes[name][1] + column] = held(value);
    }
    change({ matrices }, gesture);
  }

  /** Whether a step leaves a matrix as it is: frozen, or not in the goal's reach. @param {string} name */
  const stays = (name) =>
    state.frozen.includes(name) || (goal && !state.goal?.met && !goal.touch.includes(name));

  /** One gradient step, unless it leads out of the picture. */
  function takeStep() {
    if (!back) {
      state.note = "There are no gradients, so there is no step to take.";
      return;
    }
    const slopes = /** @type {Record<string, any>} */ (back);
    /** @type {Record<string, Matrix>} */
    const matrices = {};
    for (const name of WEIGHT_NAMES.filter((name) => !stays(name))) {
      const slope = slopes[`d_${name}`].numbers;
      matrices[name] = each(now.matrices[name], (w, at) => held(w - state.rate * slope[at]));
      if (!matrices[name].numbers.every((w) => Math.abs(w) <= limit)) {
        state.note =
          `With learning rate ${general(state.rate)} this step takes ${name.toUpperCase()} ` +
          `beyond ${limit}. Nothing moved: try a smaller one.`;
        return;
      }
    }
    place({ matrices });
    keepLoss(false);
  }

  /** What a request can ask for. @type {Record<string, (request: Ask) => void>} */
  const DO = {
    step({ gesture, times = 1 }) {
      remember(gesture);
      for (let k = 0; k < times; k++) takeStep();
    },
    undo() {
      const last = history.back();
      if (!last) return;
      place(last);
      state.losses = last.losses;
    },
    reset() {
      remember();
      if (state.goal) state.goal = { ...state.goal, met: false };
      place(start);
      state.losses = [state.loss];
    },
    mask({ choice: [i, j] }) {
      const clicked = i * tokens.length + j;
      change({ mask: now.mask.map((allowed, at) => (at === clicked ? !allowed : allowed)) });
    },
    rate({ choice }) {
      state.rate = choice;
    },
    freeze({ choice }) {
      const frozen = (/** @type {string} */ name) => state.frozen.includes(name);
      state.frozen = WEIGHT_NAMES.filter((name) => frozen(name) !== (name === choice));
    },
    view({ choice }) {
      state.view = choice;
    },
    look() {},
  };

  /** The numbers as they would come from Python, all of them. */
  const packed = () =>
    Object.fromEntries(
      Object.entries(groups).map(([group, names]) => [
        group,
        names.length ? pack(setup, names, { ...now.matrices, ...forward, ...back }) : null,
      ]),
    );

  /**
   * Begin again from Python's numbers.
   * @param {State} truth @param {boolean} itself  whether Python moved by itself
   */
  function adopt(truth, itself) {
    now = {
      matrices: {
        ...unpack(setup, groups.given, truth.given),
        ...unpack(setup, groups.moving, truth.moving, WEIGHT_NAMES),
      },
      mask: allowedIn(truth.mask),
    };
    compute();
    history.adopt(truth.undo, itself);
    state = { ...truth, losses: [...truth.losses] };
    state.gradients ??= packed().gradients;
    keepLosses(state);
    return state;
  }
  adopt(opening, true);

  return {
    can: (request) => request.do !== "undo" || history.known,
    carryOut(request) {
      state = { ...state };
      if (request.do !== "look") state.note = "";
      if (request.edit) edit(request);
      else DO[/** @type {string} */ (request.do)](request);
      const mask = now.mask.map(Number).join("");
      const counts = { moves: state.losses.length, undo: history.length };
      state = { ...state, ...packed(), ...counts, mask };
      return state;
    },
    adopt,
    sum: () => sumUp(state),
  };
}

/** @param {string} mask  a "1" where a token may attend */
const allowedIn = (mask) => [...mask].map((sign) => sign === "1");

/** A number as JSON holds it: six digits, and null for what is no number. @param {number | null} value */
const tidy = (value) =>
  value === null || !Number.isFinite(value) ? null : Number(value.toPrecision(6));
