import { makeChoice } from "../kit/choice.js";
import { inFocus, make, set, tell } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { makeHand } from "../kit/hand.js";
import { makeLocal } from "../kit/local.js";
import { announcer, mount } from "../kit/page.js";
import { around, under } from "../kit/plane.js";
import { allowed } from "../kit/pursuit.js";
import { listenToTips } from "../kit/tips.js";
import { bounded, twin } from "./compute.js";
import { makeKeys } from "./keys.js";
import { makeValues } from "./values.js";
import { equation, makeSentence, makeWeights, spoken } from "./words.js";

/** @import { LookupSetup, LookupState } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

const HELP =
  "Drag a tip, or press Tab to reach it: arrows move it, [ and ] turn it, Shift ten times.";

/** @param {RenderProps<{ setup: LookupSetup, state: LookupState, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { names, goal, touch, coldest, hottest } = setup;
  const computes = twin(setup);
  const local = makeLocal(computes, setup.start, model.get("state"));
  const { gate, root, ended, unmount } = mount(given, "soft", "A soft lookup", show, { local });
  const hand = makeHand(model, gate, computes, () => tips.held !== null, show);
  const announce = announcer(root, ended);

  const strip = goal && goalStrip(goal, false);
  const keys = makeKeys(setup, ended, show);
  const values = makeValues(setup, ended, show);
  const weights = makeWeights(setup);
  const sentence = makeSentence(setup);
  const sum = make("p", { class: "soft-sum" });
  const kind = makeChoice("Kind of lookup", ["soft", "hard"], (i) => edit({ hard: i === 1 }, true));
  const temperature = makeTemperature();
  const undo = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Undo"));
  const reset = make("button", { type: "button" }, "Reset");
  /** @param {string} name @param {Node} control */
  const where = (name, control) => (touch.includes(name) ? [control] : []);
  root.prepend(
    ...(strip ? [strip.strip] : []),
    ...(setup.invitation ? [make("p", { class: "soft-invitation" }, setup.invitation)] : []),
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
      { class: "soft-tools" },
      ...where("hard", kind.element),
      ...where("temperature", temperature.element),
      make("span", { class: "soft-buttons" }, undo, reset),
    ),
    ...(["query", "keys"].some((name) => touch.includes(name))
      ? [make("p", { class: "soft-help" }, HELP)]
      : []),
  );

  let moved = false;

  const present = () => /** @type {LookupState} */ (hand.present());

  /** @param {LookupState} state */
  function pinned(state) {
    const rules = allowed(goal, state.goal);
    return (/** @type {string} */ name) => !touch.includes(name) || rules.pinned(name);
  }

  function show() {
    const state = present();
    const still = pinned(state);
    keys.show(
      state,
      keys.tips.map((_, tip) => still(tip ? "keys" : "query")),
    );
    weights.show(state);
    values.show(state);
    sentence.show(state);
    tell(sum, equation(state, names));
    kind.show(state.hard ? 1 : 0, still("hard"));
    temperature.show(state, still("temperature"));
    undo.disabled = !state.undo;
    if (strip && state.goal) strip.show(state.goal);
    if (moved) announce(spoken(state, names));
  }

  /** @param {Record<string, any>} change @param {boolean} fresh  whether a new gesture begins */
  function edit(change, fresh) {
    if (fresh) hand.grasp();
    moved = true;
    hand.edit(change);
  }

  /** A slider, and a field to type into: equal steps of the slider are equal factors. */
  function makeTemperature() {
    const slider = /** @type {HTMLInputElement} */ (
      make("input", {
        type: "range",
        min: Math.log10(coldest),
        max: Math.log10(hottest),
        step: "any",
        "aria-label": "temperature",
      })
    );
    const field = /** @type {HTMLInputElement} */ (
      make("input", { type: "text", inputmode: "decimal", "aria-label": "temperature, typed" })
    );
    /** @param {number} wish @param {boolean} fresh */
    const wish = (wish, fresh) => {
      if (!Number.isNaN(wish)) edit({ temperature: bounded(wish, coldest, hottest) }, fresh);
      else show();
    };
    slider.addEventListener("pointerdown", () => hand.grasp());
    slider.addEventListener("input", () => wish(10 ** Number(slider.value), false));
    slider.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (slider.disabled) return;
      wish(present().temperature * 10 ** ((event.shiftKey ? 0.5 : 0.05) * by), !event.repeat);
    });
    field.addEventListener("change", () =>
      wish(Number.parseFloat(field.value.replace(",", ".")), true),
    );
    field.addEventListener("blur", show);
    const element = make("label", { class: "soft-temperature" }, "temperature ", slider, field);
    /** @param {LookupState} state @param {boolean} still */
    const showTemperature = ({ temperature, hard }, still) => {
      const text = String(Number(temperature.toPrecision(3)));
      slider.value = String(Math.log10(temperature));
      set(slider, { "aria-valuetext": text });
      if (inFocus(field) !== field || field.value === "") field.value = text;
      slider.disabled = field.disabled = still || hard;
    };
    return { element, show: showTemperature };
  }

  const tips = listenToTips(keys.tips, {
    pointOf(tip) {
      const state = present();
      return tip ? state.keys[tip - 1] : state.query;
    },
    pinned: (tip) => pinned(present())(tip ? "keys" : "query"),
    turning: () => allowed(goal, present().goal).lengths,
    limit: () => present().limit,
    under: (event) => under(event, keys.svg, around(present().limit, 1)),
    grasp: hand.grasp,
    move: (tip, point) => edit({ [tip ? String(tip - 1) : "query"]: point }, false),
    pick: show,
    rest: show,
  });
  undo.addEventListener("click", hand.undo);
  reset.addEventListener("click", () => {
    values.forget();
    hand.reset();
  });

  show();
  return unmount;
}

/** What the two numbers of a value mean, if they mean anything. @param {[string, string] | null} axes */
const titleOfValues = (axes) =>
  axes ? `the values: → ${axes[0]}, ↑ ${axes[1]}` : "the values, and their blend";

export default { initialize, render };
