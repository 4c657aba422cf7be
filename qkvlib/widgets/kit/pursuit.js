/* Follow a learner's progress towards a goal: whether it is met, and which ways were found. */

import { MET, standingOf } from "./goals.js";
import { dot } from "./lookup.js";
import { lengthOf } from "./points.js";

/** @import { Standing } from "./goal_strip.js" */
/** @import { Condition } from "./goals.js" */
/** @import { Point } from "./points.js" */

/**
 * @typedef {object} Rules  a goal, as goals.py sends it to a page
 * @property {string} words
 * @property {string[]} touch
 * @property {boolean} keep_lengths
 * @property {boolean} met_before
 * @property {{ words: string, keeps: string }[]} ways
 * @property {Condition[]} conditions
 *
 * @typedef {object} Place  everything that can be moved, in any widget
 * @property {Point} query
 * @property {Point[]} keys
 * @property {number} [temperature]
 * @property {boolean} [hard]
 * @property {number} [place]
 * @property {number} [angle]
 */

/** @type {[keyof Place, string][]} */
const NOT_AS_IT_WAS = [
  ["query", "The query has moved."],
  ["keys", "The keys have moved."],
  ["temperature", "The temperature has changed."],
  ["hard", "The kind of lookup has changed."],
  ["place", "The position of the query has changed."],
  ["angle", "The angle has changed."],
];
const LENGTH_STAYS = 0.1; // share of the length
const DIRECTION_STAYS = 5; // degrees

/**
 * Return the standing after a move.
 * @param {Rules} rules @param {Standing} before @param {number[]} weights
 * @param {string[]} columns @param {Place} now @param {Place} then
 * @returns {Standing}
 */
export function judged(rules, before, weights, columns, now, then) {
  if (before.met) return { ...before, ...MET };
  const seen = { row: () => weights, columns, rows: [], loss: null };
  const standing = broken(rules, now, then) ?? standingOf(rules.conditions, seen);
  const { share, words } = standing;
  if (!standing.met) return { ...before, share, words };
  const met = { ...standing, free: true };
  if (!rules.ways.length) return { ...before, ...met };
  const stays = kept(now, then);
  const way = rules.ways.findIndex(({ keeps }) => stays.includes(keeps));
  const found = [...new Set([...(before.found ?? []), ...(way < 0 ? [] : [way])])].sort();
  if (found.length === rules.ways.length) return { ...before, ...met, found };
  const short =
    way < 0
      ? "It is enough, but you did two things at once. Reset, and do only one of them."
      : `Found: ${rules.ways[way].words}. Reset, and find another way.`;
  return { ...before, found, share, words: short };
}

/** Start again; ways that were found stay found. @param {Standing} standing @returns {Standing} */
export const again = (standing) => ({ ...standing, met: false });

/**
 * Tell whether the learner has made progress: the goal is met, or a new way was found.
 * @param {Standing} before
 * @param {Standing} now
 */
export const farther = (before, now) =>
  (now.met && !before.met) || (now.found ?? []).length > (before.found ?? []).length;

/**
 * Return what a goal allows: until it has been met once, only certain moves.
 * @param {Rules | null} rules
 * @param {Standing | undefined} standing
 */
export function allowed(rules, standing) {
  const bound = rules !== null && !standing?.free;
  return {
    lengths: bound && rules.keep_lengths,
    /** @param {string} name */
    pinned: (name) => bound && !rules.touch.includes(name),
  };
}

/** @param {Rules} rules @param {Place} now @param {Place} then @returns {Standing | null} */
function broken(rules, now, then) {
  for (const [name, words] of NOT_AS_IT_WAS) {
    if (name in now && !rules.touch.includes(name) && String(now[name]) !== String(then[name]))
      return { met: false, share: 0, words: `${words} Reset to try for the goal.` };
  }
  const before = arrows(then).map(lengthOf);
  const changed = arrows(now).some(
    (arrow, i) => Math.abs(lengthOf(arrow) - before[i]) > 1e-3 * before[i] + 1e-8,
  );
  if (!rules.keep_lengths || !changed) return null;
  return { met: false, share: 0, words: "A length has changed. Reset to try for the goal." };
}

/**
 * Return what has stayed nearly the same for all arrows: lengths, directions, or both.
 * @param {Place} now
 * @param {Place} then
 */
function kept(now, then) {
  const before = arrows(then);
  const pairs = arrows(now).map((arrow, i) => ({ arrow, was: before[i] }));
  const near = Math.cos((DIRECTION_STAYS * Math.PI) / 180);
  const lengths = pairs.every(
    ({ arrow, was }) => Math.abs(lengthOf(arrow) - lengthOf(was)) <= LENGTH_STAYS * lengthOf(was),
  );
  const directions = pairs.every(
    ({ arrow, was }) => dot(arrow, was) >= (near - 1e-9) * lengthOf(arrow) * lengthOf(was),
  );
  return [...(lengths ? ["lengths"] : []), ...(directions ? ["directions"] : [])];
}

/** Return the query and the keys. @param {Place} place */
const arrows = ({ query, keys }) => [query, ...keys];
