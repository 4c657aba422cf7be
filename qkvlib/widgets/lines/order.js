/* The letters of a program, as a hand changes them. */

/** A letter in another place, or put in. @param {string} order @param {string} letter @param {number} place */
export function put(order, letter, place) {
  const rest = without(order, letter);
  const at = Math.max(0, Math.min(place, rest.length));
  return rest.slice(0, at) + letter + rest.slice(at);
}

/** @param {string} order @param {string} letter */
export const without = (order, letter) => order.replace(letter, "");

/**
 * Where a line that is let go at this height comes to stand: behind each line whose middle is above.
 * @param {number} y @param {number[]} middles  of the other lines, from above
 */
export const placeAt = (y, middles) => middles.filter((middle) => middle < y).length;
