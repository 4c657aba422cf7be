/* The query among the keys: rows of W_Q and W_K, as arrows. */

import { set } from "../kit/dom.js";
import { around, labelArrows, makeArrow, makeGrid, makeSquare } from "../kit/plane.js";
import { fixed } from "../kit/words.js";

/** @import { Pass, Place, Setup } from "./compute.js" */
/** @import { Point } from "../kit/points.js" */

/** The arrows' points, the query first. @param {Place} place @returns {Point[]} */
export function pointsOf({ weights: { w_q, w_k } }) {
  const last = w_q.length - 1;
  return /** @type {Point[]} */ ([w_q[last], ...w_k.slice(0, last)]);
}

/** @param {Setup} setup @param {AbortSignal} ended @param {() => void} resized */
export function makePlane({ words, asker, bounds }, ended, resized) {
  const arrows = [asker, ...words].map((name, i) => makeArrow(name, i ? "key" : "query"));
  const grid = makeGrid();
  const label = { class: "look-plane", role: "group", "aria-label": "The query and the keys" };
  const square = makeSquare(label, ended, resized);
  const [first, ...rest] = arrows.map(({ group }) => group);
  const tips = arrows.flatMap(({ tip, ring }) => [tip, ring]);
  square.svg.append(grid.group, ...rest, first, ...tips);
  /** @param {Place} place @param {Pass} found */
  const show = (place, { attention }) => {
    const frame = around(bounds.w_q, square.fit());
    const points = pointsOf(place);
    grid.show(frame, labelArrows(arrows, points, frame));
    const best = attention.indexOf(Math.max(...attention));
    points.forEach((point, i) => {
      const where = `x ${fixed(point[0])}, y ${fixed(point[1])}`;
      arrows[i].show(point, frame, i ? `${where}, weight ${fixed(attention[i - 1])}` : where, false);
      set(arrows[i].group, { "data-picked": i === best + 1 });
    });
  };
  return { svg: square.svg, tips: arrows.map(({ tip }) => tip), show };
}
