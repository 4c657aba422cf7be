import { make, makeButton, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { makeHand } from "../kit/hand.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { makeProgram } from "../kit/program.js";
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
  const { gate, root, ended, unmount } = mount(
    given,
    "next",
    "The next token",
    shown,
    owning(program),
  );
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
  const { steps, goal, coldest, hottest, least_p } = setup;
  const all = steps[0].tokens.length;
  const [coldestLog, hottestLog] = [coldest, hottest].map(Math.log10);
  return {
    strip: goal && goalStrip(goal, false),
    panels: steps.map((step) => makePanel(step, setup.shown)),
    sliders: [
      makeSlider("temperature", "heat", { min: coldestLog, max: hottestLog, step: "any" }, hand, {
        shown: (heat) => Math.log10(heat),
        wished: (log) => Math.min(Math.max(Number((10 ** log).toPrecision(2)), coldest), hottest),
        inWords: (heat) => String(heat),
        change,
      }),
      makeSlider("top-k", "k", { min: 1, max: all, step: 1 }, hand, {
        shown: (k) => k,
        wished: (value) => value,
        inWords: (k) => (k === all ? "all" : String(k)),
        change,
      }),
      makeSlider("top-p", "p", { min: least_p, max: 1, step: 0.01 }, hand, {
        shown: (p) => p,
        wished: (value) => Number(value.toFixed(2)),
        inWords: (p) => (p === 1 ? "all" : fixed(p)),
        change,
      }),
    ],
    undo: makeButton("Undo", hand.undo),
    reset: makeButton("Reset", hand.reset),
  };
}

/**
 * @typedef {object} Scale  between a slider's values and what they stand for
 * @property {(value: number) => number} shown
 * @property {(value: number) => number} wished
 * @property {(value: number) => string} inWords
 * @property {(change: Record<string, number>) => void} change
 */

/**
 * @param {string} label @param {"heat" | "k" | "p"} name
 * @param {{ min: number, max: number, step: number | "any" }} range
 * @param {{ grasp: () => void }} hand @param {Scale} scale
 */
function makeSlider(label, name, range, { grasp }, { shown, wished, inWords, change }) {
  const slider = make("input", { type: "range", ...range, "aria-label": label });
  const value = make("output");
  slider.addEventListener("pointerdown", grasp);
  slider.addEventListener("keydown", (event) => {
    if (!event.repeat) grasp();
  });
  slider.addEventListener("input", () => change({ [name]: wished(Number(slider.value)) }));
  const element = make("label", { class: "next-slider" }, make("span", {}, label), slider, value);
  /** @param {State} state */
  const show = (state) => {
    if (wished(Number(slider.value)) !== state[name]) slider.value = String(shown(state[name]));
    set(slider, { "aria-valuetext": inWords(state[name]) });
    say(value, inWords(state[name]));
  };
  return { element, show };
}

/** Lay out the parts. @param {Parts} parts @param {HTMLElement} root */
function layOut({ strip, panels, sliders, undo, reset }, root) {
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make("div", { class: "next-panels" }, ...panels.map(({ element }) => element)),
    make(
      "div",
      { class: "next-tools" },
      ...sliders.map(({ element }) => element),
      make("span", { class: "next-buttons" }, undo, reset),
    ),
  );
}

/** @param {Parts} parts @param {State} state */
function show({ strip, panels, sliders, undo }, state) {
  for (const part of [...panels, ...sliders]) part.show(state);
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
