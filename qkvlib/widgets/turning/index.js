import { make, makeButton, tell } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { makeHand } from "../kit/hand.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { turned } from "../kit/points.js";
import { makeProgram } from "../kit/program.js";
import { allowed } from "../kit/pursuit.js";
import { makeSlider } from "../kit/slider.js";
import { listenToTips } from "../kit/tips.js";
import { rules } from "./compute.js";
import { makeDrawing } from "./drawing.js";
import { degrees, equation, makeTable, spoken } from "./words.js";

/** @import { TurningSetup, TurningState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

const HELP =
  "Drag a tip, or press Tab to reach it: arrows move it, [ and ] turn it, Shift ten times. A number at a key is its position.";

/**
 * @typedef {RenderProps<{ setup: TurningSetup, state: TurningState, shown: {} }>} Given
 *
 * @typedef {ReturnType<typeof makeTurning>} Turning
 */

/** @param {TurningSetup} setup @param {TurningState} opening */
const program = (setup, opening) => makeProgram(rules(setup), setup.start, opening);

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const label = "A query and a key, rotated by their positions";
  const shown = () => show(turning);
  const { gate, root, ended, unmount } = mount(given, "turning", label, shown, owning(program));
  const hand = makeHand(gate);
  const turning = makeTurning(model, hand, announcer(root, ended), ended, shown);
  layOut(turning, root);
  listenToTips(turning.drawing.tips, gripsOf(turning, shown));
  show(turning);
  return unmount;
}

/**
 * @param {Given["model"]} model @param {ReturnType<typeof makeHand>} hand
 * @param {(text: string) => void} announce @param {AbortSignal} ended @param {() => void} shown
 */
function makeTurning(model, hand, announce, ended, shown) {
  const setup = model.get("setup");
  const { names, goal, widest } = setup;
  const turning = {
    ...{ setup, hand, announce },
    present: () => model.get("state"),
    /** Whether the learner has moved anything yet. */
    moved: false,
    strip: goal && goalStrip(goal, false),
    drawing: makeDrawing(setup, ended, shown),
    table: makeTable(setup),
    sum: make("p", { class: "qkv-said turn-sum" }),
    place: makeSlider(
      { min: 0, max: names.length - 1, step: 1 },
      "the query is at position",
      String,
      hand.grasp,
      (place) => edit(turning, { place }),
    ),
    angle: makeSlider(
      { min: 0, max: widest, step: 1 },
      "rotation per position",
      degrees,
      hand.grasp,
      (angle) => edit(turning, { angle }),
    ),
    undo: makeButton("Undo", hand.undo),
    reset: makeButton("Reset", hand.reset),
  };
  return turning;
}

/** Lay out the parts. @param {Turning} turning @param {HTMLElement} root */
function layOut({ strip, drawing, table, place, angle, sum, undo, reset }, root) {
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "turn-body" },
      drawing.svg,
      make(
        "div",
        { class: "turn-side" },
        table.table,
        make("div", { class: "turn-sliders" }, place.element, angle.element),
      ),
    ),
    sum,
    make(
      "div",
      { class: "turn-tools" },
      make("p", { class: "qkv-help" }, HELP),
      make("span", { class: "qkv-buttons" }, undo, reset),
    ),
  );
}

/** Tell whether the thing of this name is locked. @param {Turning} turning @param {string} name */
const still = ({ setup, present }, name) => allowed(setup.goal, present().goal).pinned(name);

/** @param {Turning} turning */
function show(turning) {
  const { drawing, strip } = turning;
  const state = turning.present();
  drawing.show(state, [still(turning, "query"), still(turning, "key")]);
  turning.table.show(state);
  turning.place.show(state.place, still(turning, "place"));
  turning.angle.show(state.angle, still(turning, "angle"));
  tell(turning.sum, equation(state));
  turning.undo.disabled = !state.undo;
  if (strip && state.goal) strip.show(state.goal);
  if (turning.moved) turning.announce(spoken(state));
}

/** @param {Turning} turning @param {Record<string, any>} change */
function edit(turning, change) {
  turning.moved = true;
  turning.hand.edit(change);
}

/**
 * Return what the learner can do with the tips.
 * @param {Turning} turning @param {() => void} shown
 * @returns {Parameters<typeof listenToTips>[1]}
 */
function gripsOf(turning, shown) {
  const { setup, drawing, hand, present } = turning;
  /** Return the angle by which each of the two tips is rotated. @param {number} tip */
  const turn = (tip) => (tip ? 0 : present().place * present().angle);
  return {
    pointOf: (tip) => turned(tip ? present().key : present().query, turn(tip)),
    pinned: (tip) => still(turning, tip ? "key" : "query"),
    turning: () => allowed(setup.goal, present().goal).lengths,
    limit: () => present().limit,
    svg: drawing.svg,
    grasp: hand.grasp,
    move: (tip, point) => edit(turning, { [tip ? "key" : "query"]: turned(point, -turn(tip)) }),
    pick: shown,
    rest: shown,
  };
}

export default { initialize, render };
