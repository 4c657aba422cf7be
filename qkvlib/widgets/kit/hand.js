/* The hand on a widget of arrows: what it asks for, and what is shown until it is answered. */

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Ask, openGate } from "./kernel.js" */
/** @import { Change, Twin } from "./local.js" */

/**
 * What a hand asks for. Where the page must wait for Python, it shows what the hand has set, and
 * the numbers that it can tell, until the answer comes.
 * @param {AnyModel<any>} model @param {ReturnType<typeof openGate>} gate
 * @param {Twin} twin @param {() => boolean} held  whether a hand holds something
 * @param {() => void} show  draws what `present` says
 */
export function makeHand(model, gate, twin, held, show) {
  /** Undo takes back one gesture at a time. */
  let gesture = 0;
  /** @type {Change} */
  let ahead = {};
  /** @param {Ask} request */
  const ask = (request) => {
    ahead = {};
    gesture += 1;
    gate.ask(request);
    show();
  };
  return {
    /** The state as it is to be shown. */
    present() {
      if (gate.leads || (!gate.busy && !held())) ahead = {};
      const state = model.get("state");
      return Object.keys(ahead).length ? twin.moved(state, ahead) : state;
    },
    /** A new gesture: Undo takes back what follows as one. */
    grasp() {
      gesture += 1;
    },
    /** @param {Change} change */
    edit(change) {
      if (gate.leads) return gate.edit(change, gesture); // which has it shown
      ahead = { ...ahead, ...change };
      gate.edit(change, gesture);
      show();
    },
    undo: () => ask({ do: "undo" }),
    reset: () => ask({ do: "reset" }),
  };
}
