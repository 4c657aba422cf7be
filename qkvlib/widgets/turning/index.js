import { make, say, set, tell } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { makeHand } from "../kit/hand.js";
import { makeLocal } from "../kit/local.js";
import { announcer, mount } from "../kit/page.js";
import { around, under } from "../kit/plane.js";
import { turned } from "../kit/points.js";
import { allowed } from "../kit/pursuit.js";
import { listenToTips } from "../kit/tips.js";
import { twin } from "./compute.js";
import { makeDrawing } from "./drawing.js";
import { degrees, equation, makeTable, spoken } from "./words.js";

/** @import { TurningSetup, TurningState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

const HELP =
  "Drag a tip, or press Tab to reach it: arrows move it, [ and ] turn it, Shift ten times. A number at a key is its place.";

/** @param {RenderProps<{ setup: TurningSetup, state: TurningState, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { names, goal, widest } = setup;
  const computes = twin(setup);
  const local = makeLocal(computes, setup.start, model.get("state"));
  const mounted = mount(given, "turning", "A query and a key, turned by their places", show, {
    local,
  });
  const { gate, root, ended, unmount } = mounted;
  const hand = makeHand(model, gate, computes, () => tips.held !== null, show);
  const announce = announcer(root, ended);

  const strip = goal && goalStrip(goal, false);
  const drawing = makeDrawing(setup, ended, show);
  const table = makeTable(setup);
  const sum = make("p", { class: "turn-sum" });
  const place = makeSlider("place", "the query stands at place", names.length - 1, String);
  const angle = makeSlider("angle", "turned for each place by", widest, degrees);
  const undo = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Undo"));
  const reset = make("button", { type: "button" }, "Reset");
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
      make("p", { class: "turn-help" }, HELP),
      make("span", { class: "turn-buttons" }, undo, reset),
    ),
  );

  let moved = false;

  const present = () => /** @type {TurningState} */ (hand.present());
  /** Whether what has this name stays where it is. @param {string} name */
  const still = (name) => allowed(goal, present().goal).pinned(name);
  /** As far as each of the two that can be held is turned. @param {number} tip */
  const turn = (tip) => (tip ? 0 : present().place * present().angle);

  function show() {
    const state = present();
    drawing.show(state, [still("query"), still("key")]);
    table.show(state);
    place.show(state.place, still("place"));
    angle.show(state.angle, still("angle"));
    tell(sum, equation(state));
    undo.disabled = !state.undo;
    if (strip && state.goal) strip.show(state.goal);
    if (moved) announce(spoken(state));
  }

  /** @param {Record<string, any>} change @param {boolean} fresh  whether a new gesture begins */
  function edit(change, fresh) {
    if (fresh) hand.grasp();
    moved = true;
    hand.edit(change);
  }

  /**
   * A slider of whole numbers.
   * @param {"place" | "angle"} name @param {string} words @param {number} most
   * @param {(value: number) => string} written
   */
  function makeSlider(name, words, most, written) {
    const slider = /** @type {HTMLInputElement} */ (
      make("input", { type: "range", min: 0, max: most, step: 1, "aria-label": words })
    );
    const told = make("output");
    slider.addEventListener("pointerdown", () => hand.grasp());
    slider.addEventListener("keydown", (event) => {
      if (!event.repeat) hand.grasp();
    });
    slider.addEventListener("input", () => edit({ [name]: Number(slider.value) }, false));
    /** @param {number} value @param {boolean} fast */
    const showSlider = (value, fast) => {
      slider.value = String(value);
      slider.disabled = fast;
      set(slider, { "aria-valuetext": written(value) });
      say(told, written(value));
    };
    const element = make("label", { class: "turn-slider" }, make("span", {}, words), slider, told);
    return { element, show: showSlider };
  }

  const tips = listenToTips(drawing.tips, {
    pointOf: (tip) => turned(tip ? present().key : present().query, turn(tip)),
    pinned: (tip) => still(tip ? "key" : "query"),
    turning: () => allowed(goal, present().goal).lengths,
    limit: () => present().limit,
    under: (event) => under(event, drawing.svg, around(present().limit, 1)),
    grasp: hand.grasp,
    move: (tip, point) => edit({ [tip ? "key" : "query"]: turned(point, -turn(tip)) }, false),
    pick: show,
    rest: show,
  });
  undo.addEventListener("click", hand.undo);
  reset.addEventListener("click", hand.reset);

  show();
  return unmount;
}

export default { initialize, render };
