/* Operations on each number by itself, or on the numbers at the same index. */

/** @import { Flat } from "./memory.js" */

const bit = (/** @type {boolean} */ holds) => (holds ? 1 : 0);

/** @param {number} value */
function roundHalfEven(value) {
  const floor = Math.floor(value);
  const above = value - floor;
  const up = above > 0.5 || (above === 0.5 && floor % 2 !== 0);
  return (up ? floor + 1 : floor) || value * 0; // a negative number that rounds to zero becomes -0
}

/**
 * Return the error function, the scaled area under the bell curve between -x and x, to nearly the precision of
 * a double: by a series, or where that gets long by the continued fraction of the rest.
 * @param {number} x
 * @returns {number}
 */
function erf(x) {
  if (Number.isNaN(x)) return x;
  if (x < 0) return -erf(-x);
  if (x > 6) return 1;
  if (x > 2.5) return 1 - tail(x);
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

/** @type {Record<string, (x: number) => number>} */
const UNARY = {
  copy: (x) => x,
  neg: (x) => -x,
  abs: Math.abs,
  sign: (x) => (Number.isNaN(x) ? 0 : Math.sign(x)),
  exp: Math.exp,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  reciprocal: (x) => 1 / x,
  square: (x) => x * x,
  sin: Math.sin,
  cos: Math.cos,
  acos: Math.acos,
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  relu: (x) => (x > 0 || Number.isNaN(x) ? x : 0),
  erf,
  gelu: (x) => (x * (1 + erf(x / Math.SQRT2))) / 2,
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundHalfEven,
  isnan: (x) => bit(Number.isNaN(x)),
  isinf: (x) => bit(Math.abs(x) === Infinity),
  isfinite: (x) => bit(Number.isFinite(x)),
  logical_not: (x) => bit(!x && !Number.isNaN(x)),
  bitwise_not: (x) => -x - 1,
};

const truth = (/** @type {number} */ x) => x !== 0;
const either = (/** @type {number} */ a, /** @type {number} */ b) => (Number.isNaN(a) ? a : b);

/** Python's remainder, which has the sign of the divisor. @param {number} a @param {number} b */
function remainder(a, b) {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

/**
 * Python's `//`: rounding the quotient could reach the next whole number.
 * @param {number} a
 * @param {number} b
 */
function floorDivide(a, b) {
  if (b === 0) return a / b;
  const whole = (a - remainder(a, b)) / b;
  return Number.isFinite(a) && Number.isFinite(b) ? Math.round(whole) : Math.floor(a / b);
}

/** @param {number} a @param {number} b */
function addedLogarithms(a, b) {
  const larger = Math.max(a, b);
  if (!Number.isFinite(larger)) return larger;
  return larger + Math.log1p(Math.exp(Math.min(a, b) - larger));
}

/**
 * Combine whole numbers bit by bit, over the whole range that a double represents exactly.
 * @param {(a: bigint, b: bigint) => bigint} join
 */
const bits = (join) => (/** @type {number} */ a, /** @type {number} */ b) =>
  Number(join(BigInt(a), BigInt(b)));

/** @type {Record<string, (a: number, b: number) => number>} */
const BINARY = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  // As in C, and not as in JavaScript: 1 to any power is 1, even to the power NaN.
  pow: (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b),
  remainder,
  floor_divide: floorDivide,
  maximum: (a, b) => (Number.isNaN(a) || a > b ? a : b),
  minimum: (a, b) => (Number.isNaN(a) || a < b ? a : b),
  logaddexp: (a, b) => (Number.isNaN(a + b) && a !== -b ? either(a, b) : addedLogarithms(a, b)),
  xlogy: (a, b) => (a === 0 && !Number.isNaN(b) ? 0 : a * Math.log(b)),
  eq: (a, b) => bit(a === b),
  ne: (a, b) => bit(a !== b),
  lt: (a, b) => bit(a < b),
  le: (a, b) => bit(a <= b),
  gt: (a, b) => bit(a > b),
  ge: (a, b) => bit(a >= b),
  logical_and: (a, b) => bit(truth(a) && truth(b)),
  logical_or: (a, b) => bit(truth(a) || truth(b)),
  logical_xor: (a, b) => bit(truth(a) !== truth(b)),
  bitwise_and: bits((a, b) => a & b),
  bitwise_or: bits((a, b) => a | b),
  bitwise_xor: bits((a, b) => a ^ b),
};

/** @param {(x: number) => number} of @returns {(inputs: Flat[]) => Float64Array} */
const eachOne =
  (of) =>
  ([{ values }]) => {
    const made = new Float64Array(values.length);
    for (let i = 0; i < made.length; i++) made[i] = of(values[i]);
    return made;
  };

/** @param {(a: number, b: number) => number} of @returns {(inputs: Flat[]) => Float64Array} */
const eachTwo =
  (of) =>
  ([{ values: a }, { values: b }]) => {
    const made = new Float64Array(a.length);
    for (let i = 0; i < made.length; i++) made[i] = of(a[i], b[i]);
    return made;
  };

/** @template F, G @param {Record<string, F>} table @param {(each: F) => G} change */
const changed = (table, change) =>
  Object.fromEntries(Object.entries(table).map(([name, of]) => [name, change(of)]));

export const elementwise = {
  ...changed(UNARY, eachOne),
  ...changed(BINARY, eachTwo),
  /** @param {Flat[]} inputs */
  where: ([{ values: condition }, { values: a }, { values: b }]) =>
    Float64Array.from(condition, (holds, i) => (holds ? a[i] : b[i])),
  /** @param {Flat[]} inputs @param {number[]} bounds */
  clamp: ([{ values }], [low, high]) => Float64Array.from(values, (x) => Math.min(Math.max(x, low), high)),
};
