/*
 * Operations along one dimension: sums, the largest, softmax, running sums, sorting. Python moves
 * that dimension to the end, so here it is rows of equal length, one after the other.
 */

/** @import { Flat, Numbers } from "./memory.js" */

/** @typedef {(row: Numbers) => number} OfRow */

/** @param {OfRow} of @returns {(inputs: Flat[], numbers: number[]) => Float64Array} */
const one =
  (of) =>
  ([{ values }], [rows, length]) => {
    const made = new Float64Array(rows);
    for (let r = 0; r < rows; r++) made[r] = of(values.subarray(r * length, (r + 1) * length));
    return made;
  };

/**
 * @param {(row: Numbers, into: Float64Array) => void} of
 * @returns {(inputs: Flat[], numbers: number[]) => Float64Array}
 */
const same =
  (of) =>
  ([{ values }], [rows, length]) => {
    const made = new Float64Array(values.length);
    for (let r = 0; r < rows; r++)
      of(values.subarray(r * length, (r + 1) * length), made.subarray(r * length, (r + 1) * length));
    return made;
  };

/** @param {Numbers} row */
function sum(row) {
  let total = 0;
  for (let i = 0; i < row.length; i++) total += row[i];
  return total;
}

/**
 * Return the index of the best number, the first of equal ones; NaN beats any number.
 * @param {(a: number, b: number) => boolean} better
 * @returns {OfRow}
 */
const place = (better) => (row) => {
  let found = 0;
  for (let i = 0; i < row.length; i++) {
    if (Number.isNaN(row[i])) return i;
    if (better(row[i], row[found])) found = i;
  }
  return found;
};
const largest = place((a, b) => a > b);
const smallest = place((a, b) => a < b);

/** Sort the smallest first; NaN counts as larger than any number. @param {number} a @param {number} b */
function order(a, b) {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a < b ? -1 : Number(a > b);
}

export const rows = {
  sum: one(sum),
  prod: one((row) => Float64Array.from(row).reduce((all, x) => all * x, 1)),
  argmax: one(largest),
  argmin: one(smallest),
  amax: one((row) => row[largest(row)]),
  amin: one((row) => row[smallest(row)]),
  all: one((row) => Number(row.every((x) => x !== 0))),
  any: one((row) => Number(row.some((x) => x !== 0))),
  logsumexp: one((row) => {
    const most = row.length ? row[largest(row)] : -Infinity;
    if (Math.abs(most) === Infinity) return most;
    let total = 0;
    for (let i = 0; i < row.length; i++) total += Math.exp(row[i] - most);
    return most + Math.log(total);
  }),
  /** Sum the squared differences from the mean. */
  squares: one((row) => {
    const mean = sum(row) / row.length;
    let total = 0;
    for (let i = 0; i < row.length; i++) total += (row[i] - mean) ** 2;
    return total;
  }),
  /** @param {Flat[]} inputs @param {number[]} numbers */
  norm: (inputs, [count, length, p]) => one((row) => norm(row, p))(inputs, [count, length]),
  softmax: same((row, into) => {
    const most = row[largest(row)];
    for (let i = 0; i < row.length; i++) into[i] = Math.exp(row[i] - most);
    const total = sum(into);
    for (let i = 0; i < row.length; i++) into[i] /= total;
  }),
  log_softmax: same((row, into) => {
    const most = row[largest(row)];
    let total = 0;
    for (let i = 0; i < row.length; i++) total += Math.exp(row[i] - most);
    const log = Math.log(total);
    for (let i = 0; i < row.length; i++) into[i] = row[i] - most - log;
  }),
  cumsum: same((row, into) => {
    let total = 0;
    for (let i = 0; i < row.length; i++) into[i] = total += row[i];
  }),
  /** Return the sorted values and their original indices. @param {Flat[]} inputs @param {number[]} numbers */
  sort([{ values }], [count, length, descending, kept]) {
    const sorted = new Float64Array(count * kept);
    const places = new Float64Array(count * kept);
    for (let r = 0; r < count; r++) {
      const row = values.subarray(r * length, (r + 1) * length);
      const way = descending ? -1 : 1;
      const found = Array.from(row, (_, i) => i).sort((i, j) => way * order(row[i], row[j]));
      for (let i = 0; i < kept; i++) {
        sorted[r * kept + i] = row[found[i]];
        places[r * kept + i] = found[i];
      }
    }
    return [sorted, places];
  },
};

/** @param {Numbers} row @param {number} p */
function norm(row, p) {
  if (p === 2) {
    let total = 0;
    for (let i = 0; i < row.length; i++) total += row[i] * row[i];
    return Math.sqrt(total);
  }
  const sizes = Float64Array.from(row, Math.abs);
  if (p === Infinity) return sizes[largest(sizes)] ?? 0;
  if (p === -Infinity) return sizes[smallest(sizes)] ?? Infinity;
  if (p === 0) return sizes.filter((size) => size !== 0).length;
  return sum(sizes.map((size) => size ** p)) ** (1 / p);
}
