/*
 * The page's own numbers. They run ahead of Python's while a hand moves, and go on alone where
 * Python is busy or gone; as soon as everything is answered, Python's are the truth.
 */

import { make, set } from "./dom.js";
import { again, farther } from "./pursuit.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Standing } from "./goal.js" */
/** @import { openGate } from "./kernel.js" */

const ALONE = "No kernel answers. The page computes by itself, and Python does not follow.";

/** What is said where the kernel is busy. */
export const FOLLOWS = "The page goes on, and Python will follow.";

/**
 * @typedef {Record<string, any>} Change  what a hand has moved, by name
 * @typedef {{ undo: number, goal?: Standing } & Record<string, any>} State
 *
 * @typedef {object} Twin  what Python computes, computed here
 * @property {(state: any, change: Change) => any} moved  the state after a change
 * @property {(state: any) => Change} kept  the change that would bring a state back
 * @property {boolean} whole  whether that is all: a learner's own function only Python can call
 */

/**
 * @param {{ model: AnyModel<any>, root: HTMLElement, gate: ReturnType<typeof openGate> }} page
 * @param {Twin} twin
 * @param {Change} start  what Reset goes back to
 * @param {() => boolean} held  whether a hand holds something
 */
export function runAhead({ model, root, gate }, twin, start, held) {
  const line = make("p", { class: "qkv-alone", role: "status", hidden: true }, ALONE);
  root.append(line);
  /** @type {Change} */
  let ahead = {};
  /** As the page judges it: the way to a goal that is seen in passing counts. @type {Standing | undefined} */
  let goal;
  let gesture = 0;
  let remembered = 0; // the gesture before which the last step of the history was taken
  /** @type {Change[]} */
  const history = [];

  const alone = () => gate.lost && twin.whole;

  /** Once everything is answered and nothing is held, Python's numbers are the page's. */
  function settle() {
    if (gate.busy || held() || alone()) return;
    ahead = {};
    goal = undefined;
    history.length = Math.min(history.length, model.get("state").undo);
  }

  /** @returns {State} */
  function now() {
    const state = model.get("state");
    const undo = alone() ? history.length : Math.max(state.undo, history.length);
    if (!Object.keys(ahead).length) return { ...state, undo };
    const moved = twin.moved({ ...state, goal: goal ?? state.goal }, ahead);
    goal = moved.goal;
    return { ...moved, undo };
  }

  function present() {
    settle();
    return now();
  }

  /** Go there, and have Python follow. @param {Change} change @param {string} [asked] */
  function go(change, asked) {
    const before = goal ?? model.get("state").goal;
    ahead = { ...ahead, ...change };
    const state = now();
    // A kernel that was gone may be there again, and know nothing.
    if (alone()) gate.edit(twin.kept(state), gesture);
    else if (asked) gate.ask({ do: asked });
    else gate.edit(change, gesture);
    // A later edit takes the place of one that waits. This one must arrive, or Python would not
    // know of the goal: whatever is asked between them keeps them apart.
    if (before && state.goal && farther(before, state.goal)) gate.ask({ do: "stay", quiet: true });
  }

  function remember() {
    if (gesture !== remembered) history.push(twin.kept(present()));
    remembered = gesture;
  }

  return {
    present,
    /** Whether Python does not follow. */
    get alone() {
      return alone();
    },
    /** Say so, or not any more. */
    show() {
      set(root, { "data-alone": alone() });
      line.hidden = !alone();
    },
    /** A new gesture: Undo takes back what follows as one. */
    grasp() {
      gesture += 1;
    },
    /** @param {Change} change */
    edit(change) {
      remember();
      go(change);
    },
    undo() {
      settle();
      const before = history.pop();
      gesture += 1;
      if (before) go(before, "undo");
      else gate.ask({ do: "undo" });
    },
    reset() {
      gesture += 1;
      remember();
      const standing = goal ?? model.get("state").goal;
      goal = standing && again(standing);
      go(start, "reset");
    },
  };
}
