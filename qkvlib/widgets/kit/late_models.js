/*
 * Draw a saved widget again if JupyterLab gave up on it too early. Its renderer waits two seconds
 * for the widget's model. On a busy machine the model can arrive just after that, and then "model
 * not found" stays on the page forever. So a model that arrives late asks to be drawn again.
 */

import { keepShown } from "./restarted.js";

/** @import { AnyModel } from "@anywidget/types" */

const LOST = "Error displaying widget: model not found";
const VIEW = "application/vnd.jupyter.widget-view+json";
const EVERY = 500;
const LOOKS = 20;

/** The widget managers, one for each notebook, that we already watch. @type {WeakSet<object>} */
const followed = new WeakSet();

/** anywidget calls this once a model has arrived. @param {{ model: AnyModel<any> }} given */
export function initialize({ model }) {
  const manager = /** @type {any} */ (model).widget_manager;
  const notebook = manager?.context?.model; // JupyterLab's manager has this; others do not
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

/** Redraw widgets whose model is here. @param {any} notebook @param {(id: string) => boolean} has */
function drawAgain(notebook, has) {
  for (const { outputs } of notebook.cells) {
    const saved = outputs?.toJSON() ?? [];
    if (saved.some((/** @type {any} */ one) => has(one.data?.[VIEW]?.model_id))) outputs.fromJSON(saved);
  }
}
