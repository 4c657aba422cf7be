import { make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/late_models.js";
import { mount } from "../kit/page.js";
import { opened } from "./program.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Kept } from "./program.js" */

/** @param {RenderProps<{ setup: { questions: string[] }, state: { rows: Kept[] }, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const { questions } = model.get("setup");
  const { root, unmount } = mount(given, "recap", "Predictions and what happened", show);

  const rows = questions.map((question) => {
    const choice = make("dd", { class: "rec-choice" });
    const outcome = make("dd", { class: "rec-outcome" });
    const because = make("dd", { class: "rec-because" });
    const row = make(
      "dl",
      {},
      make("dt", { class: "rec-question" }, question),
      make("dt", {}, "You predicted"),
      choice,
      make("dt", {}, "What happened"),
      outcome,
      because,
    );
    return { row, choice, outcome, because };
  });
  const none = "No predictions yet: run the cells that ask for them.";
  root.prepend(...(rows.length ? rows.map(({ row }) => row) : [make("p", {}, none)]));

  function show() {
    const state = model.get("state");
    state.rows.map(opened).forEach(({ choice, outcome, because }, i) => {
      const right = choice !== null && choice === outcome;
      say(rows[i].choice, choice ?? "nothing yet");
      say(rows[i].outcome, toldOutcome(choice, outcome, right));
      say(rows[i].because, because);
      rows[i].because.hidden = !because;
      set(rows[i].row, { "data-right": right });
    });
  }

  show();
  return unmount;
}

/** @param {string | null} choice @param {string | null} outcome @param {boolean} right */
function toldOutcome(choice, outcome, right) {
  if (choice === null) return "It appears here once you have answered the question above.";
  if (outcome === null) return "Not run yet.";
  return right ? `✓ ${outcome}, as you predicted` : outcome;
}

export default { initialize, render };
