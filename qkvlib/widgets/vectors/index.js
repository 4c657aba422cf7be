import { makeChoice } from "../kit/choice.js";
import { make, makeButton, say, set, tell } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { makeHand } from "../kit/hand.js";
import { asking, keep } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { makeLocal } from "../kit/local.js";
import { announcer, mount } from "../kit/page.js";
import { around, under } from "../kit/plane.js";
import { lengthOf } from "../kit/points.js";
import { allowed } from "../kit/pursuit.js";
import { listenToTips } from "../kit/tips.js";
import { twin } from "./compute.js";
import { byHand, makeTable, spoken } from "./numbers.js";
import { makePlane } from "./plane.js";

/** @import { Gate } from "../kit/kernel.js" */
/** @import { Point } from "../kit/points.js" */
/** @import { VectorsSetup, VectorsState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {{ alike?: boolean }} Shown  whether the regions count all keys as equally long
 *
 * @typedef {RenderProps<{ setup: VectorsSetup, state: VectorsState, shown: Shown }>} Given
 *
 * @typedef {ReturnType<typeof makeVectors>} Vectors
 */

const HELP =
  "Drag a tip. Or press Tab to reach it: arrow keys move it, [ and ] turn it, with Shift ten times as far. Click a row of the table to compare its key with q.";

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const computes = twin(setup);
  const local = makeLocal(computes, setup.start, model.get("state"));
  const shown = () => show(vectors, tips.held);
  const { root, gate, ended, unmount } = mount(
    given,
    "vectors",
    "Vectors in the plane",
    shown,
    asking({ local }),
  );
  const hand = makeHand(model, gate, computes, () => tips.held !== null, shown);
  const lent = { model, gate, hand, ended, announce: announcer(root, ended) };
  const vectors = makeVectors(lent, shown);
  layOut(vectors, root);
  const tips = listenToTips(vectors.plane.tips, gripsOf(vectors, shown));
  vectors.table.rows.forEach((row, i) => {
    row.addEventListener("click", () => {
      vectors.picked = i;
      shown();
    });
  });
  vectors.hold.addEventListener("change", shown);
  shown();
  return unmount;
}

/**
 * @param {object} lent  what the kit lends the widget
 * @param {Given["model"]} lent.model
 * @param {Gate} lent.gate
 * @param {ReturnType<typeof makeHand>} lent.hand
 * @param {(text: string) => void} lent.announce
 * @param {AbortSignal} lent.ended
 * @param {() => void} shown
 */
function makeVectors({ model, gate, hand, announce, ended }, shown) {
  const setup = model.get("setup");
  const { names, goal, regions } = setup;
  /** Whether scores are a learner's own function's, which Python alone can call. */
  const own = Boolean(setup.function);
  return {
    ...{ model, setup, gate, hand, announce, own },
    present: () => /** @type {VectorsState} */ (hand.present()),
    plane: makePlane(names, regions, ended, shown),
    table: makeTable(setup),
    lines: make("div", { class: "vec-lines" }),
    words: make("p", { class: "vec-words" }),
    hold: make("input", { type: "checkbox" }),
    undo: makeButton("Undo", hand.undo),
    reset: makeButton("Reset", hand.reset),
    strip: goal && goalStrip(goal, own),
    choice: makeChoice("The winner is told by", ["dot product", "cosine"], (i) => {
      keep(model, { alike: i === 1 });
      shown();
    }),
    /** The key that is compared with the query. */
    picked: 0,
    /** The tip that the hand moved last. @type {number | null} */
    moved: null,
  };
}

/** Put the parts on the page. @param {Vectors} vectors @param {HTMLElement} root */
function layOut(vectors, root) {
  const { setup, own, strip, plane, table, lines, words, hold, choice, undo, reset } = vectors;
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
          ...(setup.regions ? [make("span", {}, "Winner by ", choice.element)] : []),
          make("label", {}, hold, " Hold lengths, only turn"),
          make("span", { class: "vec-buttons" }, undo, reset),
        ),
      ),
      make("p", { class: "vec-help" }, HELP),
    ),
  );
}

/** What the goal lets a hand do. @param {Vectors} vectors @param {VectorsState} state */
function rulesOf({ setup }, state) {
  const { lengths, pinned } = allowed(setup.goal, state.goal);
  return { lengths, pinned: (/** @type {number} */ tip) => pinned(tip ? "keys" : "query") };
}

/** @param {VectorsState} state @param {number} tip @returns {Point} */
const pointOf = (state, tip) => (tip ? state.keys[tip - 1] : state.query);

/** @param {Vectors} vectors @param {number | null} held  the tip in the hand */
function show(vectors, held) {
  const { model, setup, gate, own, plane, strip, hold, picked, moved } = vectors;
  const state = vectors.present();
  const { lengths, pinned } = rulesOf(vectors, state);
  const turning = held ?? plane.tips.findIndex((tip) => tip.matches(":focus"));
  const point = turning < 0 ? null : pointOf(state, turning);
  const alike = model.get("shown").alike ?? false;
  const stale = own && (gate.busy || held !== null);
  plane.show(state, {
    picked,
    pinned: plane.tips.map((_, tip) => pinned(tip)),
    holding: point && (hold.checked || lengths) && !pinned(turning) ? lengthOf(point) : null,
    stale,
    alike,
  });
  // What only the learner's own function can tell is Python's, and waits for it.
  showNumbers(vectors, own ? model.get("state") : state);
  set(vectors.words, { "data-error": Boolean(state.error) });
  if (lengths) hold.checked = true;
  hold.disabled = lengths;
  vectors.undo.disabled = !state.undo;
  vectors.choice.show(alike ? 1 : 0);
  if (strip && state.goal) strip.show(state.goal);
  if (moved !== null && !stale)
    vectors.announce(`${moved ? setup.names[moved - 1] : "q"}: ${spoken(state, moved, false)}`);
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
 * What a hand on the tips meets.
 * @param {Vectors} vectors @param {() => void} shown
 * @returns {Parameters<typeof listenToTips>[1]}
 */
function gripsOf(vectors, shown) {
  const { plane, hand, hold, present } = vectors;
  return {
    pointOf: (tip) => pointOf(present(), tip),
    pinned: (tip) => rulesOf(vectors, present()).pinned(tip),
    turning: () => hold.checked,
    limit: () => present().limit,
    under: (event) => under(event, plane.svg, around(present().limit, 1)),
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
