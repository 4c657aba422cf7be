/*
 * A prediction on a page: it is stored in the browser, is the same wherever the page shows it, and
 * keeps its outcome closed until a choice is committed.
 */

import { opened } from "../../../widgets/predict/program.js";
import { keep, recall } from "./storage.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { PredictState } from "../../../widgets/predict/index.js" */

/**
 * @typedef {{ name: string, choices: string[], confidence: string[] }} Setup
 * @typedef {{ setup: Setup, state: PredictState }} Asked
 */

/** The event on the document when a choice is committed or withdrawn. */
export const CHANGED = "qkv-predicted";

/** Return the state with the stored choice, and what it reveals. @param {Asked} asked */
export function chosen({ setup, state }) {
  /** @param {"predictions" | "confidence"} kind @param {string[]} offered */
  const kept = (kind, offered) => {
    const value = recall(kind, setup.name);
    return value !== null && offered.includes(value) ? value : null;
  };
  const choice = kept("predictions", setup.choices);
  const sure = choice && kept("confidence", setup.confidence);
  return opened({ ...state, choice, sure });
}

/** Store a prediction's or a question's choice, and follow changes. @param {AnyModel<any>} model */
export function keepPrediction(model) {
  const setup = model.get("setup");
  const follow = () => {
    const state = chosen({ setup, state: model.get("state") });
    if (state.choice !== model.get("state").choice) model.set("state", state);
  };
  follow();
  model.on("change:state", () => {
    const { choice, sure } = model.get("state");
    if (choice === recall("predictions", setup.name)) return;
    keep("confidence", setup.name, sure);
    keep("predictions", setup.name, choice);
    document.dispatchEvent(new Event(CHANGED));
  });
  document.addEventListener(CHANGED, follow);
}

/** Fill the table of predictions. @param {AnyModel<any>} model @param {Asked[]} asked */
export function fillRecap(model, asked) {
  const fill = () => model.set("state", { rows: asked.map(chosen) });
  fill();
  document.addEventListener(CHANGED, fill);
}

/** Open an outcome when its prediction is committed, and close it when the prediction is withdrawn. */
export function guardOutcomes() {
  const places = [
    .../** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("[data-after]")),
  ];
  const guard = () => {
    for (const place of places) {
      const names = (place.dataset.after ?? "").split(" ");
      const open = names.every((name) => recall("predictions", name) !== null);
      place.toggleAttribute("data-shut", !open);
      place.open = open;
    }
  };
  // A summary acts as a button, but without a prediction it opens nothing.
  for (const place of places)
    place.querySelector("summary")?.addEventListener("click", (event) => {
      if (place.hasAttribute("data-shut")) event.preventDefault();
    });
  guard();
  document.addEventListener(CHANGED, guard);
}
