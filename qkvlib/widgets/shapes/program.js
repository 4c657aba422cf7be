/*
 * The goal of Shapes: which numbers of one head are marked, and which belong to a different head.
 */

/** @import { Program } from "../kit/owner.js" */
/** @import { Setup, State } from "./stages.js" */

/** @param {Setup} setup @param {State} opening @returns {Program} */
export function makeProgram(setup, opening) {
  const strays = setup.goal?.strays ?? [];
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
