/*
 * The right plane: the values, and the blend among them, with a line to each value that shows its
 * weight.
 */

import { draw, set } from "../kit/dom.js";
import { labelWidth, makeGrid, makeSquare, path, place, placeLabels, putLabels } from "../kit/plane.js";
import { frameOf, hull } from "./compute.js";
import { point } from "./words.js";

/** @import { LookupSetup, LookupState } from "./compute.js" */

const THICKEST = 16; // pixels, for a line with a weight of one

/** @param {LookupSetup} setup @param {AbortSignal} ended @param {() => void} resized */
export function makeValues({ names }, ended, resized) {
  const square = makeSquare({ class: "soft-values", role: "img" }, ended, resized);
  const grid = makeGrid();
  const region = draw("path", { class: "soft-hull" });
  const ties = names.map(() => draw("path", { class: "soft-tie" }));
  const dots = names.map(() => draw("circle", { class: "soft-value", r: 6 }));
  const labels = names.map((name) => draw("text", { class: "plane-label qkv-value" }, name));
  const output = draw("circle", { class: "soft-blend", r: 9 });
  const outputLabel = draw("text", { class: "plane-label" }, "blend");
  const texts = [outputLabel, ...labels];
  square.svg.append(grid.group, region, ...ties, ...dots, output, ...texts);

  /** @param {LookupState} state */
  const show = ({ values, weights, output: at }) => {
    const side = square.fit();
    const frame = { ...frameOf(values), side };
    const ends = values.map((value) => place(value, frame));
    const [x, y] = place(at, frame);
    const corners = hull(values).map((corner) => place(corner, frame));
    set(region, { d: `${path(...corners)}Z` });
    ends.forEach((end, i) => {
      set(ties[i], { d: path([x, y], end), "stroke-width": (THICKEST * weights[i]).toFixed(2) });
      set(dots[i], { cx: end[0], cy: end[1] });
    });
    set(output, { cx: x, cy: y });
    // The names of the values stay on their outer side; the name of the blend is placed between
    // them.
    const [centre, middle] = [0, 1].map(
      (axis) => ends.reduce((sum, end) => sum + end[axis], 0) / ends.length,
    );
    const named = ends.map((end, i) => ({
      tip: end,
      width: labelWidth(names[i]),
      wish: (Math.atan2(middle - end[1], end[0] - centre) * 180) / Math.PI,
    }));
    const blend = { tip: [x, y], width: labelWidth("blend"), wish: 60 };
    const boxes = placeLabels([...named, blend], [], side);
    putLabels([...labels, outputLabel], boxes);
    const dotted = ends.map((end) => ({ x: end[0], y: end[1], width: 12, height: 12 }));
    grid.show(frame, [...boxes, ...dotted]);
    const shares = names.map((name, i) => `${name} ${point(values[i])}`).join(", ");
    set(square.svg, { "aria-label": `The values: ${shares}. Their blend is at ${point(at)}.` });
  };
  return { svg: square.svg, show };
}
