import { make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { keep } from "../kit/kernel.js";
import { announcer, mount } from "../kit/page.js";
import { quoted } from "../kit/words.js";
import { makeLocal } from "./local.js";

/** @import { GoalSetup, Standing } from "../kit/goal.js" */

/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {object} Stage
 * @property {string} code
 * @property {string[]} axes
 * @property {number[]} shape
 * @property {number[]} places  in each place, the number's place in X, counted from 0
 *
 * @typedef {{ name: string, verdict: string, right: boolean, stages: Stage[] }} Way
 *
 * @typedef {object} Setup
 * @property {string[]} words
 * @property {number} n_heads
 * @property {number} d_k
 * @property {Way[]} ways
 * @property {(GoalSetup & { way: number, head: number }) | null} goal  where to look
 *
 * @typedef {{ marked: number[], goal: Standing }} State
 */

/** Patterns, so that a word is known by more than its colour. */
const MARKS = ["●", "■", "▲", "◆", "○", "□"];

/** @param {RenderProps<{ setup: Setup, state: State, shown: { chosen?: number } }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { words, n_heads: heads, d_k: features, ways, goal } = setup;
  const width = heads * features;
  const local = makeLocal(setup, model.get("state"));
  const show = () => showGoal();
  const { root, gate, ended, unmount } = mount(
    given,
    "shapes",
    "Where each number of X goes",
    show,
    {
      local,
    },
  );
  const announce = announcer(root, ended);
  const group = `qkv-${Math.random().toString(36).slice(2)}`;

  /** @type {number} */
  let chosen = model.get("shown").chosen ?? 0;
  /** @type {number | null} */
  let picked = null;
  /** @type {HTMLElement[]} */
  let cells = [];

  const choices = ways.map((way, i) => {
    const input = make("input", { type: "radio", name: group, checked: i === chosen });
    input.addEventListener("change", () => {
      chosen = i;
      keep(model, { chosen });
      lay();
    });
    return make("label", { class: "shapes-choice" }, input, way.name);
  });
  const legend = make(
    "div",
    { class: "shapes-legend" },
    ...words.map((word, i) =>
      make("span", { "data-word": i }, make("b", {}, MARKS[i]), ` ${word}`),
    ),
  );
  const strip = goal && goalStrip(goal, false);
  const stages = make("div", { class: "shapes-stages" });
  const verdict = make("p", { class: "shapes-verdict", role: "status" });
  const line = make("p", { class: "shapes-words" });
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "fieldset",
      { class: "shapes-choices" },
      make("legend", { class: "qkv-spoken" }, "Which way"),
      ...choices,
    ),
    legend,
    stages,
    verdict,
    line,
  );

  function lay() {
    const way = ways[chosen];
    cells = [];
    picked = null;
    const parts = way.stages.flatMap((stage, i) => {
      const picture = layStage(stage, i);
      return i
        ? [make("div", { class: "shapes-arrow", "aria-hidden": "true" }, "→"), picture]
        : [picture];
    });
    stages.replaceChildren(...parts);
    say(verdict, `${way.right ? "✓" : "✗"} ${way.verdict}`);
    set(verdict, { "data-right": way.right });
    say(line, "Point at a number to follow it.");
    showGoal();
  }

  function showGoal() {
    if (!strip) return;
    const state = model.get("state");
    strip.show(state.goal);
    for (const cell of cells.filter(canBeMarked)) {
      const marked = state.marked.includes(Number(cell.dataset.place));
      set(cell, { role: "checkbox", "aria-checked": String(marked), "data-marked": marked });
    }
  }

  /** Only where the goal is: in the last stage of its way. @param {HTMLElement} cell */
  const canBeMarked = (cell) =>
    goal?.way === chosen && Number(cell.dataset.stage) === ways[chosen].stages.length - 1;

  /** @param {HTMLElement} cell */
  function mark(cell) {
    if (canBeMarked(cell)) gate.ask({ do: "mark", choice: Number(cell.dataset.place) });
  }

  /** @param {Stage} stage @param {number} which */
  function layStage({ code, axes, shape, places }, which) {
    const [blocks, rows, columns] = shape.length === 3 ? shape : [1, ...shape];
    const [blockAxis, rowAxis] = axes.length === 3 ? axes : ["", axes[0]];
    /** @param {string} axis @param {number} i */
    const title = (axis, i) => (axis === "word" ? words[i] : `${axis} ${i}`);
    const parts = Array.from({ length: blocks }, (_, block) => {
      const lines = Array.from({ length: rows }, (_row, row) => {
        const numbers = Array.from({ length: columns }, (_column, column) => {
          const at = (block * rows + row) * columns + column;
          return makeCell(places[at], which, at, shape);
        });
        return make(
          "div",
          { class: "shapes-row" },
          make("span", { class: "shapes-name" }, title(rowAxis, row)),
          ...numbers,
        );
      });
      const name = blockAxis
        ? [make("div", { class: "shapes-block-name" }, title(blockAxis, block))]
        : [];
      return make("div", { class: "shapes-block" }, ...name, ...lines);
    });
    const size = `[${shape.join(" × ")}]`;
    return make(
      "div",
      { class: "shapes-stage", role: "group", "aria-label": `${code}, ${shape.join(" by ")}` },
      make("div", { class: "shapes-code" }, make("code", {}, code)),
      make("div", { class: "shapes-size" }, `${size} ${axes.join(", ")}`),
      make("div", { class: "shapes-blocks", "data-count": blocks }, ...parts),
    );
  }

  /** @param {number} place @param {number} which @param {number} at @param {number[]} shape */
  function makeCell(place, which, at, shape) {
    const word = Math.floor(place / width);
    const cell = make(
      "span",
      {
        class: "shapes-cell",
        "data-word": word,
        "data-place": place,
        "data-stage": which,
        "data-at": at,
        tabindex: which === 0 && at === 0 ? 0 : -1,
        role: "img",
        "aria-label": `${nameOf(place)}, at [${indexOf(at, shape).join(", ")}]`,
      },
      make("b", {}, MARKS[word]),
      String(place % width),
    );
    cell.addEventListener("pointerenter", () => pick(place));
    cell.addEventListener("focus", () => pick(place));
    cell.addEventListener("click", () => mark(cell));
    cells.push(cell);
    return cell;
  }

  /** @param {number} place */
  const nameOf = (place) => `${quoted(words[Math.floor(place / width)])}, feature ${place % width}`;

  /** @param {number | null} place */
  function pick(place) {
    if (place === picked) return;
    picked = place;
    for (const cell of cells) set(cell, { "data-picked": cell.dataset.place === String(place) });
    if (place === null) return say(line, "Point at a number to follow it.");
    const way = ways[chosen].stages.map(
      ({ code, places, shape }) => `${code} [${indexOf(places.indexOf(place), shape).join(", ")}]`,
    );
    const text = `${nameOf(place)}: ${way.join(" → ")}`;
    say(line, text);
    announce(text);
  }

  stages.addEventListener("pointerleave", () => pick(null));
  stages.addEventListener("keydown", (event) => {
    const cell = /** @type {HTMLElement} */ (event.target).closest(".shapes-cell");
    if (!(cell instanceof HTMLElement)) return;
    if ((event.key === "Enter" && !event.shiftKey && !event.ctrlKey) || event.key === " ") {
      event.preventDefault();
      return mark(cell);
    }
    const { shape } = ways[chosen].stages[Number(cell.dataset.stage)];
    const columns = shape[shape.length - 1];
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = cells[cells.indexOf(cell) + by];
    if (!next) return;
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });

  lay();
  return unmount;
}

/** The index of a place in a tensor of this shape. @param {number} at @param {number[]} shape */
function indexOf(at, shape) {
  const index = [];
  for (let axis = shape.length - 1, rest = at; axis >= 0; axis--) {
    index.unshift(rest % shape[axis]);
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}

export default { initialize, render };
