/*
 * Keep the states that Undo restores: one for each gesture, however many edits the gesture has.
 */

const MOST = 100;

/**
 * Make an empty history. @template T
 * @param {number} opening  the number of earlier steps, which only Python remembers
 */
export function makeHistory(opening) {
  /** @type {T[]} */
  let past = [];
  let forgotten = opening;
  /** @type {any} */
  let gesture = null;
  /** Tell whether an edit continues the last gesture. @param {any} of */
  const goesOn = (of) => of !== null && of === gesture;
  return {
    goesOn,
    /**
     * Remember the present state, before a change.
     * @param {T} here
     * @param {any} [of]  its gesture
     */
    remember(here, of = null) {
      if (!goesOn(of)) {
        past = [...past, here];
        if (forgotten + past.length > MOST) forgotten ? forgotten-- : past.shift();
      }
      gesture = of;
    },
    /** Return the state before the last step, if it is remembered here. */
    back() {
      const last = past.pop();
      if (last) gesture = null;
      return last;
    },
    /**
     * Python has moved something. Count it as one more step: either from the present state, or as a
     * step that only Python remembers.
     * @param {number} undo  Python's number of steps @param {() => T} here
     */
    follow(undo, here) {
      const steps = forgotten + past.length;
      if (undo === steps) return;
      if (undo === steps + 1) return this.remember(here());
      past = [];
      forgotten = undo;
      gesture = null;
    },
    /** How many steps can be undone. */
    get length() {
      return forgotten + past.length;
    },
    /** Whether Undo can work without Python. */
    get known() {
      return past.length > 0 || !forgotten;
    },
  };
}
