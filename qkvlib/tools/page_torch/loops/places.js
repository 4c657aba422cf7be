/* Pick, write, join or leave out numbers by their index. */

import { product, Refusal } from "./memory.js";

/** @import { Flat } from "./memory.js" */

/**
 * Return an index counted from the front.
 * @param {number} index
 * @param {number} size
 * @param {number} which
 */
function counted(index, size, which) {
  if (index < -size || index >= size) throw new Refusal("index", index, which);
  return index < 0 ? index + size : index;
}

/**
 * Return, for each element of the index tensors, the row that they refer to together.
 * @param {Flat[]} indices
 * @param {number[]} sizes
 */
function meant(indices, sizes) {
  const rows = new Float64Array(indices[0].values.length);
  indices.forEach(({ values }, which) => {
    for (let i = 0; i < rows.length; i++)
      rows[i] = rows[i] * sizes[which] + counted(values[i], sizes[which], which);
  });
  return rows;
}

/** Overwrite the numbers at the indices, or add to them. @param {boolean} adds */
const put =
  (adds) =>
  /** @param {Flat[]} inputs @param {number[]} sizes */
  ([x, source, ...indices], sizes) => {
    const made = Float64Array.from(x.values);
    const width = product(x.shape.slice(sizes.length));
    meant(indices, sizes).forEach((row, i) => {
      for (let j = 0; j < width; j++) {
        const to = row * width + j;
        made[to] = (adds ? made[to] : 0) + source.values[i * width + j];
      }
    });
    return made;
  };

export const places = {
  /**
   * Pick rows of the first input, whose first dimensions are the indexed ones.
   * @param {Flat[]} inputs
   * @param {number[]} sizes
   */
  pick([x, ...indices], sizes) {
    const width = product(x.shape.slice(sizes.length));
    const rows = meant(indices, sizes);
    const made = new Float64Array(rows.length * width);
    rows.forEach((row, i) => {
      made.set(x.values.subarray(row * width, (row + 1) * width), i * width);
    });
    return made;
  },
  put: put(false),
  put_add: put(true),
  /** @param {Flat[]} inputs @param {number[]} numbers */
  cat(inputs, [dim]) {
    const total = inputs.reduce((sum, { shape }) => sum + shape[dim], 0);
    const before = product(inputs[0].shape.slice(0, dim));
    const after = product(inputs[0].shape.slice(dim + 1));
    const made = new Float64Array(before * total * after);
    let done = 0;
    for (const { values, shape } of inputs) {
      const width = shape[dim] * after;
      for (let i = 0; i < before; i++)
        made.set(values.subarray(i * width, (i + 1) * width), i * total * after + done);
      done += width;
    }
    return made;
  },
  /** @param {Flat[]} inputs @param {number[]} numbers */
  flip([{ values, shape }], [dim]) {
    const after = product(shape.slice(dim + 1));
    const made = new Float64Array(values.length);
    for (let begin = 0; begin < values.length; begin += shape[dim] * after)
      for (let i = 0; i < shape[dim]; i++) {
        const from = begin + i * after;
        made.set(values.subarray(from, from + after), begin + (shape[dim] - 1 - i) * after);
      }
    return made;
  },
  /** @param {Flat[]} inputs @param {number[]} numbers */
  tril: (inputs, numbers) => triangle(inputs, numbers, (above, k) => above <= k),
  /** @param {Flat[]} inputs @param {number[]} numbers */
  triu: (inputs, numbers) => triangle(inputs, numbers, (above, k) => above >= k),
};

/** @param {Flat[]} inputs @param {number[]} numbers @param {(above: number, k: number) => boolean} stays */
function triangle([{ values, shape }], [k], stays) {
  const [rows, columns] = shape.slice(-2);
  return Float64Array.from(values, (value, i) =>
    stays((i % columns) - (Math.floor(i / columns) % rows), k) ? value : 0,
  );
}
