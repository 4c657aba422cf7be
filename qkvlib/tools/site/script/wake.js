/*
 * Each place has a still picture and names what its widget needs. The page's first wakes at once, the
 * others when they come near.
 */

import { makeModel, traitsOf } from "../../../widgets/kit/saved.js";
import { keep, recall } from "./kept.js";
import { fillRecap, keepPrediction } from "./predictions.js";

/** @import { AnyModel } from "@anywidget/types" */

/** So far off that what wakes does so out of sight, and nothing jumps under the reader's eyes. */
export const NEAR = "2000px 0px";

/** @type {Set<Promise<void>>} */
const waking = new Set();

/** When every widget that has come near lives. */
export const settled = () => Promise.all(waking);

/** Wake the widget of a place; without it its picture stays, and is as high as it is. */
const start = (/** @type {HTMLElement} */ place) =>
  wake(place)
    .catch(console.error)
    .finally(() => {
      place.dataset.awake = "";
    });

/**
 * Wake the page's first widget, wherever it is and while the rest of the page is still read: the
 * head has loaded what it needs. @returns {Promise<void>}  when it lives
 */
export function wakeFirst() {
  const woken = firstPlace().then((place) => (place ? start(place) : undefined));
  waking.add(woken);
  return woken;
}

/**
 * The first place, once the page is read past it, so that nothing more comes into it; null where
 * there is none. @returns {Promise<HTMLElement | null>}
 */
async function firstPlace() {
  for (;;) {
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-module]"));
    if (document.readyState !== "loading" || (place && isFollowed(place))) return place;
    await new Promise((then) => setTimeout(then, 20));
  }
}

/** Whether anything stands behind an element. @param {Element | null} element @returns {boolean} */
const isFollowed = (element) =>
  element !== null && (element.nextElementSibling !== null || isFollowed(element.parentElement));

/**
 * Wake every other widget of the page as it comes near, and not before the `first` lives: they would
 * take the line and the processor from it. @param {Promise<void>} first
 */
export function wakeOthers(first) {
  const watcher = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) {
        if (!isIntersecting) continue;
        watcher.unobserve(target);
        waking.add(first.then(() => start(/** @type {HTMLElement} */ (target))));
      }
    },
    { rootMargin: NEAR },
  );
  const [, ...others] = document.querySelectorAll("[data-module]");
  for (const place of others) watcher.observe(place);
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
  const known = [
    .../** @type {NodeListOf<HTMLLinkElement>} */ (
      document.querySelectorAll('link[rel="stylesheet"]')
    ),
  ].find(({ href }) => href === address);
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
  let met = recall("goals", goal.name) !== null;
  goal.met_before = met;
  model.on("change:state", () => {
    if (met || !model.get("state").goal?.met) return;
    met = true; // and each of a drag's frames need not write it again
    keep("goals", goal.name, "met");
  });
}
