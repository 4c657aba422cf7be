import { inFocus, make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { mount } from "../kit/page.js";
import { makeLocal } from "./local.js";

/** @import { RenderProps } from "@anywidget/types" */

/**
 * What is said at each moment, of a prediction or of a question.
 * @typedef {{ head: string, wait: string, committed: string, right: string, wrong: string,
 *   mine: string, afresh: string }} Words
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
 * @param {RenderProps<{ setup: { question: string, choices: string[], words: Words,
 * confidence: string[], given: string }, state: PredictState, shown: {} }>} given
 */
function render(given) {
  const { model } = given;
  const { question, choices, words: told, confidence, given: about } = model.get("setup");
  const local = makeLocal(model.get("setup"), model.get("state"));
  const { root, gate, unmount } = mount(given, "predict", "Prediction", show, { local });
  const group = `qkv-${Math.random().toString(36).slice(2)}`;

  const options = choices.map((text) => {
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "radio", name: group }));
    const mark = make("span", { class: "pre-mark" });
    const label = make(
      "label",
      { class: "pre-choice" },
      input,
      make("span", lines(text), text),
      mark,
    );
    return { text, input, mark, label };
  });
  const sures = confidence.map((text) => {
    const input = /** @type {HTMLInputElement} */ (
      make("input", { type: "radio", name: `${group}-sure` })
    );
    return { text, input, label: make("label", {}, input, text) };
  });
  const sure = make(
    "fieldset",
    { class: "pre-sure" },
    make("legend", {}, "How sure are you?"),
    ...sures.map(({ label }) => label),
  );
  sure.hidden = !sures.length;
  const commit = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", class: "qkv-main" }, "Commit")
  );
  const afresh = make("button", { type: "button" }, told.afresh);
  const status = make("span", { class: "pre-status", role: "status" });
  const because = make("p", { class: "pre-because" });
  root.tabIndex = -1;
  root.prepend(
    make(
      "fieldset",
      {},
      make("legend", {}, make("strong", {}, told.head), " ", question),
      ...(about ? [make("pre", { class: "pre-given" }, about)] : []),
      ...options.map(({ label }) => label),
    ),
    sure,
    make("div", { class: "pre-foot" }, commit, afresh, status),
    because,
  );

  function show() {
    const { choice, sure: was, outcome, because: reason } = model.get("state");
    const committed = choice !== null;
    for (const { text, input, mark, label } of options) {
      input.disabled = committed;
      if (committed) input.checked = text === choice;
      const words = [];
      if (text === choice) words.push(told.mine);
      if (text === outcome) words.push("the answer");
      say(mark, words.join(" · "));
      set(label, { "data-chosen": text === choice, "data-outcome": text === outcome });
    }
    for (const { text, input } of sures) {
      input.disabled = committed;
      if (committed) input.checked = text === was;
    }
    // The focus must not be lost with the button that it is on.
    if (inFocus(root) === (committed ? commit : afresh)) root.focus({ preventScroll: true });
    commit.hidden = committed;
    afresh.hidden = !committed;
    commit.disabled = !options.some(({ input }) => input.checked);
    say(status, statusOf(told, choice, outcome));
    say(because, reason);
    because.hidden = !reason;
  }

  for (const { input } of options) input.addEventListener("change", show);
  commit.addEventListener("click", () => {
    const chosen = options.findIndex(({ input }) => input.checked);
    const said = sures.findIndex(({ input }) => input.checked);
    gate.ask({ do: "commit", choice: chosen, sure: said < 0 ? null : said });
  });
  afresh.addEventListener("click", () => {
    for (const { input } of [...options, ...sures]) input.checked = false;
    gate.ask({ do: "afresh" });
  });

  show();
  return unmount;
}

/** A matrix as a choice keeps its lines. @param {string} text */
function lines(text) {
  return text.includes("\n") ? { class: "pre-lines" } : {};
}

/** @param {Words} told @param {string | null} choice @param {string | null} outcome */
function statusOf(told, choice, outcome) {
  if (choice === null) return told.wait;
  if (outcome === null) return told.committed;
  return choice === outcome ? told.right : told.wrong;
}

export default { initialize, render };
