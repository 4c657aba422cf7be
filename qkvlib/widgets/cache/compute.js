/* Which rows a round computes, what is held after it, and the goal of holding little. */

/** @import { GoalSetup, Standing } from "../kit/goal_strip.js" */
/** @import { Program } from "../kit/owner.js" */

/**
 * @typedef {object} Setup
 * @property {string[]} words
 * @property {number} n_heads
 * @property {number} d_k
 * @property {string[]} keeps  what may be kept: nothing; K and V; Q, K and V
 * @property {number[]} shares  how many heads of keys and values there may be
 * @property {(GoalSetup & { most_held: number, most_computed: number }) | null} goal
 *
 * @typedef {object} State
 * @property {number} arrived
 * @property {number} keeps
 * @property {number} kv_heads
 * @property {number} held
 * @property {number} computed
 * @property {Standing} [goal]
 */

const NOTHING = 0;
const ALL_THREE = 2;

/**
 * Return the total cost of a run from the first word.
 * @param {Setup} setup
 * @param {Pick<State, "arrived" | "keeps" | "kv_heads">} choice
 */
export function costs({ n_heads, d_k }, { arrived, keeps, kv_heads }) {
  const rows = 2 * kv_heads;
  if (keeps === NOTHING) return { held: 0, computed: (rows * arrived * (arrived + 1)) / 2 };
  const kept = rows + (keeps === ALL_THREE ? n_heads : 0);
  return { held: kept * arrived * d_k, computed: rows * arrived };
}

/**
 * Say what happens to one word's row in the present round, and whether it is held afterwards.
 * @param {State} state @param {"query" | "key" | "value"} role @param {number} word
 */
export function fateOf({ arrived, keeps }, role, word) {
  if (word >= arrived) return { computed: false, held: false };
  const newest = word === arrived - 1;
  const held = keeps === ALL_THREE || (keeps !== NOTHING && role !== "query");
  return { computed: newest || keeps === NOTHING, held };
}

/** The widget's numbers, in the page. @param {Setup} setup @param {State} opening @returns {Program} */
export function makeProgram(setup, opening) {
  let state = opening;
  /** @param {State} told @param {Partial<State>} [change] */
  const put = (told, change) => {
    state = judged(setup, { ...told, ...change });
    return state;
  };
  return {
    carryOut: ({ edit }) => put(state, edit),
    adopt: put,
    rest: () => ({
      ...{ arrived: state.arrived, keeps: state.keeps, kv_heads: state.kv_heads },
      met: state.goal?.met ?? false,
    }),
  };
}

/**
 * Return the cost of a choice, and how close it is to the goal.
 * @param {Setup} setup
 * @param {State} now
 * @returns {State}
 */
function judged(setup, now) {
  const { words, goal } = setup;
  const cost = costs(setup, now);
  const { held, computed } = cost;
  if (!goal) return { ...now, ...cost };
  const within = held <= goal.most_held && computed <= goal.most_computed;
  const met = now.goal?.met || (within && now.arrived === words.length);
  const told =
    `${now.arrived} of ${words.length} words, ${held} numbers of ${goal.most_held}, ` +
    `${computed} rows of ${goal.most_computed}.`;
  const share = within ? now.arrived / words.length : 0;
  return { ...now, ...cost, goal: { met, share, words: told } };
}
