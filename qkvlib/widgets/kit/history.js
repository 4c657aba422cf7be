/*
 * Keep the states that Undo restores: one for each gesture, however many edits the gesture has.
 */

const MOST = 100;

/** @template T */
export function makeHistory() {
  /** @type {T[]} */
  let past = [];
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
      if (!goesOn(of)) past = [...past, here].slice(-MOST);
      gesture = of;
    },
    /** Return the state before the last step. */
    back() {
      const last = past.pop();
      if (last) gesture = null;
      return last;
    },
    /** How many steps can be undone. */
    get length() {
      return past.length;
    },
  };
}
