import { makeChoice } from "../kit/choice.js";
import { make, say, set, tell } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { makeHand } from "../kit/hand.js";
import { keep } from "../kit/kernel.js";
import { makeLocal } from "../kit/local.js";
import { announcer, mount } from "../kit/page.js";
import { around, under } from "../kit/plane.js";
import { lengthOf } from "../kit/points.js";
import { allowed } from "../kit/pursuit.js";
import { listenToTips } from "../kit/tips.js";
import { twin } from "./compute.js";
import { byHand, makeTable, spoken } from "./numbers.js";
import { makePlane } from "./plane.js";

/** @import { Point } from "../kit/points.js" */
/** @import { VectorsSetup, VectorsState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/** @typedef {{ alike?: boolean }} Shown  whether the regions count all keys as equally long */

/** @param {RenderProps<{ setup: VectorsSetup, state: VectorsState, shown: Shown }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { names, goal, regions } = setup;
  const own = Boolean(setup.function);
  const computes = twin(setup);
  const local = makeLocal(computes, setup.start, model.get("state"));
  const mounted = mount(given, "vectors", "Vectors in the plane", show, { local });
  const { root, gate, ended, unmount } = mounted;
  const hand = makeHand(model, gate, computes, () => tips.held !== null, show);

  const plane = makePlane(names, regions, ended, show);
  const table = makeTable(setup);
  const lines = make("div", { class: "vec-lines" });
  const words = make("p", { class: "vec-words" });
  const hold = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox" }));
  const undo = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Undo"));
  const reset = make("button", { type: "button" }, "Reset");
  const strip = goal && goalStrip(goal, own);
  const choice = makeChoice("The winner is told by", ["dot product", "cosine"], (i) => {
    keep(model, { alike: i === 1 });
    show();
  });
  const announce = announcer(root, ended);
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "vec-body" },
      plane.svg,
      make("div", { class: "vec-numbers", "data-computed": own }, table.table),
      make(
        "div",
        { class: "vec-side" },
        make("div", { class: "vec-hand", "data-computed": own }, lines, words),
        make(
          "div",
          { class: "vec-tools" },
          ...(regions ? [make("span", {}, "Winner by ", choice.element)] : []),
          make("label", {}, hold, " Hold lengths, only turn"),
          make("span", { class: "vec-buttons" }, undo, reset),
        ),
      ),
      make(
        "p",
        { class: "vec-help" },
        "Drag a tip. Or press Tab to reach it: arrow keys move it, [ and ] turn it, with Shift ten times as far. Click a row of the table to compare its key with q.",
      ),
    ),
  );

  let picked = 0;
  /** The tip that the hand moved last. @type {number | null} */
  let moved = null;

  /** What the goal lets a hand do. @param {VectorsState} state */
  function rules(state) {
    const { lengths, pinned } = allowed(goal, state.goal);
    return { lengths, pinned: (/** @type {number} */ tip) => pinned(tip ? "keys" : "query") };
  }

  const present = () => /** @type {VectorsState} */ (hand.present());

  function show() {
    const state = present();
    const { lengths, pinned } = rules(state);
    const focused = plane.tips.findIndex((tip) => tip.matches(":focus"));
    const turning = tips.held ?? focused;
    const point = turning < 0 ? null : pointOf(turning);
    const alike = model.get("shown").alike ?? false;
    const stale = own && (gate.busy || tips.held !== null);
    plane.show(state, {
      picked,
      pinned: plane.tips.map((_, tip) => pinned(tip)),
      holding: point && (hold.checked || lengths) && !pinned(turning) ? lengthOf(point) : null,
      stale,
      alike,
    });
    // What only the learner's own function can tell is Python's, and waits for it.
    const known = own ? model.get("state") : state;
    table.show(known, picked);
    const arithmetic = byHand(setup, known, picked);
    tell(
      lines,
      arithmetic.lines.map((line) => make("p", {}, ...line)),
    );
    say(words, arithmetic.words);
    set(words, { "data-error": Boolean(state.error) });
    if (lengths) hold.checked = true;
    hold.disabled = lengths;
    undo.disabled = !state.undo;
    choice.show(alike ? 1 : 0);
    if (strip && state.goal) strip.show(state.goal);
    if (moved !== null && !stale)
      announce(`${moved ? names[moved - 1] : "q"}: ${spoken(state, moved, false)}`);
  }

  /** @param {number} tip */
  function pick(tip) {
    if (tip) picked = tip - 1;
    show();
  }

  /** @param {number} tip @returns {Point} */
  function pointOf(tip) {
    const state = present();
    return tip ? state.keys[tip - 1] : state.query;
  }

  const tips = listenToTips(plane.tips, {
    pointOf,
    pinned: (tip) => rules(present()).pinned(tip),
    turning: () => hold.checked,
    limit: () => present().limit,
    under: (event) => under(event, plane.svg, around(present().limit, 1)),
    grasp: hand.grasp,
    move(tip, point) {
      moved = tip;
      hand.edit({ [tip ? String(tip - 1) : "query"]: point });
    },
    pick,
    rest: show,
  });
  table.rows.forEach((row, i) => row.addEventListener("click", () => pick(i + 1)));
  hold.addEventListener("change", show);
  undo.addEventListener("click", hand.undo);
  reset.addEventListener("click", hand.reset);

  show();
  return unmount;
}

export default { initialize, render };
