/* A prediction's choice, and what it reveals. */

/** @import { Program } from "../kit/owner.js" */
/** @import { PredictState } from "./index.js" */

/** @typedef {Pick<PredictState, "choice" | "sure" | "sealed">} Kept  what Python has of a prediction */

/** @param {unknown} _ @param {Kept} opening @returns {Program} */
export function makeProgram(_, opening) {
  let state = opened(opening);
  /** @param {Kept} told @param {Partial<Kept>} [change] */
  const put = (told, change) => {
    state = opened({ ...told, ...change });
    return state;
  };
  return {
    carryOut: ({ edit }) => put(state, edit),
    adopt: put,
    rest: () => ({ choice: state.choice, sure: state.sure }),
  };
}

/**
 * Add what a choice reveals: the outcome, and the words for it.
 * @param {Kept} kept
 * @returns {PredictState}
 */
export function opened({ choice, sure, sealed }) {
  const shut = { choice, sure, sealed, outcome: null, because: "" };
  if (choice === null || !sealed) return shut;
  const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0));
  const { outcome, because, unless } = JSON.parse(new TextDecoder().decode(bytes));
  return { ...shut, outcome, because: [unless[choice], because].filter(Boolean).join(" ") };
}
