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

/** @param {Setup} setup @param {Place} start @param {AbortSignal} ended @param {Heard} heard */
export function makeTraining(setup, start, ended, { changed, rested, pulse }) {
  const now = {
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
  let timer = 0;
  let held = false;
  const put = (/** @type {Place} */ place, add = true) => {
    now.place = place;
    now.found = pass(setup, place);
    now.touched = true;
    note(now, add);
  };
  const begin = (/** @type {Place} */ place) => {
    Object.assign(now, { steps: 0, largest: 0, moved: null });
    now.history = { entries: [], hands: [] };
    put(place);
  };
  const stop = () => {
    clearTimeout(timer);
    now.running = false;
  };
  const rest = () => {
    changed();
    if (!now.running) rested(now.place);
  };
  const step = () => {
    now.moved = null;
    now.steps += 1;
    put(stepped(setup, now.place));
  };
  const can = () =>
    now.place.wish !== null &&
    !hasLearned(setup, now.place, now.found) &&
    !isStuck(now.place, now.found);
  /** @param {number} pause @param {number} left */
  const run = (pause, left) => {
    if (pause > SLOW_MS) pulse();
    timer = window.setTimeout(() => {
      if (held) return run(SLOWEST_MS, left); // a hand has come in: afterwards it can be watched again
      step();
      if (!can() || left <= 1) {
        stop();
        return rest();
      }
      changed();
      run(Math.max(FASTEST_MS, pause * FASTER), left - 1);
    }, pause);
  };
  ended.addEventListener("abort", stop);
  note(now, true);
  return {
    now,
    can,
    learn() {
      if (now.running) {
        stop();
        return rest();
      }
      now.running = true;
      changed();
      run(SLOWEST_MS, setup.most);
    },
    one() {
      step();
      pulse();
      rest();
    },
    choose(/** @type {number} */ wish) {
      stop();
      begin({ ...now.place, wish });
      pulse();
      rest();
    },
    lock(/** @type {boolean} */ locked) {
      put({ ...now.place, locked }, false);
      rest();
    },
    reset() {
      stop();
      begin({ weights: setup.start, wish: null, locked: false });
      rest();
    },
    /** A hand takes hold of something. @param {string} what */
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
      put(place, false);
      changed();
    },
    rest() {
      if (!held) return;
      held = false;
      rest();
    },
  };
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
