import { make, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal.js";
import { announcer, isCommand, mount } from "../kit/page.js";
import { byHand, makeTable, spoken } from "./numbers.js";
import { makePlane } from "./plane.js";
import { lengthOf, turned, withLength } from "./points.js";

/** @import { Point, VectorsSetup, VectorsState } from "./points.js" */
/** @import { RenderProps } from "@anywidget/types" */

const STEP = 0.05;

/** @param {RenderProps<{ setup: VectorsSetup, state: VectorsState, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { names, goal } = setup;
  const { root, gate, ended, unmount } = mount(given, "vectors", "Vectors in the plane", show);

  const plane = makePlane(names);
  const table = makeTable(setup);
  const lines = make("div", { class: "vec-lines" });
  const words = make("p", { class: "vec-words" });
  const hold = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox" }));
  const undo = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Undo"));
  const reset = make("button", { type: "button" }, "Reset");
  const strip = goal && goalStrip(goal);
  const announce = announcer(root, ended);
  set(table.table, { "data-computed": true });
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "vec-body" },
      plane.svg,
      table.table,
      make(
        "div",
        { class: "vec-side" },
        make("div", { class: "vec-hand", "data-computed": true }, lines, words),
        make(
          "div",
          { class: "vec-tools" },
          make("label", {}, hold, " Hold lengths, only turn"),
          make("span", { class: "vec-buttons" }, undo, reset),
        ),
        make(
          "p",
          { class: "vec-help" },
          "Drag a tip. Or press Tab to reach it: arrow keys move it, [ and ] turn it, with Shift ten times as far. Click a row of the table to compare its key with q.",
        ),
      ),
    ),
  );

  let picked = 0;
  let gesture = 0;
  /** The tip that the hand moved last. @type {number | null} */
  let moved = null;
  /** What the hand has moved and the kernel has not answered yet. @type {Record<string, Point>} */
  let ahead = {};
  /** @type {null | { tip: number, length: number }} */
  let dragging = null;

  /** @returns {VectorsState} */
  function present() {
    const state = model.get("state");
    if (!gate.busy && dragging === null) ahead = {};
    return {
      ...state,
      query: ahead.query ?? state.query,
      keys: state.keys.map((key, i) => ahead[i] ?? key),
      ahead: Object.keys(ahead).length > 0,
    };
  }

  /** The goal's rules hold until it is met. @param {VectorsState} state */
  function rules(state) {
    const bound = goal !== null && !state.goal?.met;
    return {
      lengths: bound && goal.keep_lengths,
      /** @param {number} tip */
      pinned: (tip) => bound && !goal.touch.includes(tip ? "keys" : "query"),
    };
  }

  function show() {
    const state = present();
    const { lengths, pinned } = rules(state);
    const focused = plane.tips.findIndex((tip) => tip.matches(":focus"));
    const turning = dragging?.tip ?? focused;
    const point = turning < 0 ? null : turning ? state.keys[turning - 1] : state.query;
    plane.show(state, {
      picked,
      pinned: plane.tips.map((_, tip) => pinned(tip)),
      holding: point && (hold.checked || lengths) && !pinned(turning) ? lengthOf(point) : null,
    });
    // Numbers that follow from each other are all the kernel's; the picture alone runs ahead.
    const answered = model.get("state");
    table.show(answered, picked);
    const hand = byHand(setup, answered, picked);
    lines.replaceChildren(...hand.lines.map((line) => make("p", {}, ...line)));
    say(words, hand.words);
    set(words, { "data-error": Boolean(state.error) });
    if (lengths) hold.checked = true;
    hold.disabled = lengths;
    undo.disabled = !state.undo;
    if (strip && state.goal) strip.show(state.goal);
    if (moved !== null && !gate.busy)
      announce(`${moved ? names[moved - 1] : "q"}: ${spoken(state, moved)}`);
  }

  /** @param {number} tip */
  function pick(tip) {
    if (tip) picked = tip - 1;
    show();
  }

  /** @param {number} tip @returns {Point} */
  const pointOf = (tip) => {
    const state = present();
    return tip ? state.keys[tip - 1] : state.query;
  };

  /** @param {number} tip @param {Point} wish @param {number} length  kept when lengths are held */
  function move(tip, wish, length) {
    const state = present();
    /** @type {Point} */
    let point;
    if (hold.checked) {
      if (!lengthOf(wish)) return;
      point = withLength(wish, length);
    } else {
      const inside = lengthOf(wish) > state.limit ? withLength(wish, state.limit) : wish;
      point = [Math.round(100 * inside[0]) / 100, Math.round(100 * inside[1]) / 100];
    }
    const name = tip ? String(tip - 1) : "query";
    ahead[name] = point;
    moved = tip;
    gate.edit({ [name]: point }, gesture);
    show();
  }

  /** @param {PointerEvent} event @returns {Point} */
  function under(event) {
    const box = plane.svg.getBoundingClientRect();
    const { limit } = present();
    return [
      ((2 * (event.clientX - box.left)) / box.width - 1) * limit,
      (1 - (2 * (event.clientY - box.top)) / box.height) * limit,
    ];
  }

  plane.tips.forEach((element, tip) => {
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.focus({ preventScroll: true });
      if (event.button !== 0 || rules(present()).pinned(tip)) return;
      element.setPointerCapture(event.pointerId);
      gesture += 1;
      dragging = { tip, length: lengthOf(pointOf(tip)) };
    });
    element.addEventListener("pointermove", (event) => {
      if (dragging?.tip === tip) move(tip, under(event), dragging.length);
    });
    element.addEventListener("lostpointercapture", () => {
      dragging = null;
      show();
    });
    element.addEventListener("focus", () => pick(tip));
    element.addEventListener("blur", show);
    element.addEventListener("keydown", (event) => {
      const point = pointOf(tip);
      const wish = wished(event, point, hold.checked);
      const jump = event.altKey && event.key.length > 1; // Alt and an arrow go back in the browser
      if (!wish || jump || isCommand(event)) return;
      event.preventDefault();
      if (rules(present()).pinned(tip)) return;
      if (!event.repeat) gesture += 1;
      move(tip, wish, lengthOf(point));
    });
  });
  table.rows.forEach((row, i) => row.addEventListener("click", () => pick(i + 1)));
  hold.addEventListener("change", show);
  undo.addEventListener("click", () => gate.ask({ do: "undo" }));
  reset.addEventListener("click", () => gate.ask({ do: "reset" }));

  show();
  return unmount;
}

/**
 * Where a key press wants a tip to go, or null when the key means nothing here.
 * @param {KeyboardEvent} event @param {Point} point @param {boolean} turning
 * @returns {Point | null}
 */
function wished(event, [x, y], turning) {
  const far = event.shiftKey ? 10 : 1;
  const turns = { "[": 1, "]": -1, "{": 10, "}": -10 }[event.key];
  if (turns) return turned([x, y], turns);
  const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
    event.key
  ];
  if (!by) return null;
  if (turning) return turned([x, y], far * (by[1] - by[0]));
  return [x + STEP * far * by[0], y + STEP * far * by[1]];
}

export default { render };
