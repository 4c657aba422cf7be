/* What the page computes about the next token. */

import { MET } from "../kit/goals.js";
import { softmax } from "../kit/lookup.js";
import { quoted } from "../kit/words.js";

/** @import { GoalSetup, Standing } from "../kit/goal_strip.js" */
/** @import { Rules } from "../kit/program.js" */

/**
 * @typedef {{ name: string, tokens: string[], scores: number[] }} Step  likeliest first
 * @typedef {{ heat: number, k: number, p: number }} Place
 *
 * @typedef {object} Setup
 * @property {Step[]} steps
 * @property {number} shown  so many tokens have a bar of their own
 * @property {Place} start
 * @property {(GoalSetup & { counts: number[] }) | null} goal
 *
 * @typedef {Place & { undo: number, goal?: Standing }} State
 */

/**
 * Return the tokens that are left at a step, and the probability of each. The scores are sorted, so
 * the tokens that are left are the first ones.
 * @param {number[]} scores @param {Place} place
 */
export function left(scores, { heat, k, p }) {
  const all = softmax(scores.map((score) => score / heat));
  const first = normed(all.slice(0, k));
  const kept = [];
  let before = 0;
  for (const share of first) {
    if (p < 1 && kept.length && before >= p) break;
    kept.push(share);
    before += share;
  }
  const rest = all.length - kept.length;
  return { all, left: [...normed(kept), ...Array(rest).fill(0)], count: kept.length };
}

/** @param {number[]} shares */
function normed(shares) {
  const total = shares.reduce((sum, share) => sum + share, 0);
  return shares.map((share) => share / total);
}

/**
 * Return how close a setting is to the goal.
 * @param {Step[]} steps
 * @param {number[]} counts
 * @param {Place} place
 * @returns {Standing}
 */
function standingOf(steps, counts, place) {
  const found = steps.map(({ scores }) => left(scores, place).count);
  const right = found.filter((count, i) => count === counts[i]).length;
  const words = steps.map(
    ({ name }, i) => `${quoted(name)}: ${found[i]} left${found[i] === counts[i] ? " ✓" : ""}`,
  );
  if (right === steps.length) return MET;
  return { met: false, share: right / steps.length, words: words.join(" · ") };
}

/** What moves, and what follows from it. @param {Setup} setup @returns {Rules} */
export function rules({ steps, goal }) {
  return {
    /** @param {State} state @returns {State} */
    moved(state, change) {
      const { heat, k, p } = { ...state, ...change };
      const now = { ...state, heat, k, p };
      if (!goal || !state.goal) return now;
      return { ...now, goal: state.goal.met ? MET : standingOf(steps, goal.counts, now) };
    },
    /** @param {State} state */
    kept: ({ heat, k, p }) => ({ heat, k, p }),
  };
}
