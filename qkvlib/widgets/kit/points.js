/* Points in the plane: lengths, turns, and where a hand may take them. */

/** @typedef {[number, number]} Point */

/** @param {Point} point */
export const lengthOf = ([x, y]) => Math.hypot(x, y);

/** @param {Point} point @param {number} degrees @returns {Point} */
export function turned([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [x * Math.cos(angle) - y * Math.sin(angle), x * Math.sin(angle) + y * Math.cos(angle)];
}

/** @param {Point} point @param {number} length @returns {Point} */
export function withLength([x, y], length) {
  const scale = length / (Math.hypot(x, y) || 1);
  return [x * scale, y * scale];
}

/** @param {Point} point */
export const direction = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;

/**
 * Where a tip comes to rest that a hand wants somewhere: not beyond the limit, and at numbers that
 * can be read. With a length to keep it is turned alone, and from a wish without direction not at
 * all.
 * @param {Point} wish @param {number} limit @param {number | null} length @returns {Point | null}
 */
export function within(wish, limit, length) {
  if (length !== null) return lengthOf(wish) ? withLength(wish, length) : null;
  const tip = lengthOf(wish) > limit ? withLength(wish, limit) : wish;
  const near = rounded(tip, Math.round);
  return lengthOf(near) > limit ? rounded(tip, Math.trunc) : near;
}

/** @param {Point} point @param {(number: number) => number} way @returns {Point} */
const rounded = ([x, y], way) => [way(100 * x) / 100, way(100 * y) / 100];

/** Whether an arrow is as long as it can be made, but for the rounding. @param {Point} point @param {number} limit */
export const atEdge = (point, limit) => lengthOf(point) > limit - 0.015;
