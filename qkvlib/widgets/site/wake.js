/* Widgets wake when they come near: each place has a still picture and names what it needs. */

import { makeModel, traitsOf } from "../kit/saved.js";
import { keep, recall } from "./kept.js";
import { fillRecap, keepPrediction } from "./predictions.js";

/** @import { AnyModel } from "@anywidget/types" */

/** So far off that what wakes does so out of sight, and nothing jumps under the reader's eyes. */
export const NEAR = "2000px 0px";

/** @type {Set<Promise<void>>} */
const waking = new Set();

/** When every widget that has come near lives. */
export const settled = () => Promise.all(waking);

/** Wake every widget of the page as it comes near. */
export function wakeWidgets() {
  const watcher = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        const place = /** @type {HTMLElement} */ (target);
        waking.add(
          wake(place)
            .catch(console.error) // its picture stays, and is as high as it is
            .finally(() => {
              place.dataset.awake = "";
            }),
        );
      }
    },
    { rootMargin: NEAR },
  );
  for (const place of document.querySelectorAll("[data-module]")) watcher.observe(place);
}

/** Put a widget in the place of its still picture. @param {HTMLElement} place */
async function wake(place) {
  const { module, look, state } = place.dataset;
  const here = document.baseURI;
  const [{ default: widget }, told] = await Promise.all([
    import(new URL(/** @type {string} */ (module), here).href),
    fetch(new URL(/** @type {string} */ (state), here)).then((answer) => answer.json()),
    styled(new URL(/** @type {string} */ (look), here).href),
  ]);
  const model = makeModel(traitsOf(told));
  if (told.asked) fillRecap(model, told.asked);
  else if (model.get("setup").choices) keepPrediction(model);
  keepGoal(model);
  const el = document.createElement("div");
  // What has the focus keeps its place: the new root comes beside the picture, which then goes.
  widget.render({ model, el });
  place.replaceChildren(el);
}

/** A style sheet, once a page. @param {string} address @returns {Promise<void>} */
function styled(address) {
  const known = [...document.querySelectorAll("link")].find(({ href }) => href === address);
  if (known?.sheet) return Promise.resolve();
  const link = known ?? document.createElement("link");
  const loaded = new Promise((done, failed) => {
    link.addEventListener("load", () => done(undefined));
    link.addEventListener("error", () => failed(new Error(`${address} is missing`)));
  });
  if (!known) {
    link.rel = "stylesheet";
    link.href = address;
    document.head.append(link);
  }
  return /** @type {Promise<void>} */ (loaded);
}

/** Remember that a goal was met, on this day or another. @param {AnyModel<any>} model */
function keepGoal(model) {
  const { goal } = model.get("setup");
  if (!goal) return;
  goal.met_before = recall("goals", goal.name) !== null;
  model.on("change:state", () => {
    if (model.get("state").goal?.met) keep("goals", goal.name, "met");
  });
}
