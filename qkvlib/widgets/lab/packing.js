/*
 * The numbers of the lab as they travel: packing.py, the other way round and back. What has the
 * heads side by side is dealt out to them, head after head within each name.
 */

import { matrix } from "../engine/matrix.js";
import { mergeHeads, splitHeads } from "../engine/multi_head.js";
import { numbersIn } from "../kit/bytes.js";
import { WEIGHT_NAMES } from "./graph.js";

/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Setup, State } from "./numbers.js" */

/** The same for every head. @param {string} name */
export const isShared = (name) => name === "x" || name === "d_x";

/**
 * One group as bytes.
 * @param {Setup} setup @param {string[]} names @param {Record<string, any>} found  one matrix for a
 * name, or one for each head
 */
export function pack({ heads }, names, found) {
  const numbers = names.flatMap((name) => {
    const whole = found[name];
    if (isShared(name)) return [...whole.numbers];
    const each = Array.isArray(whole) ? whole : splitHeads(whole, heads);
    return each.flatMap((part) => [...part.numbers]);
  });
  return new DataView(Float32Array.from(numbers).buffer);
}

/**
 * One number for all that moves, by which Python knows whether it came to the same: sum_up in
 * packing.py.
 * @param {Pick<State, "moving" | "moves" | "undo" | "rate" | "frozen" | "mask" | "goal">} state
 */
export function sumUp({ moving, moves, undo, rate, frozen, mask, goal }) {
  const held = WEIGHT_NAMES.map((name) => Number(frozen.includes(name)));
  const rules = [moves, undo, rate, Number(goal?.met ?? false), ...held, ...[...mask].map(Number)];
  const numbers = [...rules, ...numbersIn(moving, Float32Array)];
  return numbers.reduce((sum, number, k) => sum + number * (1 + ((k * 0.618) % 1)), 0);
}

/**
 * The matrices in one group's bytes, those that are asked for, with the heads side by side.
 * @param {Setup} setup @param {string[]} names @param {DataView} bytes @param {string[]} [wanted]
 * @returns {Record<string, Matrix>}
 */
export function unpack({ heads, sizes }, names, bytes, wanted = names) {
  const numbers = numbersIn(bytes, Float32Array);
  let at = 0;
  /** @type {Record<string, Matrix>} */
  const found = {};
  for (const name of names) {
    const [rows, cols] = sizes[name];
    const parts = Array.from({ length: isShared(name) ? 1 : heads }, () => {
      const part = numbers.subarray(at, at + rows * cols);
      at += rows * cols;
      return part;
    });
    if (wanted.includes(name))
      found[name] = mergeHeads(parts.map((part) => matrix(rows, cols, part)));
  }
  return found;
}
