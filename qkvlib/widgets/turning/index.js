import { gripsOf, mountMoved } from "../kit/arrow_widget.js";
import { make, tell } from "../kit/dom.js";
import { initialize } from "../kit/late_models.js";
import { turned } from "../kit/points.js";
import { allowed } from "../kit/pursuit.js";
import { makeSlider } from "../kit/slider.js";
import { listenToTips } from "../kit/tips.js";
import { rules } from "./compute.js";
import { makeDrawing } from "./drawing.js";
import { degrees, equation, makeTable, spoken } from "./words.js";

/** @import { Change } from "../kit/program.js" */
/** @import { TurningSetup, TurningState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

const HELP =
  "Drag a tip, or press Tab to reach it: arrows move it, [ and ] turn it, Shift ten times. A number at a key is its position.";

/** @typedef {ReturnType<typeof makeTurning>} Turning */

/** @param {RenderProps<{ setup: TurningSetup, state: TurningState, shown: {} }>} given */
function render(given) {
  const label = "A query and a key, rotated by their positions";
  const widget = mountMoved(given, "turning", label, rules, (state) => show(turning, state), spoken);
  const { setup, present, edit, shown, unmount } = widget;
  const turning = makeTurning(widget);
  layOut(turning, widget);
  /** Return the angle by which each of the two tips is rotated. @param {number} tip */
  const turn = (tip) => (tip ? 0 : present().place * present().angle);
  listenToTips(turning.drawing.tips, {
    ...gripsOf(widget, turning.drawing.svg, (tip) => isPinned(setup, present(), tip ? "key" : "query")),
    pointOf: (tip) => turned(tip ? present().key : present().query, turn(tip)),
    move: (tip, point) => edit({ [tip ? "key" : "query"]: turned(point, -turn(tip)) }),
  });
  shown();
  return unmount;
}

/**
 * @param {object} widget
 * @param {TurningSetup} widget.setup @param {AbortSignal} widget.ended @param {() => void} widget.shown
 * @param {() => void} widget.grasp @param {(change: Change) => void} widget.edit
 */
function makeTurning({ setup, ended, shown, grasp, edit }) {
  return {
    setup,
    drawing: makeDrawing(setup, ended, shown),
    table: makeTable(setup),
    sum: make("p", { class: "qkv-said turn-sum" }),
    place: makeSlider(
      { min: 0, max: setup.names.length - 1, step: 1 },
      "the query is at position",
      String,
      grasp,
      (place) => edit({ place }),
    ),
    angle: makeSlider(
      { min: 0, max: setup.widest, step: 1 },
      "rotation per position",
      degrees,
      grasp,
      (angle) => edit({ angle }),
    ),
  };
}

/**
 * Lay out the parts. @param {Turning} turning
 * @param {{ root: HTMLElement, strip: HTMLElement[], buttons: HTMLElement }} widget
 */
function layOut({ drawing, table, place, angle, sum }, { root, strip, buttons }) {
  root.prepend(
    ...strip,
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
    make("div", { class: "qkv-tools turn-tools" }, make("p", { class: "qkv-help" }, HELP), buttons),
  );
}

/** @param {TurningSetup} setup @param {TurningState} state @param {string} name */
const isPinned = ({ goal }, state, name) => allowed(goal, state.goal).pinned(name);

/** @param {Turning} turning @param {TurningState} state */
function show({ setup, drawing, table, place, angle, sum }, state) {
  const still = (/** @type {string} */ name) => isPinned(setup, state, name);
  drawing.show(state, [still("query"), still("key")]);
  table.show(state);
  place.show(state.place, still("place"));
  angle.show(state.angle, still("angle"));
  tell(sum, equation(state));
}

export default { initialize, render };
