import { make, makeButton, say, tell } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { makeHand } from "../kit/hand.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { makeProgram } from "../kit/program.js";
import { allowed } from "../kit/pursuit.js";
import { listenToTips } from "../kit/tips.js";
import { rules } from "./compute.js";
import { byHand, makeTable, spoken } from "./numbers.js";
import { makePlane } from "./plane.js";

/** @import { Point } from "../kit/points.js" */
/** @import { VectorsSetup, VectorsState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {RenderProps<{ setup: VectorsSetup, state: VectorsState, shown: {} }>} Given
 *
 * @typedef {ReturnType<typeof makeVectors>} Vectors
 */

const HELP =
  "Drag a tip. Or press Tab to reach it: arrow keys move it, [ and ] turn it, with Shift ten times as far. Click a row of the table to compare its key with q.";

/** @param {VectorsSetup} setup @param {VectorsState} opening */
const program = (setup, opening) => makeProgram(rules(setup), setup.start, opening);

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const shown = () => show(vectors);
  const { root, gate, ended, unmount } = mount(
    given,
    "vectors",
    "Vectors in the plane",
    shown,
    owning(program),
  );
  const hand = makeHand(gate);
  const lent = { model, hand, ended, announce: announcer(root, ended) };
  const vectors = makeVectors(lent, shown);
  layOut(vectors, root);
  listenToTips(vectors.plane.tips, gripsOf(vectors, shown));
  vectors.table.rows.forEach((row, i) => {
    row.addEventListener("click", () => {
      vectors.picked = i;
      shown();
    });
  });
  shown();
  return unmount;
}

/**
 * @param {object} lent  what the kit lends the widget
 * @param {Given["model"]} lent.model
 * @param {ReturnType<typeof makeHand>} lent.hand
 * @param {(text: string) => void} lent.announce
 * @param {AbortSignal} lent.ended
 * @param {() => void} shown
 */
function makeVectors({ model, hand, announce, ended }, shown) {
  const setup = model.get("setup");
  const { names, goal, regions } = setup;
  return {
    ...{ model, setup, hand, announce },
    present: () => model.get("state"),
    plane: makePlane(names, regions, ended, shown),
    table: makeTable(setup),
    lines: make("div", { class: "vec-lines" }),
    words: make("p", { class: "vec-words" }),
    undo: makeButton("Undo", hand.undo),
    reset: makeButton("Reset", hand.reset),
    strip: goal && goalStrip(goal, false),
    /** The key that is compared with the query. */
    picked: 0,
    /** The tip that was moved last. @type {number | null} */
    moved: null,
  };
}

/** Lay out the parts. @param {Vectors} vectors @param {HTMLElement} root */
function layOut(vectors, root) {
  const { strip, plane, table, lines, words, undo, reset } = vectors;
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "vec-body" },
      plane.svg,
      make("div", { class: "vec-numbers" }, table.table),
      make(
        "div",
        { class: "vec-side" },
        make("div", { class: "vec-hand" }, lines, words),
        make("div", { class: "vec-tools" }, make("span", { class: "qkv-buttons" }, undo, reset)),
      ),
      make("p", { class: "qkv-help vec-help" }, HELP),
    ),
  );
}

/** Return what the goal allows. @param {Vectors} vectors @param {VectorsState} state */
function rulesOf({ setup }, state) {
  const { lengths, pinned } = allowed(setup.goal, state.goal);
  return { lengths, pinned: (/** @type {number} */ tip) => pinned(tip ? "keys" : "query") };
}

/** @param {VectorsState} state @param {number} tip @returns {Point} */
const pointOf = (state, tip) => (tip ? state.keys[tip - 1] : state.query);

/** @param {Vectors} vectors */
function show(vectors) {
  const { setup, plane, strip, picked, moved } = vectors;
  const state = vectors.present();
  const { pinned } = rulesOf(vectors, state);
  plane.show(
    state,
    picked,
    plane.tips.map((_, tip) => pinned(tip)),
  );
  showNumbers(vectors, state);
  vectors.undo.disabled = !state.undo;
  if (strip && state.goal) strip.show(state.goal);
  if (moved !== null) vectors.announce(`${moved ? setup.names[moved - 1] : "q"}: ${spoken(state, moved)}`);
}

/** @param {Vectors} vectors @param {VectorsState} state */
function showNumbers({ setup, table, lines, words, picked }, state) {
  table.show(state, picked);
  const arithmetic = byHand(setup, state, picked);
  tell(
    lines,
    arithmetic.lines.map((line) => make("p", {}, ...line)),
  );
  say(words, arithmetic.words);
}

/**
 * Return what the learner can do with the tips.
 * @param {Vectors} vectors @param {() => void} shown
 * @returns {Parameters<typeof listenToTips>[1]}
 */
function gripsOf(vectors, shown) {
  const { plane, hand, present } = vectors;
  return {
    pointOf: (tip) => pointOf(present(), tip),
    pinned: (tip) => rulesOf(vectors, present()).pinned(tip),
    turning: () => rulesOf(vectors, present()).lengths,
    limit: () => present().limit,
    svg: plane.svg,
    grasp: hand.grasp,
    move(tip, point) {
      vectors.moved = tip;
      hand.edit({ [tip ? String(tip - 1) : "query"]: point });
    },
    pick(tip) {
      if (tip) vectors.picked = tip - 1;
      shown();
    },
    rest: shown,
  };
}

export default { initialize, render };
