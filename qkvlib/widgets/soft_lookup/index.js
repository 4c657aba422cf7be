import { gripsOf, mountMoved } from "../kit/arrow_widget.js";
import { makeChoice } from "../kit/choice.js";
import { make, tell } from "../kit/dom.js";
import { initialize } from "../kit/late_models.js";
import { allowed } from "../kit/pursuit.js";
import { makeTemperature } from "../kit/slider.js";
import { listenToTips } from "../kit/tips.js";
import { rules } from "./compute.js";
import { makeKeys } from "./keys.js";
import { makeValues } from "./values.js";
import { equation, makeStory, makeWeights, spoken } from "./words.js";

/** @import { Change } from "../kit/program.js" */
/** @import { LookupSetup, LookupState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/** @typedef {ReturnType<typeof makeLookup>} Lookup */

const HELP =
  "Drag a tip, or press Tab to reach it: arrows move it, [ and ] turn it, Shift: ten times as far.";

const BOUNDS = { coldest: 0.05, hottest: 20 }; // of the temperature

/** @param {RenderProps<{ setup: LookupSetup, state: LookupState, shown: {} }>} given */
function render(given) {
  const widget = mountMoved(given, "soft", "A soft lookup", rules, (state) => show(lookup, state), spoken);
  const { setup, present, edit, shown, unmount } = widget;
  const lookup = makeLookup(widget);
  layOut(lookup, widget);
  listenToTips(lookup.keys.tips, {
    ...gripsOf(widget, lookup.keys.svg, (tip) => pinned(setup, present())(tip ? "keys" : "query")),
    pointOf: (tip) => (tip ? present().keys[tip - 1] : present().query),
    move: (tip, point) => edit({ [tip ? String(tip - 1) : "query"]: point }),
  });
  shown();
  return unmount;
}

/**
 * @param {object} widget
 * @param {LookupSetup} widget.setup @param {AbortSignal} widget.ended @param {() => void} widget.shown
 * @param {() => void} widget.grasp @param {(change: Change) => void} widget.edit
 */
function makeLookup({ setup, ended, shown, grasp, edit }) {
  return {
    setup,
    keys: makeKeys(setup, ended, shown),
    values: makeValues(setup, ended, shown),
    weights: makeWeights(setup),
    sentence: makeStory(setup),
    sum: make("p", { class: "qkv-said soft-sum" }),
    kind: makeChoice("Kind of lookup", ["soft", "hard"], (i) => {
      grasp();
      edit({ hard: i === 1 });
    }),
    temperature: makeTemperature(BOUNDS, grasp, (temperature) => edit({ temperature })),
  };
}

/**
 * Lay out the parts. @param {Lookup} lookup
 * @param {{ root: HTMLElement, strip: HTMLElement[], buttons: HTMLElement }} widget
 */
function layOut({ setup, sentence, keys, weights, values, sum, kind, temperature }, widget) {
  const { touch, invitation, axes } = setup;
  /** @param {string} name @param {Node} control */
  const where = (name, control) => (touch.includes(name) ? [control] : []);
  const title = axes ? `the values: → ${axes[0]}, ↑ ${axes[1]}` : "the values, and their blend";
  widget.root.prepend(
    ...widget.strip,
    ...(invitation ? [make("p", { class: "soft-invitation" }, invitation)] : []),
    ...(setup.sentence ? [sentence.line] : []),
    make(
      "div",
      { class: "soft-body" },
      make("p", { class: "soft-title soft-title-keys" }, "the query and the keys"),
      keys.svg,
      weights.table,
      make("p", { class: "soft-title soft-title-values" }, title),
      values.svg,
    ),
    sum,
    make(
      "div",
      { class: "qkv-tools" },
      ...where("hard", kind.element),
      ...where("temperature", temperature.element),
      widget.buttons,
    ),
    ...(["query", "keys"].some((name) => touch.includes(name))
      ? [make("p", { class: "qkv-help" }, HELP)]
      : []),
  );
}

/** Return what cannot be moved. @param {LookupSetup} setup @param {LookupState} state */
function pinned({ goal, touch }, state) {
  const rules = allowed(goal, state.goal);
  return (/** @type {string} */ name) => !touch.includes(name) || rules.pinned(name);
}

/** @param {Lookup} lookup @param {LookupState} state */
function show({ setup, keys, weights, values, sentence, sum, kind, temperature }, state) {
  const still = pinned(setup, state);
  keys.show(
    state,
    keys.tips.map((_, tip) => still(tip ? "keys" : "query")),
  );
  weights.show(state);
  values.show(state);
  sentence.show(state);
  tell(sum, equation(state, setup.names));
  kind.show(state.hard ? 1 : 0, still("hard"));
  temperature.show(state.temperature, still("temperature") || state.hard);
}

export default { initialize, render };
