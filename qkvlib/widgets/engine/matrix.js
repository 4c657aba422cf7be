/*
 * Matrices, with only the operations that attention needs. Numbers are doubles, because with scores
 * of 10,000 float32 would leave only three digits for the weights.
 */

/**
 * @typedef {object} Matrix  rows below each other, as torch keeps them
 * @property {number} rows
 * @property {number} cols
 * @property {Float64Array} numbers
 */

/** @param {number} rows @param {number} cols @param {Iterable<number>} [numbers] @returns {Matrix} */
export function matrix(rows, cols, numbers) {
  const all = numbers ? Float64Array.from(numbers) : new Float64Array(rows * cols);
  if (all.length !== rows * cols) throw new Error(`${all.length} numbers do not fill ${rows} x ${cols}`);
  return { rows, cols, numbers: all };
}

/**
 * Apply a function to each number of one matrix, or to the pairs of two: a + b, a * b.
 * @param {Matrix} a
 * @param {(number: number, place: number) => number} change
 */
export const each = (a, change) => matrix(a.rows, a.cols, a.numbers.map(change));

/** @param {Matrix} a @param {Matrix} b */
export const plus = (a, b) => each(a, (number, place) => number + b.numbers[place]);

/** a^T @param {Matrix} a */
export function transposed(a) {
  const result = matrix(a.cols, a.rows);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < a.cols; j++) result.numbers[j * a.rows + i] = a.numbers[i * a.cols + j];
  return result;
}

/** a @ b @param {Matrix} a @param {Matrix} b */
export function product(a, b) {
  if (a.cols !== b.rows) throw new Error(`${a.rows} x ${a.cols} and ${b.rows} x ${b.cols} make no product`);
  const result = matrix(a.rows, b.cols);
  for (let i = 0; i < a.rows; i++)
    for (let j = 0; j < b.cols; j++) {
      let sum = 0;
      for (let t = 0; t < a.cols; t++) sum += a.numbers[i * a.cols + t] * b.numbers[t * b.cols + j];
      result.numbers[i * b.cols + j] = sum;
    }
  return result;
}

/**
 * Apply a function to each row.
 * @param {Matrix} a
 * @param {(row: Float64Array, i: number) => Iterable<number>} change
 */
export function eachRow(a, change) {
  const result = matrix(a.rows, a.cols);
  for (let i = 0; i < a.rows; i++) {
    const at = i * a.cols;
    result.numbers.set(Float64Array.from(change(a.numbers.subarray(at, at + a.cols), i)), at);
  }
  return result;
}
