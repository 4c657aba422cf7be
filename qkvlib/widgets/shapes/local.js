/* The goal of Shapes without Python: what is marked in one head, and what belongs to another. */

/** @import { Local } from "../kit/kernel.js" */
/** @import { Setup, State } from "./stages.js" */

/**
 * The widget in the page, or null where there is nothing to mark.
 * @param {Setup} setup @param {State} opening @returns {Local | null}
 */
export function makeLocal({ goal, ways, words, n_heads, d_k }, opening) {
  if (!goal) return null;
  const { places } = ways[goal.way].stages[ways[goal.way].stages.length - 1];
  const size = words.length * d_k;
  const held = places.slice(goal.head * size, (goal.head + 1) * size);
  /** @param {number} place  in X, whose rows hold the heads' features side by side */
  const headOf = (place) => Math.floor((place % (n_heads * d_k)) / d_k);
  const strays = held.filter((place) => headOf(place) !== goal.head);
  let state = opening;

  /** @param {number[]} marked @returns {State} */
  function judged(marked) {
    const found = strays.filter((place) => marked.includes(place)).length;
    const wrong = marked.length - found;
    const words = `${found} of them marked${wrong ? `, and ${wrong} that should not be` : ""}.`;
    const met = state.goal.met || (found === strays.length && !wrong);
    return { marked, goal: { met, share: Math.max(found - wrong, 0) / strays.length, words } };
  }

  return {
    can: () => true,
    carryOut({ do: what, choice }) {
      if (what === "mark") {
        const others = state.marked.filter((place) => place !== choice);
        const taken = others.length < state.marked.length;
        state = judged(taken ? others : [...others, choice].sort((one, other) => one - other));
      }
      return state;
    },
    adopt(truth) {
      state = truth;
      return state;
    },
  };
}
