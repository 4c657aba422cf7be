import { makeChoice } from "../kit/choice.js";
import { make, makeButton, tell } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { makeHand } from "../kit/hand.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { makeProgram } from "../kit/program.js";
import { allowed } from "../kit/pursuit.js";
import { makeTemperature } from "../kit/slider.js";
import { listenToTips } from "../kit/tips.js";
import { rules } from "./compute.js";
import { makeKeys } from "./keys.js";
import { makeValues } from "./values.js";
import { equation, makeStory, makeWeights, spoken } from "./words.js";

/** @import { LookupSetup, LookupState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {RenderProps<{ setup: LookupSetup, state: LookupState, shown: {} }>} Given
 *
 * @typedef {ReturnType<typeof makeLookup>} Lookup
 */

const HELP =
  "Drag a tip, or press Tab to reach it: arrows move it, [ and ] turn it, Shift: ten times as far.";

/** @param {LookupSetup} setup @param {LookupState} opening */
const program = (setup, opening) => makeProgram(rules(setup), setup.start, opening);

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const shown = () => show(lookup);
  const { gate, root, ended, unmount } = mount(given, "soft", "A soft lookup", shown, owning(program));
  const hand = makeHand(gate);
  const lookup = makeLookup(model, hand, announcer(root, ended), ended, shown);
  layOut(lookup, root);
  listenToTips(lookup.keys.tips, gripsOf(lookup, shown));
  show(lookup);
  return unmount;
}

/**
 * @param {Given["model"]} model @param {ReturnType<typeof makeHand>} hand
 * @param {(text: string) => void} announce @param {AbortSignal} ended @param {() => void} shown
 */
function makeLookup(model, hand, announce, ended, shown) {
  const setup = model.get("setup");
  const { goal } = setup;
  const lookup = {
    ...{ setup, hand, announce },
    present: () => model.get("state"),
    /** Whether the learner has moved anything yet. */
    moved: false,
    strip: goal && goalStrip(goal, false),
    keys: makeKeys(setup, ended, shown),
    values: makeValues(setup, ended, shown),
    weights: makeWeights(setup),
    sentence: makeStory(setup),
    sum: make("p", { class: "qkv-said soft-sum" }),
    kind: makeChoice("Kind of lookup", ["soft", "hard"], (i) => {
      hand.grasp();
      edit(lookup, { hard: i === 1 });
    }),
    temperature: makeTemperature(setup, hand.grasp, (temperature) => edit(lookup, { temperature })),
    undo: makeButton("Undo", hand.undo),
    reset: makeButton("Reset", hand.reset),
  };
  return lookup;
}

/** Lay out the parts. @param {Lookup} lookup @param {HTMLElement} root */
function layOut(lookup, root) {
  const { setup, strip, sentence, keys, weights, values, sum, kind, temperature } = lookup;
  const { touch, invitation } = setup;
  /** @param {string} name @param {Node} control */
  const where = (name, control) => (touch.includes(name) ? [control] : []);
  root.prepend(
    ...(strip ? [strip.strip] : []),
    ...(invitation ? [make("p", { class: "soft-invitation" }, invitation)] : []),
    ...(setup.sentence ? [sentence.line] : []),
    make(
      "div",
      { class: "soft-body" },
      make("p", { class: "soft-title soft-title-keys" }, "the query and the keys"),
      keys.svg,
      weights.table,
      make("p", { class: "soft-title soft-title-values" }, titleOfValues(setup.axes)),
      values.svg,
    ),
    sum,
    make(
      "div",
      { class: "qkv-tools" },
      ...where("hard", kind.element),
      ...where("temperature", temperature.element),
      make("span", { class: "qkv-buttons" }, lookup.undo, lookup.reset),
    ),
    ...(["query", "keys"].some((name) => touch.includes(name))
      ? [make("p", { class: "qkv-help" }, HELP)]
      : []),
  );
}

/**
 * Return what the two numbers of a value mean, if they mean anything.
 * @param {[string, string] | null} axes
 */
const titleOfValues = (axes) =>
  axes ? `the values: → ${axes[0]}, ↑ ${axes[1]}` : "the values, and their blend";

/** Return what cannot be moved. @param {LookupSetup} setup @param {LookupState} state */
function pinned({ goal, touch }, state) {
  const rules = allowed(goal, state.goal);
  return (/** @type {string} */ name) => !touch.includes(name) || rules.pinned(name);
}

/** @param {Lookup} lookup */
function show(lookup) {
  const { setup, keys, strip } = lookup;
  const state = lookup.present();
  const still = pinned(setup, state);
  keys.show(
    state,
    keys.tips.map((_, tip) => still(tip ? "keys" : "query")),
  );
  lookup.weights.show(state);
  lookup.values.show(state);
  lookup.sentence.show(state);
  tell(lookup.sum, equation(state, setup.names));
  lookup.kind.show(state.hard ? 1 : 0, still("hard"));
  lookup.temperature.show(state.temperature, still("temperature") || state.hard);
  lookup.undo.disabled = !state.undo;
  if (strip && state.goal) strip.show(state.goal);
  if (lookup.moved) lookup.announce(spoken(state, setup.names));
}

/** @param {Lookup} lookup @param {Record<string, any>} change */
function edit(lookup, change) {
  lookup.moved = true;
  lookup.hand.edit(change);
}

/**
 * Return what the learner can do with the tips.
 * @param {Lookup} lookup @param {() => void} shown
 * @returns {Parameters<typeof listenToTips>[1]}
 */
function gripsOf(lookup, shown) {
  const { setup, keys, hand, present } = lookup;
  return {
    pointOf(tip) {
      const state = present();
      return tip ? state.keys[tip - 1] : state.query;
    },
    pinned: (tip) => pinned(setup, present())(tip ? "keys" : "query"),
    turning: () => allowed(setup.goal, present().goal).lengths,
    limit: () => present().limit,
    svg: keys.svg,
    grasp: hand.grasp,
    move: (tip, point) => edit(lookup, { [tip ? String(tip - 1) : "query"]: point }),
    pick: shown,
    rest: shown,
  };
}

export default { initialize, render };
