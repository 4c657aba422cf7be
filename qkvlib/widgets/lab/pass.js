/* Compute one pass from a lab's state: its loss and every gradient. */

import { backward, squaredError, trace } from "../engine/gradients.js";
import { matrix } from "../engine/matrix.js";
import { numbersIn } from "../kit/bytes.js";
import { WEIGHT_NAMES } from "./graph.js";

/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Setup, State } from "./numbers.js" */

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

/** Tell whether a matrix is the same for every head. @param {string} name */
export const isShared = (name) => name === "x" || name === "d_x";

/** @param {Setup} setup @param {Pick<State, "matrices" | "mask">} state @returns {Pass} */
export function passOf(setup, state) {
  const pass = PASSES.get(state) ?? run(setup, state);
  PASSES.set(state, pass);
  return pass;
}

/** @param {Setup} setup @param {Pick<State, "matrices" | "mask">} state @returns {Pass} */
function run(setup, { matrices, mask }) {
  const given = unpack(setup, matrices);
  const { x, w_q, w_k, w_v, target } = given;
  const allowed = [...mask].map((sign) => sign === "1");
  const forward = trace({ x, w_q, w_k, w_v, mask: allowed, n_heads: setup.heads });
  if (!target) return { given, found: forward, loss: null };
  const [loss, d_output] = squaredError(forward.output, target);
  const found = { ...given, ...forward, ...backward(forward, d_output) };
  return { given, found, loss };
}

/**
 * The matrices that can be moved, in the order in which their numbers are sent.
 * @param {Setup} setup
 */
export const movedIn = ({ sizes }) => ["x", ...WEIGHT_NAMES, "target"].filter((name) => name in sizes);

/** @param {Setup} setup @param {DataView} bytes @returns {Record<string, Matrix>} */
export function unpack(setup, bytes) {
  const numbers = numbersIn(bytes, Float64Array);
  let at = 0;
  const found = movedIn(setup).map((name) => {
    const [rows, cols] = setup.sizes[name];
    const width = isShared(name) ? cols : cols * setup.heads;
    const part = numbers.subarray(at, at + rows * width);
    at += rows * width;
    return [name, matrix(rows, width, part)];
  });
  return Object.fromEntries(found);
}

/** Pack matrices as bytes. @param {Setup} setup @param {Record<string, Matrix>} matrices */
export const pack = (setup, matrices) =>
  new DataView(Float64Array.from(movedIn(setup).flatMap((name) => [...matrices[name].numbers])).buffer);
