import { mountMoved } from "../kit/arrow_widget.js";
import { make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/late_models.js";
import { makeSlider, makeTemperature } from "../kit/slider.js";
import { fixed, quoted } from "../kit/words.js";
import { left, rules } from "./compute.js";

/** @import { Change } from "../kit/program.js" */
/** @import { RenderProps } from "@anywidget/types" */
/** @import { Place, Setup, State, Step } from "./compute.js" */

/** @typedef {ReturnType<typeof makeParts>} Parts */

const BOUNDS = { coldest: 0.1, hottest: 5 }; // of the temperature
const LEAST_P = 0.05;

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const widget = mountMoved(
    given,
    "next",
    "The next token",
    rules,
    (state) => show(parts, state),
    (state, { steps }) => steps.map((step) => spoken(step, state)).join(" "),
  );
  const { root, strip, buttons } = widget;
  const parts = makeParts(widget);
  root.prepend(
    ...strip,
    make("div", { class: "next-panels" }, ...parts.panels.map(({ element }) => element)),
    make("div", { class: "qkv-tools" }, parts.heat.element, parts.k.element, parts.p.element, buttons),
  );
  widget.shown();
  return widget.unmount;
}

/** @param {{ setup: Setup, grasp: () => void, edit: (change: Change) => void }} widget */
function makeParts({ setup, grasp, edit }) {
  const all = setup.steps[0].tokens.length;
  return {
    panels: setup.steps.map((step) => makePanel(step, setup.shown)),
    heat: makeTemperature(BOUNDS, grasp, (heat) => edit({ heat })),
    k: makeSlider(
      { min: 1, max: all, step: 1 },
      "top-k",
      (k) => (k === all ? "all" : String(k)),
      grasp,
      (k) => edit({ k }),
    ),
    p: makeSlider(
      { min: LEAST_P, max: 1, step: 0.01 },
      "top-p",
      (p) => (p === 1 ? "all" : fixed(p)),
      grasp,
      (p) => edit({ p }),
    ),
  };
}

/** @param {Parts} parts @param {State} state */
function show({ panels, heat, k, p }, state) {
  for (const panel of panels) panel.show(state);
  heat.show(state.heat);
  k.show(state.k);
  p.show(state.p);
}

/**
 * Make a bar for each of a step's likeliest tokens; all others share one line.
 * @param {Step} step
 * @param {number} shown
 */
function makePanel({ name, tokens, scores }, shown) {
  const count = make("span", { class: "next-count" });
  const rows = tokens.slice(0, shown).map((token) => makeRow(token));
  const others = tokens.length - shown;
  const rest = make("td", { class: "next-share" });
  const last = make(
    "tr",
    { class: "next-others" },
    make("th", { scope: "row", colspan: 2 }, `${others} others`),
    rest,
  );
  const table = make(
    "table",
    { class: "next-table" },
    make("caption", {}, make("b", {}, name), " ", count),
    make("tbody", {}, ...rows.map(({ row }) => row), ...(others ? [last] : [])),
  );
  /** @param {State} state */
  const show = (state) => {
    const found = left(scores, state);
    say(count, `${found.count} of ${tokens.length} left`);
    rows.forEach((row, i) => {
      row.show(found.all[i], found.left[i]);
    });
    const more = found.left.slice(shown);
    say(rest, more.some(Boolean) ? fixed(more.reduce((sum, share) => sum + share, 0)) : "out");
    set(last, { "data-out": !more.some(Boolean) });
  };
  return { element: table, show };
}

/** @param {string} token */
function makeRow(token) {
  const bar = make("i");
  const before = make("i", { class: "next-before" });
  const share = make("td", { class: "next-share" });
  const row = make(
    "tr",
    {},
    make("th", { scope: "row" }, token),
    make("td", { class: "qkv-bar next-bar", "aria-hidden": "true" }, make("b", {}, before, bar)),
    share,
  );
  /** @param {number} was @param {number} is */
  const show = (was, is) => {
    before.style.width = `${100 * was}%`;
    bar.style.width = `${100 * is}%`;
    say(share, is ? fixed(is) : "out");
    set(row, { "data-out": !is });
  };
  return { row, show };
}

/** Describe one step, for when the hand rests. @param {Step} step @param {Place} place */
function spoken({ name, tokens, scores }, place) {
  const found = left(scores, place);
  const first = tokens
    .slice(0, Math.min(3, found.count))
    .map((token, i) => `${token} ${fixed(found.left[i])}`);
  return `${quoted(name)}: ${found.count} left, ${first.join(", ")}.`;
}

export default { initialize, render };
