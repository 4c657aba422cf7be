/*
 * One query, some keys and their values, in plain lists of numbers: the names of attention.py. A
 * page computes with these in the frame in which a hand moves; Python follows.
 */

import { lengthOf } from "./points.js";

/** @import { Point } from "./points.js" */

/** @param {number[]} a @param {number[]} b */
export const dot = (a, b) => a.reduce((sum, number, i) => sum + number * b[i], 0);

/** The cosine of the angle between two vectors; null where one has no length. @param {Point} a @param {Point} b */
export function cosine(a, b) {
  const lengths = lengthOf(a) * lengthOf(b);
  return lengths ? dot(a, b) / lengths : null;
}

/** The angle in degrees, from 0 to 180. @param {number | null} cosine */
export const angle = (cosine) =>
  cosine === null ? null : (Math.acos(Math.min(Math.max(cosine, -1), 1)) * 180) / Math.PI;

/** Turn scores into weights: all positive, and they sum to one. @param {number[]} scores */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const total = exponentials.reduce((sum, exponential) => sum + exponential, 0);
  return exponentials.map((exponential) => exponential / total);
}

/** All the weight for the best score, the first of them if there are several. @param {number[]} scores */
export function hardmax(scores) {
  const best = scores.indexOf(Math.max(...scores));
  return scores.map((_, i) => (i === best ? 1 : 0));
}

/** The values' sum, each times its weight. @param {number[]} weights @param {number[][]} values */
export const blend = (weights, values) =>
  values[0].map((_, axis) => weights.reduce((sum, weight, i) => sum + weight * values[i][axis], 0));
