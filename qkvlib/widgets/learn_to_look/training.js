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

/** Return the initial state. @param {Setup} setup @param {Place} start */
function begun(setup, start) {
  return {
    place: start,
    found: pass(setup, start),
    history: { entries: /** @type {Entry[]} */ ([]), hands: /** @type {number[]} */ ([]) },
    steps: 0,
    running: false,
    /** The largest number in any gradient of the run, which sets the scale of all arrows. */
    largest: 0,
    moved: /** @type {null | { what: string, before: Pass }} */ (null),
    /** Whether the learner has done anything yet. */
    touched: false,
  };
}

/**
 * Take steps by a clock, faster and faster. `step` gets whether it is the last one, and returns
 * whether to go on.
 * @param {(isLast: boolean) => boolean} step @param {() => boolean} isHeld @param {() => void} pulse
 */
function makeClock(step, isHeld, pulse) {
  let timer = 0;
  /** @param {number} pause @param {number} left */
  const run = (pause, left) => {
    if (pause > SLOW_MS) pulse();
    timer = window.setTimeout(() => {
      if (isHeld()) return run(SLOWEST_MS, left); // then watchable again
      if (step(left <= 1)) run(Math.max(FASTEST_MS, pause * FASTER), left - 1);
    }, pause);
  };
  return {
    start: (/** @type {number} */ most) => run(SLOWEST_MS, most),
    stop: () => clearTimeout(timer),
  };
}

/**
 * Handle drags of a knob or of the tip of an arrow.
 * @param {Setup} setup @param {ReturnType<typeof begun>} now @param {() => void} changed @param {() => void} letGo
 */
function makeHand(setup, now, changed, letGo) {
  let held = false;
  return {
    isHeld: () => held,
    /** The learner has taken hold of something. @param {string} what */
    grasp(what) {
      held = true;
      const { history, found } = now;
      if (now.moved?.what === what) return; // several key presses continue the same move
      now.moved = { what, before: found };
      if (!history.entries.length) return;
      history.hands.push(history.entries.length);
      history.entries.push(history.entries[history.entries.length - 1]);
    },
    /** @param {Place} place */
    move(place) {
      put(setup, now, place, false);
      changed();
    },
    rest() {
      if (!held) return;
      held = false;
      letGo();
    },
  };
}

/** @param {Setup} setup @param {Place} start @param {AbortSignal} ended @param {Heard} heard */
export function makeTraining(setup, start, ended, { changed, rested, pulse }) {
  const now = begun(setup, start);
  const rest = () => {
    changed();
    if (!now.running) rested(now.place);
  };
  const stop = () => {
    clock.stop();
    now.running = false;
  };
  const can = () => isUnfinished(setup, now);
  const { isHeld, ...hand } = makeHand(setup, now, changed, rest);
  const clock = makeClock(
    (isLast) => {
      step(setup, now);
      if (!can() || isLast) stop();
      rest();
      return now.running;
    },
    isHeld,
    pulse,
  );
  const restart = (/** @type {Place} */ place) => {
    stop();
    Object.assign(now, { steps: 0, largest: 0, moved: null, history: { entries: [], hands: [] } });
    put(setup, now, place);
  };
  ended.addEventListener("abort", stop);
  note(now, true);
  return {
    now,
    can,
    ...hand,
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
      restart({ ...now.place, wish });
      pulse();
      rest();
    },
    lock(/** @type {boolean} */ locked) {
      put(setup, now, { ...now.place, locked }, false);
      rest();
    },
    reset() {
      restart({ weights: setup.start, wish: null, locked: false });
      rest();
    },
  };
}

/**
 * Tell whether there is something left to learn.
 * @param {Setup} setup
 * @param {ReturnType<typeof begun>} now
 */
function isUnfinished(setup, { place, found }) {
  return place.wish !== null && !hasLearned(setup, place, found) && !isStuck(place, found);
}

/** Take one step of gradient descent. @param {Setup} setup @param {ReturnType<typeof begun>} now */
function step(setup, now) {
  now.moved = null;
  now.steps += 1;
  put(setup, now, stepped(setup, now.place));
}

/**
 * Set the weights.
 * @param {Setup} setup
 * @param {ReturnType<typeof begun>} now
 * @param {Place} place
 */
function put(setup, now, place, add = true) {
  now.place = place;
  now.found = pass(setup, place);
  now.touched = true;
  note(now, add);
}

/**
 * Record the state of the run, as its next entry or instead of the last one.
 * @param {{ found: Pass, history: { entries: Entry[] }, largest: number }} now
 * @param {boolean} add
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
