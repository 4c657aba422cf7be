/* The weights of all heads, as the kernel packed them. */

import { numbersIn } from "../kit/bytes.js";
import { fixed } from "../kit/words.js";

/** @import { GoalSetup, Standing } from "../kit/goal_strip.js" */

/**
 * @typedef {object} Setup
 * @property {{ name: string, heads: string[] }[]} layers  with the names of their heads
 * @property {number} count_from  the number of a layer's first head
 * @property {[string[], string[]][]} examples  the words that look, and those that are looked at
 * @property {boolean} of_itself  both are the same words
 * @property {boolean} can_silence
 * @property {Goal | null} goal
 * @property {Film | null} film
 *
 * @typedef {GoalSetup & { loses: number[], keeps: number[], lost: number, kept: number }} Goal  which
 * questions, and how many of their answers are right at most, or at least
 *
 * @typedef {object} Film  what Python would answer, made beforehand
 * @property {DataView} maps  of every moment, of every example
 * @property {{ jobs: string[], now: number[] }[]} moments  the binary digits of a moment's number
 * say which heads are silent; or one alone, in which all are heard
 *
 * @typedef {object} State
 * @property {number} example
 * @property {DataView} maps  all weights of the example, place by place, a byte each
 * @property {string[] | null} jobs  in words; "" where none was measured, null while a goal asks
 * @property {number[]} silenced  the heads' numbers, in the order of the bytes
 * @property {number[]} before
 * @property {number[]} now
 * @property {{ met: boolean }} [goal]
 *
 * @typedef {object} Place  A head.
 * @property {number} layer
 * @property {number} head
 * @property {string} name
 */

const BINS = 200; // as in widget.py: no bin straddles a border of rounding to two digits

/**
 * Decode the bytes into weights: the middle of each bin, and zero for a hidden weight.
 * @param {DataView} maps
 */
export function unpack(maps) {
  const bytes = numbersIn(maps, Uint8Array);
  return Float32Array.from(bytes, (byte) => (byte ? Math.min((byte - 0.5) / BINS, 1) : 0));
}

/** List the heads of all layers: the order of the bytes. @param {Setup} setup @returns {Place[]} */
export const placesOf = ({ layers }) =>
  layers.flatMap(({ heads }, layer) => heads.map((name, head) => ({ layer, head, name })));

/** Return the weights of one place. @param {Float32Array} all @param {number} place @param {number} size */
export const weightsOf = (all, place, size) => all.subarray(place * size, (place + 1) * size);

/**
 * Return how close a goal is; once it is met, it stays so.
 * @param {Goal} goal @param {Pick<State, "now" | "goal">} state @returns {Standing}
 */
export function standingOf({ loses, keeps, lost, kept }, { now, goal }) {
  const right = [...loses.map((q) => now[q] <= lost), ...keeps.map((q) => now[q] >= kept)];
  const asked = [...loses, ...keeps].sort((one, other) => one - other);
  const words = asked.map((q) => `question ${q + 1}: ${fixed(now[q])} right`).join(", ");
  const share = right.filter(Boolean).length / right.length;
  return { met: goal?.met || share === 1, share, words };
}
