/* A run's numbers at one step, and their colours. */

import { fixed } from "../kit/words.js";
import { sample } from "./frames.js";

/** @import { MapOptions } from "../kit/maps.js" */
/** @import { Frames, Layer, ReplaySetup } from "./frames.js" */

/**
 * @typedef {ReturnType<typeof makeMoment>} Moment
 *
 * @typedef {object} Source  Where a map's numbers lie, and how they are said.
 * @property {"inks" | "looks"} source
 * @property {number} at
 * @property {(row: number, column: number) => string} words
 * @property {(share: number) => string} number
 *
 * @typedef {object} Maps  What a layer's maps are made with.
 * @property {ReplaySetup} setup
 * @property {Moment} moment
 * @property {(() => void)[]} scaling  what scales and sizes a gradient
 * @property {(key: string, options: MapOptions, source: Source) => HTMLElement} add
 */

/** Draw the root of a share, so that small numbers are visible beside large ones. @param {number} share */
const root = (share) => Math.sign(share) * Math.sqrt(Math.abs(share));
/**
 * Write a number, given the root of its share.
 * @param {number} shown @param {number} largest @param {number} digits
 */
export const inked = (shown, largest, digits) => fixed(shown * Math.abs(shown) * largest, digits);

/** @param {[number, number]} widths  how many numbers a frame has, and how many of attention */
export function makeMoment([numbers, looks]) {
  return {
    numbers: new Float32Array(numbers),
    inks: new Float32Array(numbers),
    looks: new Float32Array(looks),
  };
}

/** @param {Moment} moment @param {Frames} played @param {number} step @param {Layer} layer */
export function fill(moment, played, step, layer) {
  sample(played, played.numbers, step, moment.numbers);
  sample(played, played.looks, step, moment.looks);
  for (let i = 0; i < moment.looks.length; i++) moment.looks[i] = (moment.looks[i] + 1) / 2;
  for (const { at, rows, columns } of layer.matrices)
    for (let i = at; i < at + rows * columns; i++) moment.inks[i] = root(moment.numbers[i]);
}
