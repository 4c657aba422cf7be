/* Split a matrix into heads and merge heads again: like multi_head.py. */

import { matrix } from "./matrix.js";

/** @import { Matrix } from "./matrix.js" */

/** Split the columns among the heads. @param {Matrix} x @param {number} heads @returns {Matrix[]} */
export function splitHeads(x, heads) {
  const width = x.cols / heads;
  if (!Number.isInteger(width)) throw new Error(`${x.cols} columns cannot be dealt to ${heads}`);
  return Array.from({ length: heads }, (_, head) => {
    const part = matrix(x.rows, width);
    for (let i = 0; i < x.rows; i++) {
      const at = i * x.cols + head * width;
      part.numbers.set(x.numbers.subarray(at, at + width), i * width);
    }
    return part;
  });
}

/** Put the heads side by side again. @param {Matrix[]} heads @returns {Matrix} */
export function mergeHeads(heads) {
  const [{ rows, cols }] = heads;
  const merged = matrix(rows, cols * heads.length);
  heads.forEach(({ numbers }, head) => {
    for (let i = 0; i < rows; i++)
      merged.numbers.set(numbers.subarray(i * cols, (i + 1) * cols), (i * heads.length + head) * cols);
  });
  return merged;
}
