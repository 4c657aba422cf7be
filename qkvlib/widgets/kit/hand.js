/* Turn what a learner does with arrows and sliders into requests. */

/** @import { Gate } from "./owner.js" */
/** @import { Change } from "./program.js" */

/** Make the functions that a widget calls when the learner moves something. @param {Gate} gate */
export function makeHand(gate) {
  let gesture = 0;
  /** Start a new gesture: Undo takes back everything up to the next one together. */
  const grasp = () => {
    gesture++;
  };
  /** @param {string} what */
  const ask = (what) => {
    grasp();
    gate.ask({ do: what });
  };
  return {
    grasp,
    /** @param {Change} change */
    edit: (change) => gate.edit(change, gesture),
    undo: () => ask("undo"),
    reset: () => ask("reset"),
  };
}
