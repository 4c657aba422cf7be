/*
 * The goal of Shapes: which numbers of one head are marked, and which belong to a different head.
 */

/** @import { Program } from "../kit/owner.js" */
/** @import { Setup, State } from "./stages.js" */

/** @param {Setup} setup @param {State} opening @returns {Program} */
export function makeProgram(setup, opening) {
  const strays = strayed(setup);
  let state = opening;

  /** @param {number[]} marked @param {boolean} met @returns {State} */
  function judged(marked, met) {
    const found = strays.filter((place) => marked.includes(place)).length;
    const wrong = marked.length - found;
    const words = `${found} of them marked${wrong ? `, and ${wrong} that should not be` : ""}.`;
    const share = Math.max(found - wrong, 0) / strays.length;
    return { marked, goal: { met: met || (found === strays.length && !wrong), share, words } };
  }

  return {
    carryOut({ choice }) {
      const others = state.marked.filter((place) => place !== choice);
      const taken = others.length < state.marked.length;
      const marked = taken ? others : [...others, choice].sort((one, other) => one - other);
      state = judged(marked, state.goal.met);
      return state;
    },
    adopt(told) {
      state = setup.goal ? judged(told.marked, told.goal.met) : told;
      return state;
    },
    rest: () => ({ marked: state.marked, met: state.goal.met }),
  };
}

/**
 * Return the numbers of head 0 that belong to a different head.
 * @param {Setup} setup
 * @returns {number[]}
 */
function strayed({ goal, ways, words, n_heads, d_k }) {
  if (!goal) return [];
  const { places } = ways[goal.way].stages[ways[goal.way].stages.length - 1];
  const size = words.length * d_k;
  const held = places.slice(0, size);
  /** @param {number} place  in X, whose rows hold the heads' features side by side */
  const headOf = (place) => Math.floor((place % (n_heads * d_k)) / d_k);
  return held.filter((place) => headOf(place) > 0);
}
