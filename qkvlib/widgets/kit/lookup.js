/*
 * Compute attention for one query, some keys and their values, as plain lists of numbers, with the
 * names of attention.py. A page computes these in the same frame as the move; Python follows.
 */

import { lengthOf } from "./points.js";

/** @import { Point } from "./points.js" */

/** Return the dot product of two vectors. @param {number[]} a @param {number[]} b */
export const dot = (a, b) => a.reduce((sum, number, i) => sum + number * b[i], 0);

/**
 * Return the cosine of the angle between two vectors; null if one of them has no length.
 * @param {Point} a
 * @param {Point} b
 */
export function cosine(a, b) {
  const lengths = lengthOf(a) * lengthOf(b);
  return lengths ? dot(a, b) / lengths : null;
}

/** Return the angle in degrees, from 0 to 180. @param {number | null} cosine */
export const angle = (cosine) =>
  cosine === null ? null : (Math.acos(Math.min(Math.max(cosine, -1), 1)) * 180) / Math.PI;

/** Turn scores into weights: all positive, and they sum to one. @param {number[]} scores */
export function softmax(scores) {
  const largest = Math.max(...scores);
  const exponentials = scores.map((score) => Math.exp(score - largest));
  const total = exponentials.reduce((sum, exponential) => sum + exponential, 0);
  return exponentials.map((exponential) => exponential / total);
}

/**
 * Give all the weight to the best score; if several are equally good, to the first of them.
 * @param {number[]} scores
 */
export function hardmax(scores) {
  const best = scores.indexOf(Math.max(...scores));
  return scores.map((_, i) => (i === best ? 1 : 0));
}

/**
 * Return the sum of the values, each times its weight.
 * @param {number[]} weights
 * @param {number[][]} values
 */
export const blend = (weights, values) =>
  values[0].map((_, axis) => weights.reduce((sum, weight, i) => sum + weight * values[i][axis], 0));
