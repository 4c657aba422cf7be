/* Show the goal in the picture: each cell that it is about has a ring. */

import { set } from "../kit/dom.js";
import { fixed } from "../kit/words.js";

/** @import { Condition } from "../kit/goals.js" */
/** @import { Book, Setup } from "./numbers.js" */
/** @import { Matrix } from "./matrix.js" */

/**
 * For each condition: its requirement in words, and whether it is met.
 * @type {Record<string, { words: (asked: Condition) => string,
 *   holds: (asked: Condition, row: number[]) => boolean }>}
 */
const WANTED = {
  Prefers: {
    words: () => "the most of its row",
    holds: ({ column }, row) => row.every((weight, j) => j === column || weight < row[column]),
  },
  AtLeast: {
    words: ({ weight }) => `at least ${fixed(weight)}`,
    holds: ({ column, weight }, row) => row[column] >= weight,
  },
  AtMost: {
    words: ({ weight }) => `at most ${fixed(weight)}`,
    holds: ({ column, weight }, row) => row[column] <= weight,
  },
};

/**
 * Return what a goal requires of one attention weight.
 * @param {Setup} setup
 * @param {number} head
 * @param {number} i
 * @param {number} j
 */
const askedOf = ({ goal }, head, i, j) =>
  (goal?.conditions ?? []).filter(
    (asked) => asked.kind in WANTED && asked.head === head && asked.row === i && asked.column === j,
  );

/**
 * Return the requirement in words, or "".
 * @param {Setup} setup
 * @param {number} head
 * @param {number} i
 * @param {number} j
 */
export const wantedOf = (setup, head, i, j) =>
  askedOf(setup, head, i, j)
    .map((asked) => WANTED[asked.kind].words(asked))
    .join(" and ");

/** @param {Setup} setup @param {Record<string, Matrix>} matrices */
export function makeRings(setup, { weights }) {
  /** @param {Book} book */
  const show = (book) =>
    setup.goal?.conditions?.length &&
    weights.cells.forEach((row, i) => {
      const asked = row.map((_, j) => askedOf(setup, book.head, i, j));
      const values = row.map((_, j) => book.at("weights", i, j));
      row.forEach(({ cell }, j) => {
        const holds = asked[j].every((one) => WANTED[one.kind].holds(one, values));
        const wanted = wantedOf(setup, book.head, i, j);
        set(cell, {
          "data-goal": wanted ? (holds ? "met" : "open") : null,
          title: wanted ? `The goal: ${wanted}` : null,
        });
      });
    });
  return { show };
}
