/*
 * The backward pass of attention by hand: gradients.py, line by line, for a page. Where Python has
 * one tensor with a dimension for the heads, this has a list with a matrix for each head; a single
 * head is a list of one.
 */

import { applyMask, attentionScores, softmax } from "./attention.js";
import { each, eachRow, plus, product, transposed } from "./matrix.js";
import { mergeHeads, splitHeads } from "./multi_head.js";

/** @import { Matrix } from "./matrix.js" */

/**
 * @typedef {object} Given
 * @property {Matrix} x
 * @property {Matrix | null} [context]  where keys and values come from, if not from x
 * @property {Matrix} w_q
 * @property {Matrix} w_k
 * @property {Matrix} w_v
 * @property {Matrix | null} [w_o]
 * @property {boolean[] | null} [mask]  a row for each query, the same for all heads
 * @property {number} [n_heads]
 *
 * @typedef {Required<Given> & {
 *   q: Matrix[], k: Matrix[], v: Matrix[], scores: Matrix[], weights: Matrix[], heads: Matrix[],
 *   output: Matrix,
 * }} Trace  every intermediate of one pass; `scores` are those before the mask
 *
 * @typedef {{
 *   d_output: Matrix, d_w_o: Matrix | null, d_heads: Matrix[], d_weights: Matrix[],
 *   d_scores: Matrix[], d_q: Matrix[], d_k: Matrix[], d_v: Matrix[],
 *   d_w_q: Matrix, d_w_k: Matrix, d_w_v: Matrix, d_x: Matrix, d_context: Matrix | null,
 * }} Gradients
 */

/** Run attention forwards and keep every intermediate. @param {Given} given @returns {Trace} */
export function trace({ x, w_q, w_k, w_v, mask = null, context = null, w_o = null, n_heads = 1 }) {
  const source = context ?? x;
  const q = splitHeads(product(x, w_q), n_heads);
  const k = splitHeads(product(source, w_k), n_heads);
  const v = splitHeads(product(source, w_v), n_heads);
  const scores = q.map((_, h) => attentionScores(q[h], k[h]));
  const weights = scores.map((head) => softmax(applyMask(head, mask)));
  const heads = weights.map((_, h) => product(weights[h], v[h]));
  const sideBySide = mergeHeads(heads);
  const output = w_o ? product(sideBySide, w_o) : sideBySide;
  return { x, context, w_q, w_k, w_v, w_o, mask, n_heads, q, k, v, scores, weights, heads, output };
}

/**
 * Return every gradient of one pass, given the gradient of its output. Read it from top to bottom,
 * beside `trace` read from bottom to top.
 * @param {Trace} trace @param {Matrix} d_output @returns {Gradients}
 */
export function backward(trace, d_output) {
  const { x, context, q, k, v, weights, n_heads } = trace;

  // output = side by side @ w_o
  const [d_side_by_side, d_w_o] = trace.w_o
    ? projectionBackward(mergeHeads(trace.heads), trace.w_o, d_output)
    : [d_output, null];
  const d_heads = splitHeads(d_side_by_side, n_heads);

  // heads = weights @ v
  const d_weights = d_heads.map((d, h) => product(d, transposed(v[h])));
  const d_v = d_heads.map((d, h) => product(transposed(weights[h]), d));

  // weights = softmax(scores), and scores = q @ k^T / sqrt(d_k)
  const d_scores = d_weights.map((d, h) => softmaxBackward(d, weights[h]));
  const d_q = d_scores.map((d, h) => scoresBackward(d, q[h], k[h])[0]);
  const d_k = d_scores.map((d, h) => scoresBackward(d, q[h], k[h])[1]);

  // q = x @ w_q, k = source @ w_k, v = source @ w_v
  const source = context ?? x;
  const [d_from_q, d_w_q] = projectionBackward(x, trace.w_q, mergeHeads(d_q));
  const [d_from_k, d_w_k] = projectionBackward(source, trace.w_k, mergeHeads(d_k));
  const [d_from_v, d_w_v] = projectionBackward(source, trace.w_v, mergeHeads(d_v));

  // in self-attention x has all three roles; otherwise the context provides keys and values
  const d_source = plus(d_from_k, d_from_v);
  const d_x = context ? d_from_q : plus(d_from_q, d_source);
  const d_context = context ? d_source : null;
  const inside = { d_heads, d_weights, d_scores, d_q, d_k, d_v };
  return { d_output, d_w_o, ...inside, d_w_q, d_w_k, d_w_v, d_x, d_context };
}

/**
 * Go back through softmax: a row's weights share one total, so what one gains the others lose. dS =
 * A * (dA - rowsum(A * dA))
 * @param {Matrix} d_weights @param {Matrix} weights
 */
export const softmaxBackward = (d_weights, weights) =>
  eachRow(weights, (row, i) => {
    const d = d_weights.numbers.subarray(i * row.length, (i + 1) * row.length);
    const average = row.reduce((sum, weight, j) => sum + weight * d[j], 0);
    return row.map((weight, j) => weight * (d[j] - average));
  });

/**
 * Go back from the scores to the queries and the keys. dQ = dS K / sqrt(d_k) dK = dS^T Q /
 * sqrt(d_k)
 * @param {Matrix} d_scores @param {Matrix} q @param {Matrix} k @returns {[Matrix, Matrix]}
 */
export function scoresBackward(d_scores, q, k) {
  const scale = Math.sqrt(q.cols);
  const d_q = each(product(d_scores, k), (number) => number / scale);
  const d_k = each(product(transposed(d_scores), q), (number) => number / scale);
  return [d_q, d_k];
}

/**
 * Go back through y = x @ w, to x and to w. dX = dY W^T dW = X^T dY
 * @param {Matrix} x @param {Matrix} w @param {Matrix} d_y @returns {[Matrix, Matrix]}
 */
export const projectionBackward = (x, w, d_y) => [product(d_y, transposed(w)), product(transposed(x), d_y)];

/**
 * Return the mean squared error and its gradient. loss = mean((O - T)^2) dO = 2 (O - T) / (the
 * number of entries of O)
 * @param {Matrix} output @param {Matrix} target @returns {[number, Matrix]}
 */
export function squaredError(output, target) {
  const apart = each(output, (number, place) => number - target.numbers[place]);
  const count = apart.numbers.length;
  const loss = apart.numbers.reduce((sum, number) => sum + number ** 2, 0) / count;
  return [loss, each(apart, (number) => (2 * number) / count)];
}
