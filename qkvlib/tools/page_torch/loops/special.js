/* The error function, which JavaScript has not, to nearly all the digits of a double. */

const LIMIT = 2.5; // below it the series of erf is short, above it the fraction of erfc

/** The area under the bell curve between -x and x, scaled. @param {number} x @returns {number} */
export function erf(x) {
  if (Number.isNaN(x)) return x;
  if (x < 0) return -erf(-x);
  if (x > 6) return 1;
  if (x > LIMIT) return 1 - tail(x);
  // erf x = 2/sqrt(pi) exp(-x^2) (x + 2x^3/3 + 4x^5/15 + ...): all terms have one sign.
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** What is left above x, as a continued fraction. @param {number} x */
function tail(x) {
  let fraction = x;
  for (let n = 60; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}
