/* The weights of all heads, as the kernel packed them. */

import { numbersIn } from "../kit/bytes.js";
/** @import { GoalSetup, Standing } from "../kit/goal.js" */

/**
 * @typedef {object} Setup
 * @property {{ name: string, heads: number }[]} layers
 * @property {[string[], string[]][]} examples  the words that look, and those that are looked at
 * @property {boolean} of_itself  both are the same words
 * @property {boolean} can_silence
 * @property {GoalSetup | null} goal
 *
 * @typedef {object} State
 * @property {number} example
 * @property {8 | 16} bits
 * @property {DataView} maps  all weights of the example, layer by layer, head by head
 * @property {string[]} jobs  in words; "" where none was measured
 * @property {[number, number][]} silenced
 * @property {number[]} before
 * @property {number[]} now
 * @property {Standing} [goal]
 * @property {{ kind: "lines" | "map" | "graph", chosen: number }} [view]  as it was saved
 *
 * @typedef {object} Place  A head, or a layer's mean.
 * @property {number} layer
 * @property {number} head
 * @property {string} name
 * @property {number | null} job
 */

/** @param {State} state @returns {number[]} */
export function unpack({ maps, bits }) {
  const whole = bits === 16 ? numbersIn(maps, Uint16Array) : numbersIn(maps, Uint8Array);
  return Array.from(whole, (value) => value / (2 ** bits - 1));
}

/**
 * The heads of all layers, and after each layer's the mean of several.
 * @param {Setup} setup
 * @returns {Place[]}
 */
export function placesOf({ layers }) {
  let job = 0;
  return layers.flatMap(({ name, heads }, layer) => {
    const [prefix, alone] = layers.length > 1 ? [`${name}, `, name] : ["", "the head"];
    /** @type {Place[]} */
    const places = Array.from({ length: heads }, (_, head) => ({
      layer,
      head,
      name: heads > 1 ? `${prefix}head ${head + 1}` : alone,
      job: job++,
    }));
    return heads > 1
      ? [...places, { layer, head: -1, name: `${prefix}mean of heads`, job: null }]
      : places;
  });
}

/**
 * The weights of a head, or the mean of a layer's.
 * @param {Setup} setup
 * @param {number[]} all
 * @param {Place} place
 * @param {number} size
 */
export function weightsOf({ layers }, all, { layer, head }, size) {
  const start = layers.slice(0, layer).reduce((sum, { heads }) => sum + heads, 0) * size;
  if (head >= 0) return all.slice(start + head * size, start + (head + 1) * size);
  const { heads } = layers[layer];
  return Array.from({ length: size }, (_, i) => {
    let sum = 0;
    for (let h = 0; h < heads; h++) sum += all[start + h * size + i];
    return sum / heads;
  });
}
