/* The loss curves, above the slider that moves through the run. */

import { draw, make, say, set } from "../kit/dom.js";
import { fixed } from "../kit/words.js";

/** @import { Axis } from "./axis.js" */
/** @import { Frames } from "./frames.js" */

/** @param {number} runs @param {Axis} axis */
export function makeCurve(runs, axis) {
  const paths = Array.from({ length: runs }, (_, i) => draw("path", { class: "rep-loss", "data-run": i }));
  const most = make("span");
  const cursor = make("b", { class: "rep-cursor" });
  const drawing = draw(
    "svg",
    { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...paths,
  );
  const plot = make(
    "div",
    { class: "rep-curve" },
    drawing,
    make("div", { class: "rep-axis" }, most, make("span", {}, "loss"), make("span", {}, "0")),
    cursor,
  );
  const marks = axis.marks().map((step) => {
    const mark = make("span", {}, String(step));
    mark.style.left = `${100 * axis.along(step)}%`;
    return mark;
  });
  const element = make("div", {}, plot, make("div", { class: "rep-marks", "aria-hidden": "true" }, ...marks));
  /** @param {Frames[]} played */
  const lay = (played) => {
    const top = Math.max(...played.flatMap(({ losses }) => losses.map((loss) => loss ?? 0))) || 1;
    say(most, fixed(top, top < 100 ? 2 : 0));
    played.forEach(({ steps, losses }, i) => {
      let path = "";
      losses.forEach((loss, at) => {
        if (loss === null) return;
        const x = 1000 * axis.along(steps[at]);
        path += `${path ? "L" : "M"}${x.toFixed(1)} ${(98 - (94 * loss) / top).toFixed(1)}`;
      });
      set(paths[i], { d: path });
    });
  };
  /** @param {number} step */
  const show = (step) => {
    cursor.style.left = `${100 * axis.along(step)}%`;
  };
  return { element, lay, show };
}
