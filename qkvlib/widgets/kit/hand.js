/* The hand on a widget of arrows and sliders, and what it asks for. */

/** @import { Gate } from "./owner.js" */
/** @import { Change } from "./program.js" */

/** Undo takes back one gesture at a time; views of one widget count on. */
let gestures = 0;

/** @param {Gate} gate */
export function makeHand(gate) {
  let gesture = gestures;
  /** A new gesture: Undo takes back what follows as one. */
  const grasp = () => {
    gesture = ++gestures;
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
