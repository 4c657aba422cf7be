/* Prediction's Python again, in the page: a choice opens what is sealed. */

/** @import { Local } from "../kit/kernel.js" */
/** @import { PredictState } from "./index.js" */

/** @param {{ choices: string[], confidence: string[] }} setup @param {PredictState} opening
 * @returns {Local} */
export function makeLocal({ choices, confidence }, opening) {
  let state = opening;
  return {
    can: () => true,
    carryOut({ do: what, choice, sure }) {
      const said = confidence[sure ?? -1] ?? null;
      if (what === "commit") {
        state = { ...state, ...told(choices[choice], state.sealed), sure: said };
      }
      if (what === "afresh") {
        state = { ...state, choice: null, sure: null, outcome: null, because: "" };
      }
      return state;
    },
    adopt(truth) {
      state = truth;
      return state;
    },
  };
}

/** @param {string} choice @param {string} sealed */
function told(choice, sealed) {
  if (!sealed) return { choice };
  const bytes = Uint8Array.from(atob(sealed), (letter) => letter.charCodeAt(0));
  const { outcome, because, unless } = JSON.parse(new TextDecoder().decode(bytes));
  return { choice, outcome, because: [unless[choice], because].filter(Boolean).join(" ") };
}
