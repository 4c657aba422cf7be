/*
 * A saved widget that JupyterLab gave up on too early. Its renderer looks for the model for two
 * seconds, in steps; on a busy machine the notebook's models can arrive within the last of them, and
 * "model not found" then stands there for good. The models that did arrive ask for another drawing.
 */

import { keepShown } from "./restarted.js";

/** @import { AnyModel } from "@anywidget/types" */

const LOST = "Error displaying widget: model not found";
const VIEW = "application/vnd.jupyter.widget-view+json";
const EVERY = 500;
const LOOKS = 20;

/** The widget managers, one a notebook, that are looked after already. @type {WeakSet<object>} */
const followed = new WeakSet();

/** What anywidget calls once a model is there. @param {{ model: AnyModel<any> }} given */
export function initialize({ model }) {
  const manager = /** @type {any} */ (model).widget_manager;
  const notebook = manager?.context?.model; // JupyterLab's manager; others have none
  if (!notebook?.cells || followed.has(manager)) return;
  followed.add(manager);
  keepShown(manager);
  let looks = 0;
  const timer = setInterval(() => {
    const lost = isLost();
    if (lost) drawAgain(notebook, (id) => manager.has_model(id));
    if (lost || ++looks === LOOKS) clearInterval(timer);
  }, EVERY);
}

const isLost = () =>
  [...document.querySelectorAll(".jp-OutputArea-output.jupyter-widgets")].some(
    (place) => place.textContent === LOST,
  );

/** @param {any} notebook @param {(id: string) => boolean} has */
function drawAgain(notebook, has) {
  for (const { outputs } of notebook.cells) {
    const saved = outputs?.toJSON() ?? [];
    if (saved.some((/** @type {any} */ one) => has(one.data?.[VIEW]?.model_id)))
      outputs.fromJSON(saved);
  }
}
