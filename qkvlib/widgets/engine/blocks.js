/* The parts around attention, and the block that they form: like models/blocks.py. */

import { trace } from "./gradients.js";
import { eachRow, plus, product } from "./matrix.js";

/** @import { Matrix } from "./matrix.js" */

/** @typedef {Record<string, Matrix>} Weights  by their names in the formulas; a vector is one row */

const TINY = 1e-5; // as in torch, for a vector whose features are all equal

/**
 * Scale each vector to mean 0 and variance 1, then multiply by a gain and add a shift for each
 * feature.
 * @param {Matrix} x @param {Matrix} gain @param {Matrix} shift
 */
export const layerNorm = (x, gain, shift) =>
  eachRow(x, (row) => {
    const mean = row.reduce((sum, number) => sum + number, 0) / row.length;
    const variance = row.reduce((sum, number) => sum + (number - mean) ** 2, 0) / row.length;
    const unit = Math.sqrt(variance + TINY);
    return row.map((number, j) => ((number - mean) / unit) * gain.numbers[j] + shift.numbers[j]);
  });

/**
 * Two products with an activation function between them, for each vector by itself: relu(x w_1 +
 * b_1) w_2.
 * @param {Matrix} x @param {Weights} w
 */
export function feedForward(x, w) {
  const hidden = product(layerNorm(x, w.ff_gain, w.ff_shift), w.w_1);
  const bent = eachRow(hidden, (row) => row.map((number, j) => Math.max(number + w.b_1.numbers[j], 0)));
  return product(bent, w.w_2);
}

/**
 * x asks, memory answers; with `memory` equal to `x` it is self-attention.
 * @param {Matrix} x @param {Matrix} memory @param {Weights} w @param {number} n_heads
 * @param {boolean[] | null} [mask]
 */
export const attend = (x, memory, { w_q, w_k, w_v, w_o }, n_heads, mask = null) =>
  trace({ x, context: memory, w_q, w_k, w_v, w_o, n_heads, mask });

/**
 * Look at the others, then think alone; each part adds its result to what was there.
 * @param {Matrix} x @param {Weights} w @param {number} n_heads
 */
export function encoderBlock(x, w, n_heads) {
  const normed = layerNorm(x, w.norm_gain, w.norm_shift);
  const looked = plus(x, attend(normed, normed, w, n_heads).output);
  return plus(looked, feedForward(looked, w));
}

/** Return the weights named `prefix.name`, as `name`. @param {Weights} weights @param {string} prefix */
export const partOf = (weights, prefix) =>
  Object.fromEntries(
    Object.entries(weights)
      .filter(([name]) => name.startsWith(`${prefix}.`))
      .map(([name, weight]) => [name.slice(prefix.length + 1), weight]),
  );
