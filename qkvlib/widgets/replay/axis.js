/* The axis of a run: its early steps, in which most is learned, get more room than the others. */

const EARLY = 30; // the first 1/30 of the run gets a fifth of the room
const APART = 0.09; // the smallest distance between two marks

/** @typedef {ReturnType<typeof makeAxis>} Axis */

/** @param {number} last  the last step */
export function makeAxis(last) {
  const bend = Math.max(last / EARLY, 1);
  const whole = Math.log1p(last / bend) || 1;
  /** Return how far along the axis a step is, from 0 to 1. @param {number} step */
  const along = (step) => Math.log1p(step / bend) / whole;
  /** @param {number} share */
  const stepAt = (share) => Math.min(bend * Math.expm1(Math.min(Math.max(share, 0), 1) * whole), last);
  /** Return round steps to label, not too close to each other. */
  const marks = () => {
    const chosen = [0];
    for (let ten = 1; ten <= last; ten *= 10)
      for (const step of [ten, 2 * ten, 5 * ten]) {
        const room = along(step) - along(chosen[chosen.length - 1]);
        if (step < last && room >= APART && 1 - along(step) >= APART) chosen.push(step);
      }
    return last ? [...chosen, last] : chosen;
  };
  return { last, along, stepAt, marks };
}
