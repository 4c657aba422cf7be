/* Points in the plane, and what the kernel says of them. */

/** @import { GoalSetup, Standing } from "../kit/goal.js" */

/**
 * @typedef {[number, number]} Point
 *
 * @typedef {object} VectorsSetup
 * @property {string[]} names
 * @property {string} function  the learner's own similarity, or ""
 * @property {(GoalSetup & { touch: string[], keep_lengths: boolean }) | null} goal
 *
 * @typedef {object} VectorsState
 * @property {Point} query
 * @property {Point[]} keys
 * @property {number} limit
 * @property {number} query_length
 * @property {number[]} lengths
 * @property {(number | null)[]} angles
 * @property {(number | null)[]} cosines
 * @property {(number | null)[]} scores
 * @property {(number | null)[]} weights
 * @property {string} error
 * @property {number} undo
 * @property {Standing} [goal]
 * @property {boolean} [ahead]  whether a hand has moved a point since its numbers were computed
 */

/** @param {Point} point */
export const lengthOf = ([x, y]) => Math.hypot(x, y);

/** @param {Point} point @param {number} degrees @returns {Point} */
export function turned([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

/** @param {Point} point @param {number} length @returns {Point} */
export function withLength([x, y], length) {
  const scale = length / (Math.hypot(x, y) || 1);
  return [x * scale, y * scale];
}

/** @param {Point} point */
export const direction = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;
