/* A run's numbers: unpacked once, then interpolated at any step. */

import { numbersIn } from "../kit/bytes.js";

/**
 * @typedef {object} Matrix  One matrix of a layer.
 * @property {string} name
 * @property {number} rows
 * @property {number} columns
 * @property {number} at  where its numbers begin in a frame
 * @property {number | null} slope  where its gradient's begin; null when it is frozen
 *
 * @typedef {{ name: string, matrices: Matrix[], heads: number, looks: number | null }} Layer
 *
 * @typedef {object} Run
 * @property {string} name
 * @property {Layer[]} layers
 * @property {[string[], string[]][]} examples  the words beside the rows and columns of attention
 * @property {[number, number]} widths  how many numbers a frame has, and how many of attention
 * @property {[number, number | null][]} curve  some steps and their losses, for a still picture
 *
 * @typedef {object} ReplaySetup
 * @property {Run[]} runs
 * @property {[number, number]} largest  the weight and the gradient whose share is 1
 * @property {string[]} tokens
 *
 * @typedef {{ step?: number, films: { frames: number[], numbers: DataView, looks: DataView }[] }}
 * ReplayState  with the last step at which the learner let it rest, if any
 *
 * @typedef {object} Frames  What is known of a run: all of it, or the frames that were saved.
 * @property {number[]} steps
 * @property {(number | null)[]} losses
 * @property {number[]} accuracy
 * @property {number[]} frames  the steps that have a frame
 * @property {Int8Array | Int16Array} numbers
 * @property {Int8Array | Int16Array} looks
 * @property {number} top  the whole number that stands for a share of 1
 */

/** @param {DataView[]} buffers @returns {Frames} */
export function framesOf([steps, losses, accuracy, frames, numbers, looks]) {
  return {
    steps: [...numbersIn(steps, Int32Array)],
    losses: [...numbersIn(losses, Float32Array)].map((loss) => (Number.isFinite(loss) ? loss : null)),
    accuracy: [...numbersIn(accuracy, Float32Array)],
    frames: [...numbersIn(frames, Int32Array)],
    numbers: numbersIn(numbers, Int16Array),
    looks: numbersIn(looks, Int16Array),
    top: 32767,
  };
}

/**
 * Return the short film that is saved with a notebook.
 * @param {Run} run
 * @param {ReplayState} state
 * @param {number} i
 * @returns {Frames}
 */
export function filmOf(run, state, i) {
  const { frames, numbers, looks } = state.films[i];
  return {
    steps: run.curve.map(([step]) => step),
    losses: run.curve.map(([, loss]) => loss),
    accuracy: [],
    frames,
    numbers: numbersIn(numbers, Int8Array),
    looks: numbersIn(looks, Int8Array),
    top: 127,
  };
}

/**
 * Return the index of the last kept step that is not after `step`.
 * @param {number[]} steps
 * @param {number} step
 */
export function placeOf(steps, step) {
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (steps[middle] <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Return the shares at a step, interpolated between two frames if necessary; NaN for what is not a
 * number.
 * @param {Frames} played @param {Int8Array | Int16Array} packed
 * @param {number} step @param {Float32Array} into
 */
export function sample({ frames, top }, packed, step, into) {
  const at = placeOf(frames, step);
  const next = Math.min(at + 1, frames.length - 1);
  const gap = frames[next] - frames[at];
  const share = gap && Math.max((step - frames[at]) / gap, 0);
  const width = into.length;
  for (let i = 0; i < width; i++) {
    const one = packed[at * width + i];
    const other = share ? packed[next * width + i] : one; // 0: exactly on a frame
    into[i] = one < -top || other < -top ? NaN : (one + share * (other - one)) / top;
  }
}
