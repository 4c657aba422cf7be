/* Show which key wins where: divide the plane by the directions in which a query prefers each key. */

import { draw } from "./dom.js";
import { dot } from "./lookup.js";
import { path, place } from "./plane.js";
import { direction, turned } from "./points.js";

/** @import { Box, Frame } from "./plane.js" */
/** @import { Point } from "./points.js" */

/** @typedef {{ from: number, to: number, key: number }} Region  in degrees, anticlockwise */

const NARROW = 20; // degrees: too narrow for a name
const TINTS = [0.07, 0.17, 0.27, 0.12, 0.22];

/**
 * Return the regions in which each key has the largest dot product with the query. The query's
 * length makes no difference.
 * @param {Point[]} tips  of the keys
 * @returns {Region[]}
 */
export function winners(tips) {
  // Two keys score equally where the query is at a right angle to the line between their tips.
  const cuts = tips.flatMap((one, i) =>
    tips.slice(i + 1).flatMap((other) => {
      const between = direction([one[0] - other[0], one[1] - other[1]]);
      return one[0] === other[0] && one[1] === other[1] ? [] : [between + 90, between - 90];
    }),
  );
  const angles = [...new Set(cuts.map((cut) => Number(((cut + 720) % 360).toFixed(6))))];
  angles.sort((a, b) => a - b);
  if (!angles.length) return [{ from: 0, to: 360, key: 0 }];
  /** @type {Region[]} */
  const regions = [];
  angles.forEach((from, i) => {
    const to = angles[i + 1] ?? angles[0] + 360;
    const scores = tips.map((tip) => dot(turned([1, 0], (from + to) / 2), tip));
    const key = scores.indexOf(Math.max(...scores));
    const last = regions[regions.length - 1];
    if (last?.key === key) last.to = to;
    else regions.push({ from, to, key });
  });
  const [first, last] = [regions[0], regions[regions.length - 1]];
  if (regions.length > 1 && first.key === last.key) {
    regions.pop();
    first.from = last.from - 360;
  }
  return regions;
}

/**
 * Draw the regions as tinted wedges with a line between them, and the winner's name at the rim of
 * each. Return the boxes of these names, so that labels can avoid them.
 * @param {Region[]} regions @param {string[]} names @param {Frame} frame
 */
export function drawRegions(regions, names, frame) {
  const far = 2 * frame.span;
  /** @param {number} degrees @param {number} size */
  const at = (degrees, size) => place(turned([size, 0], degrees), frame);
  /** @type {Box[]} */
  const boxes = [];
  const parts = regions.flatMap(({ from, to, key }) => {
    const steps = Array.from({ length: 13 }, (_, i) => at(from + ((to - from) * i) / 12, far));
    const wedge = draw("path", {
      class: "plane-region",
      d: `${path(at(0, 0), ...steps)}Z`,
      style: `fill-opacity: ${TINTS[key % TINTS.length]}`,
    });
    const border = draw("path", { class: "plane-border", d: path(at(0, 0), at(from, far)) });
    const cut = regions.length > 1 ? [wedge, border] : [wedge];
    if (to - from < NARROW) return cut;
    const text = `${names[key]} wins`;
    const box = boxAt(at((from + to) / 2, 0.43 * frame.span), 6.4 * text.length, frame.side);
    boxes.push(box);
    return [...cut, draw("text", { class: "plane-winner", x: box.x, y: box.y + 4 }, text)];
  });
  return { parts, boxes };
}

/**
 * Return a box around a point, kept inside the plane, and above an axis rather than on it.
 * @param {number[]} point
 * @param {number} width
 * @param {number} side
 * @returns {Box}
 */
function boxAt([x, y], width, side) {
  const within = Math.min(Math.max(x, width / 2 + 6), side - width / 2 - 6);
  const below = y - side / 2; // the axis has its numbers there
  return { x: within, y: below > -12 && below < 26 ? side / 2 - 12 : y, width, height: 16 };
}
