import { gripsOf, mountMoved } from "../kit/arrow_widget.js";
import { make, say, tell } from "../kit/dom.js";
import { initialize } from "../kit/late_models.js";
import { allowed } from "../kit/pursuit.js";
import { listenToTips } from "../kit/tips.js";
import { rules } from "./compute.js";
import { byHand, makeTable, spoken } from "./numbers.js";
import { makePlane } from "./plane.js";

/** @import { VectorsSetup, VectorsState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/** @typedef {ReturnType<typeof makeVectors>} Vectors */

const HELP =
  "Drag a tip. Or press Tab to reach it: arrow keys move it, [ and ] turn it, with Shift ten times as far. Click a row of the table to compare its key with q.";

/** @param {RenderProps<{ setup: VectorsSetup, state: VectorsState, shown: {} }>} given */
function render(given) {
  const widget = mountMoved(
    given,
    "vectors",
    "Vectors in the plane",
    rules,
    (state) => show(vectors, state),
    (state, { names }) => `${["q", ...names][vectors.moved]}: ${spoken(state, vectors.moved)}`,
  );
  const { setup, present, ended, shown, edit, unmount } = widget;
  const vectors = makeVectors(setup, ended, shown);
  layOut(vectors, widget);
  listenToTips(vectors.plane.tips, {
    ...gripsOf(widget, vectors.plane.svg, (tip) => isPinned(setup, present(), tip)),
    pointOf: (tip) => (tip ? present().keys[tip - 1] : present().query),
    move(tip, point) {
      vectors.moved = tip;
      edit({ [tip ? String(tip - 1) : "query"]: point });
    },
    pick(tip) {
      if (tip) vectors.picked = tip - 1;
      shown();
    },
  });
  vectors.table.rows.forEach((row, i) => {
    row.addEventListener("click", () => {
      vectors.picked = i;
      shown();
    });
  });
  shown();
  return unmount;
}

/** @param {VectorsSetup} setup @param {AbortSignal} ended @param {() => void} shown */
function makeVectors(setup, ended, shown) {
  return {
    setup,
    plane: makePlane(setup.names, setup.regions, ended, shown),
    table: makeTable(setup),
    lines: make("div", { class: "vec-lines" }),
    words: make("p", { class: "vec-words" }),
    /** The key that is compared with the query. */
    picked: 0,
    /** The tip that was moved last. */
    moved: 0,
  };
}

/**
 * Lay out the parts. @param {Vectors} vectors
 * @param {{ root: HTMLElement, strip: HTMLElement[], buttons: HTMLElement }} widget
 */
function layOut({ plane, table, lines, words }, { root, strip, buttons }) {
  root.prepend(
    ...strip,
    make(
      "div",
      { class: "vec-body" },
      plane.svg,
      make("div", { class: "vec-numbers" }, table.table),
      make(
        "div",
        { class: "vec-side" },
        make("div", { class: "vec-hand" }, lines, words),
        make("div", { class: "qkv-tools" }, buttons),
      ),
      make("p", { class: "qkv-help vec-help" }, HELP),
    ),
  );
}

/** @param {VectorsSetup} setup @param {VectorsState} state @param {number} tip */
const isPinned = ({ goal }, state, tip) => allowed(goal, state.goal).pinned(tip ? "keys" : "query");

/** @param {Vectors} vectors @param {VectorsState} state */
function show({ setup, plane, table, lines, words, picked }, state) {
  plane.show(
    state,
    picked,
    plane.tips.map((_, tip) => isPinned(setup, state, tip)),
  );
  table.show(state, picked);
  const arithmetic = byHand(setup, state, picked);
  tell(
    lines,
    arithmetic.lines.map((line) => make("p", {}, ...line)),
  );
  say(words, arithmetic.words);
}

export default { initialize, render };
