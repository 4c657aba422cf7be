/**
 * Where the labels of the arrows stand: each beside its tip, and none on another.
 *
 * @typedef {object} Label
 * @property {number[]} tip  of its arrow, in the drawing's units
 * @property {number} width
 * @property {number} wish  the direction from the tip in which it would like to stand, in degrees
 * @typedef {{ x: number, y: number, width: number, height: number }} Box  around its middle
 */

const LABEL_HEIGHT = 20;
const LETTER_WIDTH = 8.4;
const TIP_SIZE = 18;
/** From the best place to the last resort: how far to turn from the wish, and how far out. */
const TURNS = [0, 35, -35, 70, -70, 105, -105, 140, -140, 180];
const DISTANCES = [10, 26, 44];

/** @param {string} text */
const labelWidth = (text) => LETTER_WIDTH * text.length + 4;

/** The area that two boxes share. @param {Box} a @param {Box} b */
function shared(a, b) {
  const across = (a.width + b.width) / 2 - Math.abs(a.x - b.x);
  const down = (a.height + b.height) / 2 - Math.abs(a.y - b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

/** The label's box in a direction from its tip, pushed back into the plane. @param {Label} label @param {number} degrees @param {number} distance @returns {Box} */
function boxBeside({ tip, width }, degrees, distance) {
  const angle = (degrees * Math.PI) / 180;
  const [right, down] = [Math.cos(angle), -Math.sin(angle)];
  // As far out as the box needs to clear its tip.
  const far = distance + (Math.abs(right) * width + Math.abs(down) * LABEL_HEIGHT) / 2;
  /** @param {number} at @param {number} size */
  const inside = (at, size) => Math.min(Math.max(at, size / 2 + 2), SIDE - size / 2 - 2);
  return {
    x: inside(tip[0] + right * far, width),
    y: inside(tip[1] + down * far, LABEL_HEIGHT),
    width,
    height: LABEL_HEIGHT,
  };
}

/**
 * The labels' boxes, in order of their right of way. What is drawn under a label can still be
 * made out, so a tip or the angle's number costs little, and another label costs much.
 * @param {Label[]} labels @param {Box[]} others  what else should not be covered
 * @returns {Box[]}
 */
function placeLabels(labels, others) {
  const tips = labels.map(({ tip: [x, y] }) => ({ x, y, width: TIP_SIZE, height: TIP_SIZE }));
  /** @type {Box[]} */
  const placed = [];
  for (const label of labels) {
    let [best, least] = [/** @type {Box | null} */ (null), Infinity];
    DISTANCES.forEach((distance, ring) => TURNS.forEach((turn, order) => {
      const box = boxBeside(label, label.wish + turn, distance);
      /** @param {Box[]} boxes */
      const covered = (boxes) => boxes.reduce((area, other) => area + shared(box, other), 0);
      const cost = 100 * covered(placed) + covered(tips) + covered(others) + 20 * ring + 2 * order;
      if (cost < least) [best, least] = [box, cost];
    }));
    placed.push(/** @type {Box} */ (/** @type {unknown} */ (best)));
  }
  return placed;
}
