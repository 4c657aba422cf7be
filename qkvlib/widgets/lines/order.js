/* Change the order of a program's letters. */

/**
 * Move a letter to a different place, or insert it.
 * @param {string} order
 * @param {string} letter
 * @param {number} place
 */
export function put(order, letter, place) {
  const rest = without(order, letter);
  const at = Math.max(0, Math.min(place, rest.length));
  return rest.slice(0, at) + letter + rest.slice(at);
}

/** @param {string} order @param {string} letter */
export const without = (order, letter) => order.replace(letter, "");

/**
 * Return where a line lands if it is dropped at this height: after each line whose middle is above
 * it.
 * @param {number} y @param {number[]} middles  of the other lines, from above
 */
export const placeAt = (y, middles) => middles.filter((middle) => middle < y).length;
