/* Compute one pass from a lab's state: its loss and every gradient. */

import { backward, squaredError, trace } from "../engine/gradients.js";
import { matrix } from "../engine/matrix.js";

/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Moved, Setup } from "./numbers.js" */

/**
 * @typedef {object} Pass
 * @property {Record<string, Matrix>} given  the matrices that can be moved, with the heads side by side
 * @property {Record<string, any>} found  all matrices by name; intermediate ones as a list of the heads'
 * @property {number | null} loss
 */

/**
 * A state never changes once it is shown, so its pass can be cached.
 * @type {WeakMap<object, Pass>}
 */
const PASSES = new WeakMap();

/** @param {Setup} setup @param {Moved} state @returns {Pass} */
export function passOf(setup, state) {
  const pass = PASSES.get(state) ?? run(setup, state);
  PASSES.set(state, pass);
  return pass;
}

/** @param {Setup} setup @param {Moved} state @returns {Pass} */
function run({ sizes, heads }, { matrices, mask }) {
  const given = Object.fromEntries(
    Object.entries(matrices).map(([name, numbers]) => {
      const [rows] = sizes[name];
      return [name, matrix(rows, numbers.length / rows, numbers)];
    }),
  );
  const { x, w_q, w_k, w_v, target } = given;
  const forward = trace({ x, w_q, w_k, w_v, mask, n_heads: heads });
  if (!target) return { given, found: forward, loss: null };
  const [loss, d_output] = squaredError(forward.output, target);
  const found = { ...given, ...forward, ...backward(forward, d_output) };
  return { given, found, loss };
}
