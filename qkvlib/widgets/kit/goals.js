/*
 * Compute how close a learner is to a goal, in words and as a share of the way. goals.py defines goals.
 */

import { fixed, quoted } from "./words.js";

/** @import { Standing } from "./goal_strip.js" */

/**
 * @typedef {object} Condition  as goals.py packs it: rows and columns by their numbers
 * @property {"Prefers" | "AtLeast" | "AtMost" | "LossBelow"} kind
 * @property {number} column
 * @property {number} row
 * @property {number} head
 * @property {number} weight
 * @property {number} bound
 *
 * @typedef {object} Seen  what conditions look at
 * @property {(head: number, row: number) => number[]} row  the weights that one query gives
 * @property {string[]} columns
 * @property {string[]} rows  empty if there is only one query
 * @property {number | null} loss
 *
 * @typedef {{ holds: boolean, share: number, words: string }} Partial  one condition's standing
 */

/** The standing of a goal that has been met: it no longer changes, even if the numbers do. */
export const MET = { met: true, share: 1, words: "Now move whatever you like." };

/** @type {Record<Condition["kind"], (condition: Condition, seen: Seen) => Partial>} */
const STANDING = {
  Prefers({ head, row, column }, seen) {
    const weights = seen.row(head, row);
    const mine = weights[column];
    const others = weights.map((_, place) => place).filter((place) => place !== column);
    const rival = others.reduce((most, place) => (weights[place] > weights[most] ? place : most));
    const asks = seen.rows.length ? `When ${quoted(seen.rows[row])} looks: ` : "";
    const wanted = quoted(seen.columns[column]);
    if (mine > weights[rival]) {
      const words = `${asks}${wanted} has the most weight, ${fixed(mine)}.`;
      return { holds: true, share: 1, words };
    }
    const other = `${quoted(seen.columns[rival])} has weight ${fixed(weights[rival])}`;
    const share = weights[rival] > 0 ? mine / weights[rival] : 0;
    return { holds: false, share, words: `${asks}${other}, ${wanted} ${fixed(mine)}.` };
  },
  AtLeast(condition, seen) {
    const { weight } = condition;
    const mine = weightOf(condition, seen);
    const holds = mine >= weight;
    const gives = given(condition, seen, holds ? "" : "just under ");
    const words = `${gives}; you need at least ${fixed(weight)}.`;
    return { holds, share: Math.min(mine / weight, 1), words };
  },
  AtMost(condition, seen) {
    const { weight } = condition;
    const mine = weightOf(condition, seen);
    const holds = mine <= weight;
    const gives = given(condition, seen, holds ? "" : "just over ");
    const words = `${gives}; you need at most ${fixed(weight)}.`;
    return { holds, share: holds ? 1 : (1 - mine) / (1 - weight), words };
  },
  LossBelow({ bound }, { loss }) {
    if (loss === null) return { holds: false, share: 0, words: "There is no loss." };
    const words = `The loss is ${fixed(loss, 4)}; you need less than ${bound}.`;
    return { holds: loss < bound, share: Math.min(bound / Math.max(loss, 1e-12), 1), words };
  },
};

/** Return the weight that a row gives a column. @param {Condition} condition @param {Seen} seen */
const weightOf = ({ head, row, column }, seen) => seen.row(head, row)[column];

/**
 * Write a weight in words. If it rounds to its bound, say on which side of the bound it is.
 * @param {Condition} condition @param {Seen} seen @param {string} edge
 */
function given(condition, seen, edge) {
  const told = fixed(weightOf(condition, seen));
  const who = seen.rows.length ? quoted(seen.rows[condition.row]) : "The query";
  const beside = told === fixed(condition.weight) ? edge : "";
  return `${who} gives ${quoted(seen.columns[condition.column])} ${beside}${told}`;
}

/** Tell whether a condition holds. @param {Condition} condition @param {Seen} seen */
export const holds = (condition, seen) => STANDING[condition.kind](condition, seen).holds;

/**
 * Combine all conditions: return the words of the first that is not met yet. Once all have been
 * met, the goal stays met, whatever moves afterwards.
 * @param {Condition[]} conditions @param {Seen} seen @returns {Standing}
 */
export function standingOf(conditions, seen) {
  const each = conditions.map((condition) => STANDING[condition.kind](condition, seen));
  const short = each.find(({ holds }) => !holds);
  const share = each.reduce((sum, one) => sum + one.share, 0) / each.length;
  return short ? { met: false, share, words: short.words } : MET;
}
