/* Compute with points in the plane: lengths, rotations, and where a learner may drag them. */

/** @typedef {[number, number]} Point */

/** Return the distance from the origin. @param {Point} point */
export const lengthOf = ([x, y]) => Math.hypot(x, y);

/** Rotate a point around the origin. @param {Point} point @param {number} degrees @returns {Point} */
export function turned([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

/** Return a point in the same direction. @param {Point} point @param {number} length @returns {Point} */
export function withLength([x, y], length) {
  const scale = length / (Math.hypot(x, y) || 1);
  return [x * scale, y * scale];
}

/** Return a point's direction in degrees. @param {Point} point */
export const direction = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;

/**
 * Return where a tip comes to rest when it is dragged to a point: within the limit, and at numbers
 * that are easy to read. If its length is fixed it is only turned, and a target without a direction
 * does not turn it.
 * @param {Point} wish @param {number} limit @param {number | null} length @returns {Point | null}
 */
export function within(wish, limit, length) {
  if (length !== null) return lengthOf(wish) ? withLength(wish, length) : null;
  const tip = lengthOf(wish) > limit ? withLength(wish, limit) : wish;
  const near = rounded(tip, Math.round);
  return lengthOf(near) > limit ? rounded(tip, Math.trunc) : near;
}

/** Round to hundredths. @param {Point} point @param {(number: number) => number} way @returns {Point} */
const rounded = ([x, y], way) => [way(100 * x) / 100, way(100 * y) / 100];

/**
 * Tell whether an arrow is as long as it can be, except for rounding.
 * @param {Point} point
 * @param {number} limit
 */
export const atEdge = (point, limit) => lengthOf(point) > limit - 0.015;
