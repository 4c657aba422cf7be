import { make, makeButton, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { makeHand } from "../kit/hand.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { makeProgram } from "../kit/program.js";
import { makeSlider, makeTemperature } from "../kit/slider.js";
import { fixed, quoted } from "../kit/words.js";
import { left, rules } from "./compute.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Place, Setup, State, Step } from "./compute.js" */

/** @typedef {ReturnType<typeof makeParts>} Parts */

/** @param {Setup} setup @param {State} opening */
const program = (setup, opening) => makeProgram(rules(setup), setup.start, opening);

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  let moved = false;
  const shown = () => {
    const state = model.get("state");
    show(parts, state);
    if (moved) announce(setup.steps.map((step) => spoken(step, state)).join(" "));
  };
  const { gate, root, ended, unmount } = mount(given, "next", "The next token", shown, owning(program));
  const hand = makeHand(gate);
  const announce = announcer(root, ended);
  const parts = makeParts(setup, hand, (change) => {
    moved = true;
    hand.edit(change);
  });
  layOut(parts, root);
  shown();
  return unmount;
}

/**
 * @param {Setup} setup @param {ReturnType<typeof makeHand>} hand
 * @param {(change: Record<string, number>) => void} change
 */
function makeParts(setup, hand, change) {
  const { steps, goal, least_p } = setup;
  const all = steps[0].tokens.length;
  return {
    strip: goal && goalStrip(goal, false),
    panels: steps.map((step) => makePanel(step, setup.shown)),
    heat: makeTemperature(setup, hand.grasp, (heat) => change({ heat })),
    k: makeSlider(
      { min: 1, max: all, step: 1 },
      "top-k",
      (k) => (k === all ? "all" : String(k)),
      hand.grasp,
      (k) => change({ k }),
    ),
    p: makeSlider(
      { min: least_p, max: 1, step: 0.01 },
      "top-p",
      (p) => (p === 1 ? "all" : fixed(p)),
      hand.grasp,
      (p) => change({ p }),
    ),
    undo: makeButton("Undo", hand.undo),
    reset: makeButton("Reset", hand.reset),
  };
}

/** Lay out the parts. @param {Parts} parts @param {HTMLElement} root */
function layOut({ strip, panels, heat, k, p, undo, reset }, root) {
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make("div", { class: "next-panels" }, ...panels.map(({ element }) => element)),
    make(
      "div",
      { class: "qkv-tools" },
      ...[heat, k, p].map(({ element }) => element),
      make("span", { class: "qkv-buttons" }, undo, reset),
    ),
  );
}

/** @param {Parts} parts @param {State} state */
function show({ strip, panels, heat, k, p, undo }, state) {
  for (const panel of panels) panel.show(state);
  heat.show(state.heat);
  k.show(state.k);
  p.show(state.p);
  undo.disabled = !state.undo;
  if (strip && state.goal) strip.show(state.goal);
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
    make("td", { class: "next-bar", "aria-hidden": "true" }, make("b", {}, before, bar)),
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
