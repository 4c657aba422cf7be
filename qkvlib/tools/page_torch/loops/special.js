/* Functions that JavaScript has none of, each to nearly all the digits of a double. */

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

/** What erf makes y of: Newton's steps, from an approximation by logarithms. @param {number} y */
export function erfinv(y) {
  if (!(Math.abs(y) < 1)) return Math.abs(y) === 1 ? y * Infinity : NaN;
  const log = Math.log1p(-y * y);
  const half = 2 / (Math.PI * 0.147) + log / 2;
  let x = Math.sign(y) * Math.sqrt(Math.sqrt(half * half - log / 0.147) - half);
  for (let step = 0; step < 4; step++)
    x -= ((erf(x) - y) * Math.sqrt(Math.PI)) / (2 * Math.exp(-x * x));
  return x;
}

/** The logarithm of the gamma function's size: Stirling's series, far enough out. @param {number} x @returns {number} */
export function lgamma(x) {
  if (x <= 0 && Number.isInteger(x)) return Infinity;
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgamma(1 - x);
  let shift = 0;
  let far = x;
  for (; far < 12; far++) shift += Math.log(far);
  const one = 1 / far;
  const two = one * one;
  const series = one * (1 / 12 - two * (1 / 360 - two * (1 / 1260 - two * (1 / 1680))));
  return (far - 0.5) * Math.log(far) - far + Math.log(2 * Math.PI) / 2 + series - shift;
}

/** The slope of lgamma. @param {number} x @returns {number} */
export function digamma(x) {
  if (x === 0) return -Infinity;
  if (x < 0 && Number.isInteger(x)) return NaN;
  if (x < 0) return digamma(1 - x) - Math.PI / Math.tan(Math.PI * x);
  let sum = 0;
  let far = x;
  for (; far < 12; far++) sum -= 1 / far;
  const two = 1 / (far * far);
  const series = two * (1 / 12 - two * (1 / 120 - two * (1 / 252 - two * (1 / 240))));
  return sum + Math.log(far) - 1 / (2 * far) - series;
}
