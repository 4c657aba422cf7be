/* Show the goal in the picture: each cell that it is about has a ring. */

import { set } from "../kit/dom.js";
import { holds } from "../kit/goals.js";
import { fixed } from "../kit/words.js";

/** @import { Condition } from "../kit/goals.js" */
/** @import { Book, Setup } from "./numbers.js" */
/** @import { Matrix } from "./matrix.js" */

/** What a condition requires of its cell, in words. @type {Record<string, (asked: Condition) => string>} */
const WANTED = {
  Prefers: () => "the most of its row",
  AtLeast: ({ weight }) => `at least ${fixed(weight)}`,
  AtMost: ({ weight }) => `at most ${fixed(weight)}`,
};

/**
 * Return what a goal requires of one attention weight.
 * @param {Setup} setup @param {number} head @param {number} i @param {number} j
 */
const askedOf = ({ goal }, head, i, j) =>
  (goal?.conditions ?? []).filter(
    (asked) => asked.kind in WANTED && asked.head === head && asked.row === i && asked.column === j,
  );

/**
 * Return the requirement in words, or "".
 * @param {Setup} setup @param {number} head @param {number} i @param {number} j
 */
export const wantedOf = (setup, head, i, j) =>
  askedOf(setup, head, i, j)
    .map((asked) => WANTED[asked.kind](asked))
    .join(" and ");

/**
 * Show which weights the goal is about, and where it is met.
 * @param {Record<string, Matrix>} matrices @param {Book} book
 */
export function showRings({ weights }, { setup, head, at, state }) {
  const { tokens, goal } = setup;
  if (!goal) return;
  const row = (/** @type {number} */ _, /** @type {number} */ i) =>
    tokens.map((__, j) => at("weights", i, j));
  const seen = { row, rows: tokens, columns: tokens, loss: state.loss };
  weights.cells.forEach((cells, i) =>
    cells.forEach(({ cell }, j) => {
      const wanted = wantedOf(setup, head, i, j);
      const met = askedOf(setup, head, i, j).every((one) => holds(one, seen));
      set(cell, {
        "data-goal": wanted ? (met ? "met" : "open") : null,
        title: wanted ? `The goal: ${wanted}` : null,
      });
    }),
  );
}
