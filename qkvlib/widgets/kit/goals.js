/*
 * How far one has come to a goal: goals.py, for a page that computes by itself. Its words are the
 * same to the letter.
 */

import { fixedEven, quoted } from "./words.js";

/** @import { Standing } from "./goal.js" */

/**
 * @typedef {object} Condition  names are places already: a row or a column by its number
 * @property {"Prefers" | "AtLeast" | "AtMost" | "LossBelow"} kind
 * @property {number} column
 * @property {number} row
 * @property {number} head
 * @property {number} weight
 * @property {number} bound
 * @property {string} bound_words  as Python writes it
 *
 * @typedef {object} Seen  what conditions look at
 * @property {(head: number, row: number) => number[]} row  the weights that one query gives
 * @property {string[]} columns
 * @property {string[]} rows  no names where there is one query alone
 * @property {number | null} loss
 *
 * @typedef {{ holds: boolean, share: number, words: string }} Partial
 */

/** @type {Record<Condition["kind"], (condition: Condition, seen: Seen) => Partial>} */
const STANDING = {
  Prefers({ row, column, head }, { row: rowOf, columns, rows }) {
    const weights = rowOf(head, row);
    const mine = weights[column];
    const asks = rows.length ? `When ${quoted(rows[row])} looks: ` : "";
    const wanted = quoted(columns[column]);
    let rival = -1;
    weights.forEach((weight, place) => {
      if (place !== column && (rival < 0 || weight > weights[rival])) rival = place;
    });
    if (mine > weights[rival])
      return {
        holds: true,
        share: 1,
        words: `${asks}${wanted} has the most weight, ${fixedEven(mine)}.`,
      };
    return {
      holds: false,
      share: weights[rival] > 0 ? mine / weights[rival] : 0,
      words: `${asks}${quoted(columns[rival])} has weight ${fixedEven(weights[rival])}, ${wanted} ${fixedEven(mine)}.`,
    };
  },
  AtLeast(condition, seen) {
    const mine = seen.row(condition.head, condition.row)[condition.column];
    const { weight } = condition;
    return {
      holds: mine >= weight,
      share: Math.min(mine / weight, 1),
      words: `${pair(condition, seen)} ${fixedEven(mine)}, at least ${fixedEven(weight)} is wanted.`,
    };
  },
  AtMost(condition, seen) {
    const mine = seen.row(condition.head, condition.row)[condition.column];
    const { weight } = condition;
    return {
      holds: mine <= weight,
      share: mine <= weight ? 1 : (1 - mine) / (1 - weight),
      words: `${pair(condition, seen)} ${fixedEven(mine)}, at most ${fixedEven(weight)} is wanted.`,
    };
  },
  LossBelow({ bound, bound_words }, { loss }) {
    if (loss === null) return { holds: false, share: 0, words: "There is no loss." };
    return {
      holds: loss < bound,
      share: Math.min(bound / Math.max(loss, 1e-12), 1),
      words: `The loss is ${fixedEven(loss, 4)}, below ${bound_words} is wanted.`,
    };
  },
};

/** @param {Condition} condition @param {Seen} seen */
const pair = ({ row, column }, { rows, columns }) =>
  `${rows.length ? quoted(rows[row]) : "The query"} gives ${quoted(columns[column])}`;

/**
 * All conditions together: the words of the first that does not hold yet.
 * @param {Condition[]} conditions @param {Seen} seen @returns {Partial}
 */
export function standingOf(conditions, seen) {
  const each = conditions.map((condition) => STANDING[condition.kind](condition, seen));
  const short = each.filter(({ holds }) => !holds);
  const share = each.reduce((sum, one) => sum + one.share, 0) / each.length;
  return {
    holds: !short.length,
    share,
    words: (short[0] ?? each[each.length - 1]).words,
  };
}

/** What stands from the moment a goal is met. */
export const KEPT_WORDS = "Now move whatever you like.";

/** @param {Partial} standing @param {boolean} met @returns {Standing} */
export const shown = ({ share, words }, met) => ({ met, share, words });
