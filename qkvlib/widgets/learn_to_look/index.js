import { make, makeButton, say, set, tell } from "../kit/dom.js";
import { keep } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { announcer, mount } from "../kit/page.js";
import { listenToTips } from "../kit/tips.js";
import { moved, NAMES } from "./compute.js";
import { makeKnobs, makeLabelledCurve, scaleOf } from "./knobs.js";
import { makePlane, pointsOf } from "./plane.js";
import { makeTraining } from "./training.js";
import { isStuck, makeStory, makeWishes, told } from "./words.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Place, Setup } from "./compute.js" */

/** @typedef {ReturnType<typeof makeLook>} Look */

const HELP =
  "Drag a knob or the tip of an arrow. By keyboard: press Tab to reach it, then the arrow keys; Shift moves it ten times as far.";

/** @param {RenderProps<{ setup: Setup, state: {}, shown: { place?: Place } }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const shown = () => show(look);
  const label = "It learns where to look";
  const { root, ended, unmount } = mount(given, "look", label, () => {});
  const start = model.get("shown")?.place ?? { weights: setup.start, wish: null, locked: false };
  const training = makeTraining(setup, start, ended, {
    changed: shown,
    rested: (place) => keep(model, { place }),
    pulse: () => pulse(root),
  });
  const look = makeLook(setup, training, root, ended, shown);
  layOut(look, root);
  listenToTips(look.plane.tips, gripsOf(look));
  show(look);
  return unmount;
}

/**
 * @param {Setup} setup @param {ReturnType<typeof makeTraining>} training @param {HTMLElement} root
 * @param {AbortSignal} ended @param {() => void} shown
 */
function makeLook(setup, training, root, ended, shown) {
  /** @type {import("./knobs.js").Hand} */
  const hand = {
    grasp: (name, row) => training.grasp(`${name} ${row}`),
    move: (name, row, column, value) => training.move(moved(training.now.place, name, row, column, value)),
    rest: training.rest,
  };
  const lock = make("input", { type: "checkbox" });
  lock.addEventListener("change", () => training.lock(lock.checked));
  const matrices = NAMES.map((name) => makeKnobs(name, setup, ended, shown, hand));
  return {
    ...{ setup, training, root, lock, matrices },
    announce: announcer(root, ended),
    sentence: makeStory(setup),
    wishes: makeWishes(setup, training.choose),
    plane: makePlane(setup, ended, shown),
    loss: makeLabelledCurve("look-loss", "loss ", "loss", ended, shown),
    says: make("p", { class: "qkv-said look-told" }),
    learn: makeButton("Learn", training.learn, { class: "qkv-main look-learn" }),
    step: makeButton("Step", training.one),
    reset: makeButton("Reset", training.reset),
  };
}

/** Lay out the parts. @param {Look} look @param {HTMLElement} root */
function layOut({ setup, sentence, wishes, plane, loss, matrices, lock, ...look }, root) {
  const [queries, keys, values] = matrices;
  say(queries.note, `Only ${`“${setup.asker}”`} asks here: the other rows have no gradient.`);
  values.head.append(make("label", { class: "look-lock" }, lock, "lock"));
  root.prepend(
    sentence.line,
    make(
      "div",
      { class: "qkv-tools" },
      wishes.element,
      make("span", { class: "qkv-buttons" }, look.learn, look.step, look.reset),
    ),
    look.says,
    make(
      "div",
      { class: "look-body" },
      plane.svg,
      loss.element,
      queries.element,
      make("div", { class: "look-lower" }, keys.element, values.element),
    ),
    make("p", { class: "qkv-help" }, HELP),
  );
}

/** @param {Look} look */
function show(look) {
  const { setup, training, matrices } = look;
  const { place, found, history, steps, running, moved, largest } = training.now;
  look.sentence.show(found, place);
  look.wishes.show(found, place);
  look.plane.show(place, found);
  const losses = history.entries.map(({ loss }) => loss);
  look.loss.show(losses, Math.max(1, ...losses), history.hands);
  const most = Math.max(1, ...history.entries.flatMap(({ lengths }) => Object.values(lengths)));
  NAMES.forEach((name, i) => {
    matrices[i].show({
      rows: place.weights[name],
      gradient: found.gradients?.[name] ?? null,
      before: moved?.before.gradients?.[name] ?? null,
      scale: scaleOf(largest),
      locked: name === "w_v" && place.locked,
      lengths: history.entries.map(({ lengths }) => lengths[name]),
      most,
      hands: history.hands,
    });
  });
  look.lock.checked = place.locked;
  say(look.learn, running ? "Stop" : "Learn");
  look.learn.disabled = !running && !training.can();
  look.step.disabled = place.wish === null || running;
  set(look.root, { "data-running": running, "data-stuck": isStuck(place, found) });
  const words = told({ setup, place, found, steps, running, moved });
  tell(look.says, words);
  if (training.now.touched) look.announce(look.says.textContent ?? "");
}

/** Flash once from the ending back to the matrices. @param {HTMLElement} root */
const pulse = (root) => set(root, { "data-pulse": root.dataset.pulse === "tick" ? "tock" : "tick" });

/**
 * Return what the learner can do with the tips.
 * @param {Look} look @returns {Parameters<typeof listenToTips>[1]}
 */
function gripsOf({ setup, training, plane }) {
  return {
    pointOf: (tip) => pointsOf(training.now.place)[tip],
    pinned: () => false,
    turning: () => false,
    limit: () => setup.bounds.w_q,
    svg: plane.svg,
    grasp: () => training.grasp("tip"),
    move(tip, [x, y]) {
      const name = tip ? "w_k" : "w_q"; // the query comes first
      const row = tip ? tip - 1 : setup.words.length;
      training.move(moved(moved(training.now.place, name, row, 0, x), name, row, 1, y));
    },
    pick: () => {},
    rest: training.rest,
  };
}

export default { initialize, render };
