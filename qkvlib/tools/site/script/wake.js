/*
 * Start the widgets of a page, and then its exercises. Each place has a still picture and names what
 * its widget needs. A widget at the very top starts at once, all else when the reader scrolls near it.
 */

import { make } from "../../../widgets/kit/dom.js";
import { makeModel, traitsOf } from "../../../widgets/kit/saved.js";
import { fillRecap, keepPrediction } from "./predictions.js";
import { keep, recall } from "./storage.js";

/** @import { AnyModel } from "@anywidget/types" */

/** Far enough away that a widget starts out of sight, and nothing jumps while the reader looks at it. */
export const NEAR = "2000px 0px";

/** The widgets that have come near. @type {Set<Promise<void>>} */
const waking = new Set();

/**
 * Start the widget of a place, which keeps its height until the widget has been drawn: some measure
 * themselves first. If it fails, its picture stays at its own height.
 */
const start = (/** @type {HTMLElement} */ place) =>
  wakeWidget(place)
    .then(drawn)
    .catch(console.error)
    .finally(() => {
      place.dataset.awake = "";
    });

/** Tell whether the head has preloaded what the first widget needs, because it is at the top. */
const isAtTheTop = () => document.querySelector("head [rel=modulepreload]") !== null;

/**
 * Start a widget at the top of the page while the browser is still reading the rest.
 * @returns {Promise<void>}  when it lives, or at once if there is none at the top
 */
export function wakeFirst() {
  if (!isAtTheTop()) return Promise.resolve();
  const woken = firstPlace().then((place) => (place ? start(place) : undefined));
  waking.add(woken);
  return woken;
}

/**
 * Return the first place once the browser has read past it, so that it is complete; null if there
 * is none.
 * @returns {Promise<HTMLElement | null>}
 */
async function firstPlace() {
  for (;;) {
    const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-module]"));
    if (document.readyState !== "loading" || (place && isFollowed(place))) return place;
    await new Promise((then) => setTimeout(then, 20));
  }
}

/** Tell whether anything comes after an element. @param {Element | null} element @returns {boolean} */
const isFollowed = (element) =>
  element !== null && (element.nextElementSibling !== null || isFollowed(element.parentElement));

/**
 * Start every other widget as it comes near, but not before `first` is running: they would compete
 * with it for the network and the processor.
 * @param {Promise<void>} first
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
  const places = [...document.querySelectorAll("[data-module]")];
  for (const place of isAtTheTop() ? places.slice(1) : places) watcher.observe(place);
}

/** Load this page's editors when one comes near, after the text, and after the widgets that are near. */
export function wakeExercises() {
  const about = document.querySelector("#exercises");
  if (!about) return;
  const { module, ...known } = JSON.parse(about.textContent ?? "");
  const watcher = new IntersectionObserver(
    async (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      await new Promise(requestAnimationFrame); // the widgets' observer may fire after this one
      await Promise.all(waking);
      const { wake } = await import(new URL(module, document.baseURI).href);
      wake(known);
    },
    { rootMargin: NEAR },
  );
  for (const place of document.querySelectorAll("[data-exercise], .work")) watcher.observe(place);
}

/** Resolve in the frame after the next. */
async function drawn() {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
}

/** Replace a still picture by its widget. @param {HTMLElement} place */
async function wakeWidget(place) {
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
  const el = make("div");
  widget.render({ model, el });
  place.replaceChildren(el);
}

/** The style sheets of this page's widgets, by their addresses. @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Add a style sheet once to each page. @param {string} href */
function styled(href) {
  const loading =
    styles.get(href) ??
    new Promise((done, failed) => {
      const link = make("link", { rel: "stylesheet", href });
      link.onload = done;
      link.onerror = () => failed(new Error(`${href} is missing`));
      document.head.append(link);
    });
  styles.set(href, loading);
  return loading;
}

/** Remember that a goal was met, on this day or another. @param {AnyModel<any>} model */
function keepGoal(model) {
  const { goal } = model.get("setup");
  if (!goal) return;
  let met = recall("goals", goal.name) !== null;
  goal.met_before = met;
  model.on("change:state", () => {
    if (met || !model.get("state").goal?.met) return;
    met = true; // so that it is not written again in every frame of a drag
    keep("goals", goal.name, "met");
  });
}
