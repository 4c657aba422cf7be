/* What a learner can do with lines: put one into the program, move it there, and take it out. */

import { put, without } from "./order.js";

/** @import { Parts } from "./parts.js" */

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
