/* Attention, with the names of attention.py and masks.py. True in a mask means MAY ATTEND. */

import { each, eachRow, product, transposed } from "./matrix.js";

/** @import { Matrix } from "./matrix.js" */

/** Score how well each query matches each key: Q K^T / sqrt(d_k). @param {Matrix} q @param {Matrix} k */
export function attentionScores(q, k) {
  const scale = Math.sqrt(q.cols);
  return each(product(q, transposed(k)), (score) => score / scale);
}

/** Let each token look at itself and at the tokens before it. @param {number} n */
export const causalMask = (n) =>
  Array.from({ length: n * n }, (_, place) => place % n <= Math.floor(place / n));

/**
 * Set the scores of forbidden keys to minus infinity.
 * @param {Matrix} scores
 * @param {boolean[] | null} mask
 */
export const applyMask = (scores, mask) =>
  mask ? each(scores, (score, place) => (mask[place] ? score : -Infinity)) : scores;

/**
 * Turn each row of scores into weights that sum to one. Where every score is minus infinity there
 * is nothing to attend to, and all the weights are 0. softmax(s)_j = exp(s_j) / sum_k exp(s_k)
 * @param {Matrix} scores
 */
export const softmax = (scores) =>
  eachRow(scores, (row) => {
    const largest = Math.max(...row);
    if (largest === -Infinity) return row.map(() => 0);
    const exponentials = row.map((score) => Math.exp(score - largest));
    const total = exponentials.reduce((sum, exponential) => sum + exponential, 0);
    return exponentials.map((exponential) => exponential / total);
  });
