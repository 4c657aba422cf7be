/*
 * The lab's other half in the page: state.py and widget.py again, on the engine. It carries out the
 * same requests as Python and comes to the same state, so that a hand sees what it does at once,
 * and the lab lives where no kernel is.
 */

import { backward, squaredError, trace } from "../engine/gradients.js";
import { each, matrix } from "../engine/matrix.js";
import { mergeHeads, splitHeads } from "../engine/multi_head.js";
import { numbersIn } from "../kit/bytes.js";
import { KEPT_WORDS, shown, standingOf } from "../kit/goals.js";
import { WEIGHT_NAMES } from "./graph.js";

/** @import { Gradients, Trace } from "../engine/gradients.js" */
/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Standing } from "../kit/goal.js" */
/** @import { Ask } from "../kit/kernel.js" */
/** @import { Setup, State } from "./numbers.js" */

/**
 * @typedef {Record<string, Matrix> & { mask: boolean[] }} Numbers  x, the w's, the target, the mask
 * @typedef {{ moved: Numbers, losses: (number | null)[] }} Past
 */

const MOST_UNDO = 100;
const LONGEST_CURVE = 2000;

/** @param {number} value  as float32 has it, which is what torch computes with */
const single = Math.fround;

/**
 * @param {Setup} setup
 * @param {State} opening  what the page opened with
 */
export function makeLocal(setup, opening) {
  const { goal, limit, heads, sizes } = setup;
  const start = setup.start && unpack(setup, setup.start, setup.start_mask);
  /** @type {Numbers} */
  let now = start;
  /** @type {Past[]} */
  let past = [];
  /** @type {any} */
  let gesture = null;
  let state = opening;
  /** @type {Trace} */
  let forward;
  /** @type {Gradients | null} */
  let back = null;

  /** Compute everything from the numbers. @returns {number | null} the loss */
  function compute() {
    const { x, w_q, w_k, w_v, target, mask } = now;
    forward = trace({ x, w_q, w_k, w_v, mask, n_heads: heads });
    back = null;
    if (!target) return null;
    const [loss, d_output] = squaredError(forward.output, target);
    back = backward(forward, d_output);
    return loss;
  }

  /** @param {Partial<Numbers>} moved @param {Partial<State>} change */
  function place(moved, change = {}) {
    now = { ...now, ...moved };
    const loss = tidy(compute());
    state = { ...state, ...packed(), loss, error: "", ...change };
    const standing = judge(loss);
    if (standing) state.goal = standing;
    return loss;
  }

  /** @param {number | null} loss @returns {Standing | null} */
  function judge(loss) {
    if (!goal || state.goal?.met) return null;
    const touched = Object.keys(start).find(
      (name) => !goal.touch.includes(name) && !same(now[name], start[name]),
    );
    if (touched) {
      const words = `${touched} is not what it was. Reset to try for the goal.`;
      return { met: false, share: 0, words };
    }
    const weights = forward.weights;
    const found = standingOf(goal.conditions, {
      row: (head, i) => {
        const { cols, numbers } = weights[head];
        return [...numbers.subarray(i * cols, (i + 1) * cols)].map(single);
      },
      columns: setup.tokens,
      rows: setup.tokens,
      loss,
    });
    return found.holds
      ? shown({ ...found, words: KEPT_WORDS }, true)
      : shown(found, false);
  }

  /** One step of undo for each gesture, however many edits it sends. @param {any} of */
  function remember(of) {
    if (of === null || of === undefined || of !== gesture)
      past = [...past, { moved: now, losses: [...state.losses] }].slice(-MOST_UNDO);
    gesture = of ?? null;
  }

  /** @param {number | null} loss @param {boolean} sameMove */
  function keepLoss(loss, sameMove) {
    const losses = sameMove ? state.losses.slice(0, -1) : state.losses;
    state.losses = [...losses.slice(1 - LONGEST_CURVE), loss];
  }

  /** @param {Partial<Numbers>} moved @param {any} of */
  function change(moved, of) {
    const sameMove = of !== null && of !== undefined && of === gesture;
    remember(of);
    keepLoss(place(moved), sameMove);
  }

  /** Set single weights, each named by "matrix head row column". @param {Record<string, number>} edit @param {any} of */
  function edit(edit, of) {
    /** @type {Record<string, Matrix>} */
    const moved = {};
    for (const [address, number] of Object.entries(edit)) {
      const [name, head, row, column] = address.split(" ");
      moved[name] ??= each(now[name], (number) => number);
      const { cols, numbers } = moved[name];
      numbers[Number(row) * cols + Number(head) * sizes[name][1] + Number(column)] = single(number);
    }
    change(moved, of);
  }

  /** What a step leaves as it is: what is frozen, and what is not in the goal's reach. @param {string} name */
  const held = (name) =>
    state.frozen.includes(name) || (goal && !state.goal?.met && !goal.touch.includes(name));

  /** One gradient step, unless it leads out of the picture. */
  function takeStep() {
    if (!back) {
      state.note = "There are no gradients, so there is no step to take.";
      return;
    }
    /** @type {Record<string, Matrix>} */
    const moved = {};
    for (const name of WEIGHT_NAMES.filter((name) => !held(name))) {
      const slope = /** @type {any} */ (back)[`d_${name}`].numbers;
      moved[name] = each(now[name], (w, at) => single(w - state.rate * slope[at]));
      if (!moved[name].numbers.every((w) => Math.abs(w) <= limit)) {
        state.note =
          `With learning rate ${state.rate} this step takes ${name.toUpperCase()} ` +
          `beyond ${limit}. Nothing moved: try a smaller one.`;
        return;
      }
    }
    keepLoss(place(moved), false);
  }

  /** @type {Record<string, (request: Ask) => void>} */
  const DO = {
    step({ gesture, times = 1 }) {
      remember(gesture);
      for (let step = 0; step < times && !state.note; step++) takeStep();
    },
    undo() {
      const last = past.pop();
      if (!last) return;
      place(last.moved);
      state.losses = last.losses;
      gesture = null;
    },
    reset() {
      remember(null);
      state.losses = [place(start)];
    },
    mask({ choice: [i, j] }) {
      const mask = [...now.mask];
      const at = i * setup.tokens.length + j;
      mask[at] = !mask[at];
      change({ mask }, null);
    },
    rate({ choice }) {
      state.rate = choice;
    },
    freeze({ choice }) {
      const frozen = new Set(state.frozen);
      if (!frozen.delete(choice)) frozen.add(choice);
      state.frozen = WEIGHT_NAMES.filter((name) => frozen.has(name));
    },
    view({ choice }) {
      state.view = choice;
    },
    look() {},
  };

  function packed() {
    const of = /** @type {Record<string, any>} */ ({ ...now, ...forward, ...back });
    const groups = Object.entries(setup.groups).map(([group, names]) => {
      const parts = names.flatMap((name) => {
        const found = of[name];
        const both = Array.isArray(found) || name === "x" || name === "d_x";
        return both ? found : splitHeads(found, heads);
      });
      const numbers = Float32Array.from(parts.flatMap((part) => [...part.numbers]));
      return [group, names.length ? new DataView(numbers.buffer) : null];
    });
    const mask = now.mask.map((allowed) => (allowed ? "1" : "0")).join("");
    return { ...Object.fromEntries(groups), mask };
  }

  /**
   * Begin again from a state that came from elsewhere: the page's own start, or Python's truth.
   * @param {State} truth
   */
  function adopt(truth) {
    const numbers = unpack(setup, [truth.given, truth.moving], truth.mask);
    // Python was moved by its own hand once: what was there before is what Undo goes back to.
    const more = truth.undo - past.length;
    if (more === 1) past.push({ moved: now, losses: [...state.losses] });
    else if (more) past = [];
    now = numbers;
    state = truth;
    compute();
  }
  adopt(opening);

  return {
    /** Whether this page can do it alone. Undo may lead to what only Python remembers. @param {Ask} request */
    can: ({ do: what }) => what !== "undo" || past.length > 0,
    /** @param {Ask} request @returns {State} */
    carryOut(request) {
      state = { ...state };
      if (request.do !== "look") state.note = "";
      if (request.edit) edit(request.edit, request.gesture);
      else if (request.do) DO[request.do](request);
      return { ...state, moves: state.losses.length, undo: past.length };
    },
    adopt,
  };
}
