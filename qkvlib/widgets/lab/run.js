/*
 * Record a run since Reset: the strongest pull of the loss so far, and the pull before the last
 * move.
 */

import { WEIGHT_NAMES } from "./graph.js";

/** @import { State } from "./numbers.js" */
/** @import { Pass } from "./pass.js" */

/**
 * @typedef {object} Run
 * @property {Record<string, number>[]} lengths  of each weight matrix's gradient, one for each move
 * @property {number[]} hands  the moves that a hand has made
 * @property {Record<string, number>} reach  the largest number of each gradient so far
 * @property {Pass | null} before  the pass before a hand's last move; null after a step
 */

/** The most moves that a run and the curve of its loss remember. */
export const LONGEST = 2000;

/** @type {Run} */
const NONE = { lengths: [], hands: [], reach: {}, before: null };

/**
 * Stored beside the states, and not in them, because states are saved.
 * @type {WeakMap<State, Run>}
 */
const RUNS = new WeakMap();

/** Store the run of a state. @param {State} state @param {Run} run */
export const keepRun = (state, run) => RUNS.set(state, run);

/** Return the run of a state. @param {State} state @returns {Run} */
export const runOf = (state) => RUNS.get(state) ?? NONE;

/**
 * Return the run with one more move, or with its last move continued.
 * @param {Run} run @param {Pass} pass @param {{ before?: Pass | null, goesOn?: boolean }} [move]
 */
export function followed(run, pass, { before = null, goesOn = false } = {}) {
  if (pass.loss === null) return run;
  const reach = { ...run.reach };
  for (const name of Object.keys(pass.found).filter((each) => each.startsWith("d_") && pass.found[each]))
    for (const { numbers } of [pass.found[name]].flat())
      for (const slope of numbers) reach[name] = Math.max(reach[name] ?? 0, Math.abs(slope));
  const now = Object.fromEntries(
    WEIGHT_NAMES.map((name) => [name, Math.hypot(...pass.found[`d_${name}`].numbers)]),
  );
  const past = goesOn ? run.lengths.slice(0, -1) : run.lengths;
  const dropped = Math.max(0, past.length + 1 - LONGEST);
  const lengths = [...past.slice(dropped), now];
  const hands = run.hands.map((at) => at - dropped).filter((at) => at >= 0);
  if (before && !goesOn) hands.push(lengths.length - 1);
  return { lengths, hands, reach, before: goesOn ? run.before : before };
}

/** Begin a run. @param {Pass} pass */
export const begun = (pass) => followed(NONE, pass);

/** Return the largest gradient of any weight. @param {Run} run */
export const steepestOf = ({ reach }) => Math.max(0, ...WEIGHT_NAMES.map((name) => reach[`d_${name}`] ?? 0));
