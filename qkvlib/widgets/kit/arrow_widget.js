/*
 * Open a widget in which a learner moves a few things and every number follows from them: its goal,
 * Undo and Reset, and the words for a screen reader. arrow_widget.py is its half in Python.
 */

import { make, makeButton } from "./dom.js";
import { goalStrip } from "./goal_strip.js";
import { owning } from "./owner.js";
import { announcer, mount } from "./page.js";
import { makeProgram } from "./program.js";
import { allowed } from "./pursuit.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Gate } from "./owner.js" */
/** @import { Change, Rules } from "./program.js" */
/** @import { Rules as Goal } from "./pursuit.js" */
/** @import { GoalSetup, Standing } from "./goal_strip.js" */

/**
 * @template {{ start: Change, goal: GoalSetup | null }} Setup
 * @template {{ undo: number, goal?: Standing }} State
 * @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given
 * @param {string} name @param {string} label  what a screen reader calls the widget
 * @param {(setup: Setup) => Rules} rules
 * @param {(state: State) => void} show  draws a state
 * @param {(state: State, setup: Setup) => string} spoken  says it, for when the hand rests
 */
export function mountMoved({ model, el }, name, label, rules, show, spoken) {
  const setup = model.get("setup");
  const present = () => model.get("state");
  let moved = false;
  const shown = () => {
    const state = present();
    show(state);
    undo.disabled = !state.undo;
    if (state.goal) strip?.show(state.goal);
    if (moved) announce(spoken(state, setup));
  };
  /** @param {Setup} setup @param {State} opening */
  const program = (setup, opening) => makeProgram(rules(setup), setup.start, opening);
  const { root, gate, ended, unmount } = mount({ model, el }, name, label, shown, owning(program));
  const announce = announcer(root, ended);
  const hand = makeHand(gate);
  const strip = setup.goal && goalStrip(setup.goal, false);
  const undo = makeButton("Undo", hand.undo);
  const reset = makeButton("Reset", hand.reset);
  return {
    ...{ setup, present, shown, root, ended, unmount },
    /** Above everything, if there is a goal. */
    strip: strip ? [strip.strip] : [],
    buttons: make("span", { class: "qkv-buttons" }, undo, reset),
    grasp: hand.grasp,
    /** @param {Change} change */
    edit(change) {
      moved = true;
      hand.edit(change);
    },
  };
}

/** Make the functions that a widget calls when the learner moves something. @param {Gate} gate */
function makeHand(gate) {
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

/**
 * Return what is the same of all tips, wherever they are and whatever moves with them.
 * @param {object} widget  what `mountMoved` returns
 * @param {{ goal: Goal | null }} widget.setup
 * @param {() => { limit: number, goal?: Standing }} widget.present
 * @param {() => void} widget.shown @param {() => void} widget.grasp
 * @param {SVGElement} svg @param {(tip: number) => boolean} pinned
 */
export const gripsOf = ({ setup, present, shown, grasp }, svg, pinned) => ({
  ...{ svg, pinned, grasp },
  turning: () => allowed(setup.goal, present().goal).lengths,
  limit: () => present().limit,
  pick: shown,
  rest: shown,
});
