/* The error function, which JavaScript does not have, to nearly the precision of a double. */

const LIMIT = 2.5; // below this the series of erf is short, above it the continued fraction of erfc

/**
 * Return the error function: the scaled area under the bell curve between -x and x.
 * @param {number} x
 * @returns {number}
 */
export function erf(x) {
  if (Number.isNaN(x)) return x;
  if (x < 0) return -erf(-x);
  if (x > 6) return 1;
  if (x > LIMIT) return 1 - tail(x);
  // erf x = 2/sqrt(pi) exp(-x^2) (x + 2x^3/3 + 4x^5/15 + ...): all terms have the same sign.
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Return the area above x, as a continued fraction. @param {number} x */
function tail(x) {
  let fraction = x;
  for (let n = 60; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}
