/*
 * Draw the curve below each weight matrix in the view Both: the length of its gradient over the moves
 * of a run.
 */

import { makeCurve } from "../kit/curves.js";
import { make, say } from "../kit/dom.js";
import { fixed } from "../kit/words.js";
import { WEIGHT_NAMES } from "./graph.js";
import { NAMES } from "./names.js";

/** @import { Matrices } from "./picture.js" */
/** @import { Run } from "./run.js" */

/** @param {Matrices} matrices @param {AbortSignal} ended @param {() => void} resized */
export function makeTraces(matrices, ended, resized) {
  const traces = WEIGHT_NAMES.filter((name) => name in matrices).map((name) => {
    const label = `length of the gradient of ${NAMES[name].spoken}`;
    const curve = makeCurve(label, ended, resized);
    const number = make("span", { title: label });
    matrices[name].box.append(make("div", { class: "lab-trace" }, number, curve.svg));
    return { name, number, curve };
  });
  /** All curves have the same scale. @param {Run} run */
  const show = ({ lengths, hands }) => {
    const most = Math.max(0, ...lengths.flatMap((now) => Object.values(now)));
    for (const { name, number, curve } of traces) {
      const each = lengths.map((now) => now[name]);
      say(number, `gradient ${fixed(each[each.length - 1] ?? 0)}`);
      curve.show(each, most, hands);
    }
  };
  return { show };
}
