import { inFocus, make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { mount } from "../kit/page.js";
import { makeProgram } from "./program.js";

/** @import { RenderProps } from "@anywidget/types" */

/**
 * The words for each moment of a prediction or a question.
 * @typedef {{ head: string, wait: string, committed: string, right: string, wrong: string,
 *   mine: string, afresh: string, above: string }} Words
 */

/**
 * @typedef {object} PredictState
 * @property {string | null} choice
 * @property {string | null} sure  how sure the learner was, if that was said
 * @property {string | null} outcome  known here only after a choice is committed
 * @property {string} because
 * @property {string} sealed  the outcome and the words for it, once Python knows them
 */

/**
 * @typedef {{ question: string, choices: string[], words: Words, confidence: string[],
 *   given: string }} Setup
 *
 * @typedef {ReturnType<typeof makePrediction>} Prediction
 */

/**
 * How each view of a prediction is drawn, the oldest first: it asks, and the others say what came of it.
 * @type {WeakMap<Setup, Set<() => void>>}
 */
const views = new WeakMap();

/** @param {RenderProps<{ setup: Setup, state: PredictState, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const all = views.get(setup) ?? new Set();
  views.set(setup, all);
  const shown = () => {
    set(root, { "data-again": [...all][0] !== shown });
    show(setup, prediction, root, model.get("state"));
  };
  all.add(shown);
  const { root, gate, ended, unmount } = mount(given, "predict", "Prediction", shown, owning(makeProgram));
  ended.addEventListener("abort", () => {
    all.delete(shown);
    for (const other of all) other();
  });
  const prediction = makePrediction(setup);
  layOut(setup, prediction, root);
  const { options, sures, commit, afresh } = prediction;
  for (const { input } of options) input.addEventListener("change", shown);
  commit.addEventListener("click", () => {
    const checked = (/** @type {typeof sures} */ some) =>
      some.find(({ input }) => input.checked)?.text ?? null;
    gate.ask({ edit: { choice: checked(options), sure: checked(sures) } });
  });
  afresh.addEventListener("click", () => {
    for (const { input } of [...options, ...sures]) input.checked = false;
    gate.ask({ edit: { choice: null, sure: null } });
  });
  shown();
  return unmount;
}

/** @param {Setup} setup */
function makePrediction({ choices, words, confidence }) {
  const group = `qkv-${Math.random().toString(36).slice(2)}`;
  return {
    options: choices.map((text) => {
      const input = make("input", { type: "radio", name: group });
      const mark = make("span", { class: "pre-mark" });
      const shown = make("span", { class: text.includes("\n") ? "pre-lines" : null }, text);
      return { text, input, mark, label: make("label", { class: "pre-choice" }, input, shown, mark) };
    }),
    sures: confidence.map((text) => {
      const input = make("input", { type: "radio", name: `${group}-sure` });
      return { text, input, label: make("label", {}, input, text) };
    }),
    commit: make("button", { type: "button", class: "qkv-main" }, "Commit"),
    afresh: make("button", { type: "button" }, words.afresh),
    status: make("span", { class: "pre-status", role: "status" }),
    because: make("p", { class: "pre-because" }),
  };
}

/** Lay out the parts. @param {Setup} setup @param {Prediction} prediction @param {HTMLElement} root */
function layOut({ question, words, given: about }, prediction, root) {
  const { options, sures, commit, afresh, status, because } = prediction;
  const sure = make(
    "fieldset",
    { class: "pre-sure" },
    make("legend", {}, "How sure are you?"),
    ...sures.map(({ label }) => label),
  );
  root.tabIndex = -1;
  root.prepend(
    make(
      "fieldset",
      {},
      make("legend", {}, make("strong", {}, words.head), " ", question),
      ...(about ? [make("pre", { class: "pre-given" }, about)] : []),
      ...options.map(({ label }) => label),
    ),
    ...(sures.length ? [sure] : []),
    make("div", { class: "pre-foot" }, commit, afresh, status),
    because,
  );
}

/**
 * @param {Setup} setup @param {Prediction} prediction @param {HTMLElement} root
 * @param {PredictState} state
 */
function show({ words }, prediction, root, { choice, sure, outcome, because: reason }) {
  const { options, sures, commit, afresh, status, because } = prediction;
  const committed = choice !== null;
  for (const { text, input, mark, label } of options) {
    input.disabled = committed;
    if (committed) input.checked = text === choice;
    const marks = [text === choice && words.mine, text === outcome && "the answer"];
    say(mark, marks.filter(Boolean).join(" · "));
    set(label, { "data-chosen": text === choice, "data-outcome": text === outcome });
  }
  for (const { text, input } of sures) {
    input.disabled = committed;
    if (committed) input.checked = text === sure;
  }
  // Keep the focus, which would be lost with the button that has it.
  if (inFocus(root) === (committed ? commit : afresh)) root.focus({ preventScroll: true });
  commit.hidden = committed;
  afresh.hidden = !committed;
  commit.disabled = !options.some(({ input }) => input.checked);
  const again = root.hasAttribute("data-again");
  say(status, again ? againOf(words, choice, outcome) : statusOf(words, choice, outcome));
  say(because, reason);
  because.hidden = !reason;
}

/** @param {Words} told @param {string | null} choice @param {string | null} outcome */
function statusOf(told, choice, outcome) {
  if (choice === null) return told.wait;
  if (outcome === null) return told.committed;
  return choice === outcome ? told.right : told.wrong;
}

/**
 * In one line, where the question has been asked above.
 * @param {Words} told @param {string | null} choice @param {string | null} outcome
 */
function againOf(told, choice, outcome) {
  if (choice === null) return told.above;
  const answer = outcome && outcome !== choice ? ` The answer: ${outcome}.` : "";
  return statusOf(told, choice, outcome) + answer;
}

export default { initialize, render };
