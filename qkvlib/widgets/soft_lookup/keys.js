/* The left plane: the query, the keys, and for a hard lookup the borders at which it jumps. */

import { draw, set } from "../kit/dom.js";
import { around, labelArrows, makeArrow, makeGrid, makeSquare } from "../kit/plane.js";
import { atEdge } from "../kit/points.js";
import { drawRegions, winners } from "../kit/regions.js";
import { spokenArrow } from "./words.js";

/** @import { LookupSetup, LookupState } from "./compute.js" */

/** @param {LookupSetup} setup @param {AbortSignal} ended @param {() => void} resized */
export function makeKeys({ names, query_name }, ended, resized) {
  const arrows = [query_name, ...names].map((name, i) => makeArrow(name, i ? "key" : "query"));
  const regions = draw("g");
  const grid = makeGrid();
  const edge = draw("circle", { class: "plane-edge" });
  const label = { class: "soft-keys", role: "group", "aria-label": "The query and the keys" };
  const square = makeSquare(label, ended, resized);
  const [first, ...rest] = arrows.map(({ group }) => group);
  const tips = arrows.flatMap(({ tip, ring }) => [tip, ring]);
  square.svg.append(regions, grid.group, edge, ...rest, first, ...tips);

  /** @param {LookupState} state @param {boolean[]} pinned */
  const show = (state, pinned) => {
    const { query, keys, limit, hard } = state;
    const side = square.fit();
    const frame = around(limit, side);
    const won = hard ? drawRegions(winners(keys), names, frame) : null;
    regions.replaceChildren(...(won?.parts ?? []));
    const points = [query, ...keys];
    const middle = side / 2;
    const touched = points.some((point, i) => !pinned[i] && atEdge(point, limit));
    set(edge, { cx: middle, cy: middle, r: middle - 1, "data-touched": touched });
    const others = won?.boxes ?? [];
    grid.show(frame, [...others, ...labelArrows(arrows, points, frame, others)]);
    points.forEach((point, i) => {
      arrows[i].show(point, frame, spokenArrow(state, names, i), pinned[i]);
    });
    const best = state.weights.indexOf(Math.max(...state.weights));
    arrows.forEach(({ group }, i) => set(group, { "data-picked": i === best + 1 }));
  };
  return { svg: square.svg, tips: arrows.map(({ tip }) => tip), show };
}
