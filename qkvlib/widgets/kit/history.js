/* What Undo goes back to, one step for each gesture, however many edits it makes. */

const MOST = 100;

/**
 * @template T
 * @param {number} opening  the steps that were taken before, which Python alone remembers
 */
export function makeHistory(opening) {
  /** @type {T[]} */
  let past = [];
  let forgotten = opening;
  /** @type {any} */
  let gesture = null;
  /** Whether an edit goes on with the last gesture. @param {any} of */
  const goesOn = (of) => of !== null && of === gesture;
  return {
    goesOn,
    /** Before a change: where one stands. @param {T} here @param {any} [of]  its gesture */
    remember(here, of = null) {
      if (!goesOn(of)) {
        past = [...past, here];
        if (forgotten + past.length > MOST) forgotten ? forgotten-- : past.shift();
      }
      gesture = of;
    },
    /** Where one stood before the last step, if it is remembered here. */
    back() {
      const last = past.pop();
      if (last) gesture = null;
      return last;
    },
    /**
     * Python has moved: as one step more, from where one stands here, or so that it alone remembers.
     * @param {number} undo  the steps that it counts @param {() => T} here
     */
    follow(undo, here) {
      const steps = forgotten + past.length;
      if (undo === steps) return;
      if (undo === steps + 1) return this.remember(here());
      past = [];
      forgotten = undo;
      gesture = null;
    },
    /** How many steps there are to go back. */
    get length() {
      return forgotten + past.length;
    },
    /** Whether Undo needs no Python. */
    get known() {
      return past.length > 0 || !forgotten;
    },
  };
}
