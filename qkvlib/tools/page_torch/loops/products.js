/* Matrix products. */

/** @import { Flat } from "./memory.js" */

export const products = {
  /**
   * Multiply matrices [n, k] and [k, m], one pair after the other.
   * @param {Flat[]} inputs
   * @param {number[]} numbers
   */
  bmm([{ values: a }, { values: b }], [batches, n, k, m]) {
    const made = new Float64Array(batches * n * m);
    for (let batch = 0; batch < batches; batch++)
      for (let i = 0; i < n; i++) {
        const row = (batch * n + i) * m;
        for (let inner = 0; inner < k; inner++) {
          const factor = a[(batch * n + i) * k + inner];
          const from = (batch * k + inner) * m;
          for (let j = 0; j < m; j++) made[row + j] += factor * b[from + j];
        }
      }
    return made;
  },
};
