/* The hand on a widget of arrows and sliders, and what it asks for. */

/** @import { Gate } from "./owner.js" */
/** @import { Change } from "./program.js" */

/** @param {Gate} gate */
export function makeHand(gate) {
  let gesture = 0;
  /** A new gesture: Undo takes back what follows as one. */
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
    /** Whether there is something to undo, and somebody who remembers it. @param {{ undo: number }} state */
    canUndo: ({ undo }) => undo > 0 && gate.can({ do: "undo" }),
  };
}
