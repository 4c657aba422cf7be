/* The run: steps taken by a clock or by the learner, their history, and moves in between. */

import { hasLearned, pass, stepped } from "./compute.js";
import { isStuck } from "./words.js";

/** @import { Name, Pass, Place, Setup } from "./compute.js" */

/** The first step of a run is slow enough to watch; the others get faster and faster. */
const SLOWEST_MS = 300;
const FASTEST_MS = 50;
const FASTER = 0.92;
const SLOW_MS = 140; // a slower step can show where a gradient comes from

/**
 * @typedef {{ loss: number, lengths: Record<Name, number> }} Entry
 * @typedef {object} Heard
 * @property {() => void} changed
 * @property {(place: Place) => void} rested  everything stands still
 * @property {() => void} pulse  a slow step begins
 */

/** Return a run that has not begun. */
const begun = () => ({
  history: { entries: /** @type {Entry[]} */ ([]), hands: /** @type {number[]} */ ([]) },
  steps: 0,
  /** The largest number in any gradient of the run, which sets the scale of all arrows. */
  largest: 0,
  moved: /** @type {null | { what: string, before: Pass }} */ (null),
});

/** @typedef {ReturnType<typeof opened>} Now */

/** Return the initial state. @param {Setup} setup @param {Place} place */
const opened = (setup, place) => ({
  ...begun(),
  place,
  found: pass(setup, place),
  running: false,
  /** Whether the learner holds a knob or the tip of an arrow. */
  held: false,
  /** Whether the learner has done anything yet. */
  touched: false,
});

/**
 * Take steps by a clock, faster and faster.
 * @param {Now} now @param {() => void} pulse
 * @param {(isLast: boolean) => void} step  takes one, and ends the run if nothing is left to learn
 */
function makeClock(now, pulse, step) {
  let timer = 0;
  /** @param {number} pause @param {number} left */
  const run = (pause, left) => {
    if (pause > SLOW_MS) pulse();
    timer = window.setTimeout(() => {
      if (now.held) return run(SLOWEST_MS, left); // then watchable again
      step(left <= 1);
      if (now.running) run(Math.max(FASTEST_MS, pause * FASTER), left - 1);
    }, pause);
  };
  return {
    start: (/** @type {number} */ most) => run(SLOWEST_MS, most),
    stop: () => clearTimeout(timer),
  };
}

/** @param {Setup} setup @param {Place} start @param {AbortSignal} ended @param {Heard} heard */
export function makeTraining(setup, start, ended, { changed, rested, pulse }) {
  const now = opened(setup, start);
  const rest = () => {
    changed();
    if (!now.running) rested(now.place);
  };
  const stop = () => {
    clock.stop();
    now.running = false;
  };
  const can = () => isUnfinished(setup, now);
  const clock = makeClock(now, pulse, (isLast) => {
    step(setup, now);
    if (!can() || isLast) stop();
    rest();
  });
  ended.addEventListener("abort", stop);
  note(now, true);
  return {
    ...{ now, can },
    grasp: (/** @type {string} */ what) => grasp(now, what),
    move(/** @type {Place} */ place) {
      put(setup, now, place, false);
      changed();
    },
    rest() {
      if (!now.held) return;
      now.held = false;
      rest();
    },
    learn() {
      if (now.running) stop();
      else now.running = true;
      rest();
      if (now.running) clock.start(setup.most);
    },
    one() {
      step(setup, now);
      pulse();
      rest();
    },
    choose(/** @type {number} */ wish) {
      stop();
      restart(setup, now, { ...now.place, wish });
      pulse();
      rest();
    },
    lock(/** @type {boolean} */ locked) {
      put(setup, now, { ...now.place, locked }, false);
      rest();
    },
    reset() {
      stop();
      restart(setup, now, { weights: setup.start, wish: null, locked: false });
      rest();
    },
  };
}

/** The learner has taken hold of something. @param {Now} now @param {string} what */
function grasp(now, what) {
  now.held = true;
  if (now.moved?.what === what) return; // several key presses continue the same move
  now.moved = { what, before: now.found };
  const { entries, hands } = now.history;
  if (!entries.length) return;
  hands.push(entries.length);
  entries.push(entries[entries.length - 1]);
}

/** Tell whether there is something left to learn. @param {Setup} setup @param {Now} now */
function isUnfinished(setup, { place, found }) {
  return place.wish !== null && !hasLearned(setup, place, found) && !isStuck(place, found);
}

/** Begin a new run. @param {Setup} setup @param {Now} now @param {Place} place */
function restart(setup, now, place) {
  Object.assign(now, begun());
  put(setup, now, place);
}

/** Take one step of gradient descent. @param {Setup} setup @param {Now} now */
function step(setup, now) {
  now.moved = null;
  now.steps += 1;
  put(setup, now, stepped(setup, now.place));
}

/** Set the weights. @param {Setup} setup @param {Now} now @param {Place} place */
function put(setup, now, place, add = true) {
  now.place = place;
  now.found = pass(setup, place);
  now.touched = true;
  note(now, add);
}

/**
 * Record the state of the run, as its next entry or instead of the last one.
 * @param {Now} now @param {boolean} add
 */
function note(now, add) {
  const { loss, lengths, gradients } = now.found;
  if (loss === null || !lengths || !gradients) return;
  const { entries } = now.history;
  if (!add) entries.pop();
  entries.push({ loss, lengths });
  const all = Object.values(gradients).flat(2).map(Math.abs);
  now.largest = Math.max(now.largest, ...all);
}
