/* What a learner can do with lines: put one into the program, move it there, and take it out. */

/** @import { Parts } from "./parts.js" */

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

/** @param {Parts} parts @param {string} next @param {string} [words]  what is announced */
export function change({ model, gate, announce }, next, words) {
  if (next === model.get("state").order) return;
  gate.ask({ do: "order", choice: next });
  if (words) announce(words);
}

/** @param {Parts} parts @param {string} letter */
export function toggle(parts, letter) {
  const { order } = parts.model.get("state");
  if (order.includes(letter)) change(parts, without(order, letter), `Line ${letter} is out.`);
  else place(parts, letter, order.length);
}

/** @param {Parts} parts @param {string} letter @param {number} where */
export function place(parts, letter, where) {
  const next = put(parts.model.get("state").order, letter, where);
  change(parts, next, `Line ${letter} is number ${next.indexOf(letter) + 1} of ${next.length}.`);
}

/** Return the letter of an event's line. @param {Event} event */
export const letterOf = ({ target }) =>
  /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(".lines-line"))?.dataset.letter;
