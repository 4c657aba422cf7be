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
 * @property {string | null} outcome  known here only after a choice is committed
 * @property {string} because
 * @property {string} sealed  the outcome and the words for it, once Python knows them
 */

/**
 * @param {RenderProps<{ setup: { question: string, choices: string[], words: Words }, state:
 * PredictState, shown: {} }>} given
 */
function render(given) {
  const { model } = given;
  const { question, choices, words: told } = model.get("setup");
  const local = makeLocal(model.get("setup"), model.get("state"));
  const { root, gate, unmount } = mount(given, "predict", "Prediction", show, { local });
  const group = `qkv-${Math.random().toString(36).slice(2)}`;

  const options = choices.map((text) => {
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "radio", name: group }));
    const mark = make("span", { class: "pre-mark" });
    const label = make("label", { class: "pre-choice" }, input, make("span", {}, text), mark);
    return { text, input, mark, label };
  });
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
      ...options.map(({ label }) => label),
    ),
    make("div", { class: "pre-foot" }, commit, afresh, status),
    because,
  );

  function show() {
    const { choice, outcome, because: reason } = model.get("state");
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
    gate.ask({ do: "commit", choice: chosen });
  });
  afresh.addEventListener("click", () => {
    for (const { input } of options) input.checked = false;
    gate.ask({ do: "afresh" });
  });

  show();
  return unmount;
}

/** @param {Words} told @param {string | null} choice @param {string | null} outcome */
function statusOf(told, choice, outcome) {
  if (choice === null) return told.wait;
  if (outcome === null) return told.committed;
  return choice === outcome ? told.right : told.wrong;
}

export default { initialize, render };
