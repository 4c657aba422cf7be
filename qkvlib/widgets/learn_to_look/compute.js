/*
 * A sentence that learns how to end. One query, three keys and their values; the output is turned
 * into scores for three endings. Each word is one feature, so each row of a matrix belongs to one
 * word.
 */

import { softmax } from "../engine/attention.js";
import { backward, trace } from "../engine/gradients.js";
import { each, matrix, product, transposed } from "../engine/matrix.js";

/** @import { Matrix } from "../engine/matrix.js" */

/** @typedef {"w_q" | "w_k" | "w_v"} Name */
/** @typedef {Record<Name, number[][]>} Weights  a row for each word, the asking one last */

/**
 * @typedef {object} Setup
 * @property {string} sentence
 * @property {string[]} words  that can be attended to
 * @property {string} asker
 * @property {string[]} endings  one for each word
 * @property {Weights} start
 * @property {number[][]} read_out  from a blend of values to a score for each ending; it is fixed
 * @property {number[]} bias
 * @property {number} rate
 * @property {Record<Name, number>} bounds  within which each number stays
 * @property {number} enough  the probability of the wanted ending at which learning stops
 * @property {number} most  steps of one run
 *
 * @typedef {object} Place  everything that moves
 * @property {Weights} weights
 * @property {number | null} wish  the wanted ending
 * @property {boolean} locked  whether training leaves W_V as it is
 *
 * @typedef {object} Pass  what follows from it
 * @property {number[]} attention  a weight for each word
 * @property {number[]} chances  the probability of each ending
 * @property {number} ending  the most probable one
 * @property {number | null} loss  cross-entropy; null without a wish
 * @property {Weights | null} gradients
 * @property {Record<Name, number> | null} lengths  of the gradients
 */

/** @type {Name[]} */
export const NAMES = ["w_q", "w_k", "w_v"];

/** @param {number[][]} rows */
const packed = (rows) => matrix(rows.length, rows[0].length, rows.flat());

/** @param {Matrix} all @returns {number[][]} */
const unpacked = ({ rows, cols, numbers }) =>
  Array.from({ length: rows }, (_, i) => [...numbers.slice(i * cols, (i + 1) * cols)]);

/**
 * Return a value for each matrix.
 * @template Value @param {(name: Name) => Value} value @returns {Record<Name, Value>}
 */
const named = (value) => ({ w_q: value("w_q"), w_k: value("w_k"), w_v: value("w_v") });

/**
 * Change each number of three matrices.
 * @param {Weights} weights
 * @param {(value: number, name: Name, row: number, column: number) => number} change
 * @returns {Weights}
 */
const mapped = (weights, change) =>
  named((name) => weights[name].map((row, i) => row.map((value, j) => change(value, name, i, j))));

/**
 * Run forwards to the ending, and from a wanted ending back to the weights.
 * @param {Setup} setup
 * @param {Place} place
 * @returns {Pass}
 */
export function pass({ words, read_out, bias }, { weights, wish }) {
  const n = words.length;
  const features = each(matrix(n + 1, n + 1), (_, at) => Number(at % (n + 2) === 0));
  const asks = matrix(1, n + 1, features.numbers.slice(n * (n + 1)));
  const context = matrix(n, n + 1, features.numbers.slice(0, n * (n + 1)));
  const [w_q, w_k, w_v] = NAMES.map((name) => packed(weights[name]));
  const run = trace({ x: asks, context, w_q, w_k, w_v });
  const table = packed(read_out);
  const scores = each(product(run.output, table), (score, j) => score + bias[j]);
  const chances = softmax(scores);
  const found = {
    attention: [...run.weights[0].numbers],
    chances: [...chances.numbers],
    ending: chances.numbers.indexOf(Math.max(...chances.numbers)),
  };
  if (wish === null) return { ...found, loss: null, gradients: null, lengths: null };
  // loss = -log softmax(scores)[wish], so its gradient is the probabilities, minus 1 at the wanted
  // ending
  const d_scores = each(chances, (chance, j) => chance - Number(j === wish));
  const back = backward(run, product(d_scores, transposed(table)));
  const gradients = named((name) => unpacked(back[`d_${name}`]));
  const lengths = named((name) => Math.hypot(...gradients[name].flat()));
  const loss = -Math.log(Math.max(found.chances[wish], Number.MIN_VALUE));
  return { ...found, loss, gradients, lengths };
}

/**
 * Take one step of gradient descent, within the bounds.
 * @param {Setup} setup
 * @param {Place} place
 * @returns {Place}
 */
export function stepped(setup, place) {
  const { gradients } = pass(setup, place);
  if (!gradients) return place;
  const weights = mapped(place.weights, (value, name, i, j) => {
    if (name === "w_v" && place.locked) return value;
    return bounded(value - setup.rate * gradients[name][i][j], setup.bounds[name]);
  });
  return { ...place, weights };
}

/** @param {number} value @param {number} bound */
export const bounded = (value, bound) => Math.min(Math.max(value, -bound), bound);

/**
 * Return the state with one number moved by the learner.
 * @param {Place} place
 * @param {Name} name
 * @param {number} row
 * @param {number} column
 * @param {number} value
 * @returns {Place}
 */
export const moved = (place, name, row, column, value) => ({
  ...place,
  weights: mapped(place.weights, (old, of, i, j) => (of === name && i === row && j === column ? value : old)),
});

/**
 * Tell whether the sentence ends as wanted, with enough certainty.
 * @param {Setup} setup
 * @param {Place} place
 * @param {Pass} found
 */
export const hasLearned = ({ enough }, { wish }, { chances }) => wish !== null && chances[wish] >= enough;
