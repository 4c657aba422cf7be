/* The run: steps by a clock or by a hand, what they left behind, and a hand that comes in. */

import { hasLearned, pass, stepped } from "./compute.js";
import { isStuck } from "./words.js";

/** @import { Name, Pass, Place, Setup } from "./compute.js" */

/** The first step of a run can be watched; the others follow faster and faster. */
const SLOWEST_MS = 300;
const FASTEST_MS = 50;
const FASTER = 0.92;
const SLOW_MS = 140; // what is slower than this can show where a gradient comes from

/**
 * @typedef {{ loss: number, lengths: Record<Name, number> }} Entry
 * @typedef {object} Heard
 * @property {() => void} changed
 * @property {(place: Place) => void} rested  everything stands still
 * @property {() => void} pulse  a slow step begins
 */

/** The state before anything was done. @param {Setup} setup @param {Place} start */
function begun(setup, start) {
  return {
    place: start,
    found: pass(setup, start),
    history: { entries: /** @type {Entry[]} */ ([]), hands: /** @type {number[]} */ ([]) },
    steps: 0,
    running: false,
    /** The largest number in any gradient of the run: arrows have one scale. */
    largest: 0,
    moved: /** @type {null | { what: string, before: Pass }} */ (null),
    /** Whether anything was done yet. */
    touched: false,
  };
}

/**
 * Takes steps by a clock, faster and faster. `step` is told whether it is the last, and says whether to go on.
 * @param {(isLast: boolean) => boolean} step @param {() => boolean} isHeld @param {() => void} pulse
 */
function makeClock(step, isHeld, pulse) {
  let timer = 0;
  /** @param {number} pause @param {number} left */
  const run = (pause, left) => {
    if (pause > SLOW_MS) pulse();
    timer = window.setTimeout(() => {
      if (isHeld()) return run(SLOWEST_MS, left); // a hand has come in: afterwards it can be watched again
      if (step(left <= 1)) run(Math.max(FASTEST_MS, pause * FASTER), left - 1);
    }, pause);
  };
  return {
    start: (/** @type {number} */ most) => run(SLOWEST_MS, most),
    stop: () => clearTimeout(timer),
  };
}

/**
 * A hand on a knob or on the tip of an arrow.
 * @param {Setup} setup @param {ReturnType<typeof begun>} now @param {() => void} changed @param {() => void} letGo
 */
function makeHand(setup, now, changed, letGo) {
  let held = false;
  return {
    isHeld: () => held,
    /** It takes hold of something. @param {string} what */
    grasp(what) {
      held = true;
      const { history, found } = now;
      if (now.moved?.what === what) return; // keys go on with the same move
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

/** Whether there is something left to learn. @param {Setup} setup @param {ReturnType<typeof begun>} now */
function isUnfinished(setup, { place, found }) {
  return place.wish !== null && !hasLearned(setup, place, found) && !isStuck(place, found);
}

/** Take one step of gradient descent. @param {Setup} setup @param {ReturnType<typeof begun>} now */
function step(setup, now) {
  now.moved = null;
  now.steps += 1;
  put(setup, now, stepped(setup, now.place));
}

/** Go to a place. @param {Setup} setup @param {ReturnType<typeof begun>} now @param {Place} place */
function put(setup, now, place, add = true) {
  now.place = place;
  now.found = pass(setup, place);
  now.touched = true;
  note(now, add);
}

/** Write down where the run has come to, as its next entry or in place of the last. @param {{ found: Pass, history: { entries: Entry[] }, largest: number }} now @param {boolean} add */
function note(now, add) {
  const { loss, lengths, gradients } = now.found;
  if (loss === null || !lengths || !gradients) return;
  const { entries } = now.history;
  if (!add) entries.pop();
  entries.push({ loss, lengths });
  const all = Object.values(gradients).flat(2).map(Math.abs);
  now.largest = Math.max(now.largest, ...all);
}
