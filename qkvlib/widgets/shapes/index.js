import { make, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { keep } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { makeProgram } from "./program.js";
import { indexOf, layStage, MARKS, nameOf } from "./stages.js";

/** @import { Gate } from "../kit/owner.js" */
/** @import { Setup, State } from "./stages.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {RenderProps<{ setup: Setup, state: State, shown: { chosen?: number } }>} Given
 *
 * @typedef {ReturnType<typeof makeShapes>} Shapes
 */

const AT_REST = "Point at a number to follow it.";

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const label = "Where each number of X goes";
  const shown = () => showGoal(shapes);
  const { root, gate, ended, unmount } = mount(given, "shapes", label, shown, owning(makeProgram));
  const shapes = makeShapes(model, gate, announcer(root, ended));
  layOut(shapes, root);
  listen(shapes);
  showWay(shapes);
  return unmount;
}

/** @param {Given["model"]} model @param {Gate} gate @param {(text: string) => void} announce */
function makeShapes(model, gate, announce) {
  const setup = model.get("setup");
  const { ways, goal } = setup;
  const chosen = model.get("shown").chosen ?? 0;
  const group = `qkv-${Math.random().toString(36).slice(2)}`;
  return {
    ...{ model, setup, gate, announce, chosen },
    choices: ways.map((_, i) => make("input", { type: "radio", name: group, checked: i === chosen })),
    strip: goal && goalStrip(goal, false),
    stages: make("div", { class: "shapes-stages" }),
    verdict: make("p", { class: "shapes-verdict", role: "status" }),
    line: make("p", { class: "shapes-words" }),
    /** The number to follow. @type {number | null} */
    picked: null,
    /** @type {HTMLElement[]} */
    cells: [],
  };
}

/** Lay out the parts. @param {Shapes} shapes @param {HTMLElement} root */
function layOut({ setup, choices, strip, stages, verdict, line }, root) {
  const { words, ways } = setup;
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "fieldset",
      { class: "shapes-choices" },
      make("legend", { class: "qkv-spoken" }, "Which way"),
      ...choices.map((input, i) => make("label", { class: "shapes-choice" }, input, ways[i].name)),
    ),
    make(
      "div",
      { class: "shapes-legend" },
      ...words.map((word, i) => make("span", { "data-word": i }, make("b", {}, MARKS[i]), ` ${word}`)),
    ),
    stages,
    verdict,
    line,
  );
}

/** Show the stages of the chosen way. @param {Shapes} shapes */
function showWay(shapes) {
  const { setup, stages, verdict } = shapes;
  const way = setup.ways[shapes.chosen];
  shapes.cells = [];
  shapes.picked = null;
  const parts = way.stages.flatMap((stage, i) => {
    const picture = layStage(setup, stage, i, shapes.cells);
    const arrow = make("div", { class: "shapes-arrow", "aria-hidden": "true" }, "→");
    return i ? [arrow, picture] : [picture];
  });
  stages.replaceChildren(...parts);
  listenToCells(shapes);
  say(verdict, `${way.right ? "✓" : "✗"} ${way.verdict}`);
  set(verdict, { "data-right": way.right });
  say(shapes.line, AT_REST);
  showGoal(shapes);
}

/** @param {Shapes} shapes */
function showGoal(shapes) {
  if (!shapes.strip) return;
  const { marked, goal } = shapes.model.get("state");
  shapes.strip.show(goal);
  for (const cell of shapes.cells.filter((one) => canBeMarked(shapes, one))) {
    const isMarked = marked.includes(Number(cell.dataset.place));
    set(cell, { role: "checkbox", "aria-checked": String(isMarked), "data-marked": isMarked });
  }
}

/**
 * Tell whether a cell can be marked: only in the last stage of the goal's way.
 * @param {Shapes} shapes
 * @param {HTMLElement} cell
 */
const canBeMarked = ({ setup, chosen }, cell) =>
  setup.goal?.way === chosen && Number(cell.dataset.stage) === setup.ways[chosen].stages.length - 1;

/** @param {Shapes} shapes @param {HTMLElement} cell */
function mark(shapes, cell) {
  if (canBeMarked(shapes, cell)) shapes.gate.ask({ do: "mark", choice: Number(cell.dataset.place) });
}

/** Follow a number through the stages, or none. @param {Shapes} shapes @param {number | null} place */
function pick(shapes, place) {
  const { setup, chosen, line } = shapes;
  if (place === shapes.picked) return;
  shapes.picked = place;
  for (const cell of shapes.cells) set(cell, { "data-picked": cell.dataset.place === String(place) });
  if (place === null) return say(line, AT_REST);
  const way = setup.ways[chosen].stages.map(
    ({ code, places, shape }) => `${code} [${indexOf(places.indexOf(place), shape).join(", ")}]`,
  );
  const text = `${nameOf(setup, place)}: ${way.join(" → ")}`;
  say(line, text);
  shapes.announce(text);
}

/** @param {Shapes} shapes */
function listen(shapes) {
  const { choices, stages, model } = shapes;
  choices.forEach((input, i) => {
    input.addEventListener("change", () => {
      shapes.chosen = i;
      keep(model, { chosen: i });
      showWay(shapes);
    });
  });
  stages.addEventListener("pointerleave", () => pick(shapes, null));
  stages.addEventListener("keydown", (event) => pressKey(shapes, event));
}

/** @param {Shapes} shapes */
function listenToCells(shapes) {
  for (const cell of shapes.cells) {
    const place = Number(cell.dataset.place);
    cell.addEventListener("pointerenter", () => pick(shapes, place));
    cell.addEventListener("focus", () => pick(shapes, place));
    cell.addEventListener("click", () => mark(shapes, cell));
  }
}

/** @param {Shapes} shapes @param {KeyboardEvent} event */
function pressKey(shapes, event) {
  const { setup, chosen, cells } = shapes;
  const cell = /** @type {HTMLElement} */ (event.target).closest(".shapes-cell");
  if (!(cell instanceof HTMLElement)) return;
  if ((event.key === "Enter" && !event.shiftKey && !event.ctrlKey) || event.key === " ") {
    event.preventDefault();
    return mark(shapes, cell);
  }
  const { shape } = setup.ways[chosen].stages[Number(cell.dataset.stage)];
  const columns = shape[shape.length - 1];
  const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
  if (!by) return;
  event.preventDefault();
  const next = cells[cells.indexOf(cell) + by];
  if (!next) return;
  cell.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

export default { initialize, render };
