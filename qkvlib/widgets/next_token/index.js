import { make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { makeHand } from "../kit/hand.js";
import { makeLocal } from "../kit/local.js";
import { announcer, mount } from "../kit/page.js";
import { fixed, quoted } from "../kit/words.js";
import { left, twin } from "./compute.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Place, Setup, State, Step } from "./compute.js" */

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { steps, goal, coldest, hottest, least_p } = setup;
  const computes = twin(setup);
  const local = makeLocal(computes, setup.start, model.get("state"));
  const { gate, root, ended, unmount } = mount(given, "next", "The next token", show, { local });
  const hand = makeHand(model, gate, computes, () => false, show);
  const announce = announcer(root, ended);
  const strip = goal && goalStrip(goal, false);
  const panels = steps.map((step) => makePanel(step, setup.shown));
  const sliders = [
    makeSlider("temperature", "heat", Math.log10(coldest), Math.log10(hottest), "any", {
      shown: (heat) => Math.log10(heat),
      wished: (value) => Math.min(Math.max(Number((10 ** value).toPrecision(2)), coldest), hottest),
      said: (heat) => String(heat),
    }),
    makeSlider("top-k", "k", 1, steps[0].tokens.length, 1, {
      shown: (k) => k,
      wished: (value) => value,
      said: (k) => (k === steps[0].tokens.length ? "all" : String(k)),
    }),
    makeSlider("top-p", "p", least_p, 1, 0.01, {
      shown: (p) => p,
      wished: (value) => Number(value.toFixed(2)),
      said: (p) => (p === 1 ? "all" : fixed(p)),
    }),
  ];
  const undo = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Undo"));
  const reset = make("button", { type: "button" }, "Reset");
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
  let moved = false;

  function show() {
    const state = /** @type {State} */ (hand.present());
    for (const panel of panels) panel.show(state);
    for (const slider of sliders) slider.show(state);
    undo.disabled = !state.undo;
    if (strip && state.goal) strip.show(state.goal);
    if (moved) announce(steps.map((step) => spoken(step, state)).join(" "));
  }

  /**
   * @param {string} label @param {"heat" | "k" | "p"} name
   * @param {number} min @param {number} max @param {number | "any"} step
   * @param {{ shown: (value: number) => number, wished: (value: number) => number, said: (value: number) => string }} scale
   */
  function makeSlider(label, name, min, max, step, { shown, wished, said }) {
    const slider = /** @type {HTMLInputElement} */ (
      make("input", { type: "range", min, max, step, "aria-label": label })
    );
    const value = make("output");
    slider.addEventListener("pointerdown", () => hand.grasp());
    slider.addEventListener("keydown", (event) => {
      if (!event.repeat) hand.grasp();
    });
    slider.addEventListener("input", () => {
      moved = true;
      hand.edit({ [name]: wished(Number(slider.value)) });
    });
    const element = make("label", { class: "next-slider" }, make("span", {}, label), slider, value);
    /** @param {State} state */
    const showSlider = (state) => {
      if (wished(Number(slider.value)) !== state[name]) slider.value = String(shown(state[name]));
      set(slider, { "aria-valuetext": said(state[name]) });
      say(value, said(state[name]));
    };
    return { element, show: showSlider };
  }

  undo.addEventListener("click", hand.undo);
  reset.addEventListener("click", hand.reset);

  show();
  return unmount;
}

/** The likeliest tokens of a step, a bar each; and all others in one line. @param {Step} step @param {number} shown */
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

/** One step for when the hand rests. @param {Step} step @param {Place} place */
function spoken({ name, tokens, scores }, place) {
  const found = left(scores, place);
  const first = tokens
    .slice(0, Math.min(3, found.count))
    .map((token, i) => `${token} ${fixed(found.left[i])}`);
  return `${quoted(name)}: ${found.count} left, ${first.join(", ")}.`;
}

export default { initialize, render };
