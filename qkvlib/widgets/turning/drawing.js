/*
 * The plane: the query at its position, and the same key at every position that the query can see.
 */

import { draw, set } from "../kit/dom.js";
import { around, labelArrows, makeArrow, makeGrid, makeSquare, path, place as placed } from "../kit/plane.js";
import { atEdge, direction, lengthOf, turned } from "../kit/points.js";
import { spokenArrow } from "./words.js";

/** @import { TurningSetup, TurningState } from "./compute.js" */

const ARC = 0.24; // of the limit: the radius of the arc that shows the query's rotation

/** @param {TurningSetup} setup @param {AbortSignal} ended @param {() => void} resized */
export function makeDrawing({ names }, ended, resized) {
  const query = makeArrow("q", "query");
  const keys = names.map((_, i) => makeArrow(String(i), "key"));
  const grid = makeGrid();
  const edge = draw("circle", { class: "plane-edge" });
  const arc = draw("path", { class: "turn-arc" });
  const label = { class: "turn-plane", role: "group", "aria-label": "The query and the keys" };
  const square = makeSquare(label, ended, resized);
  const held = [query, keys[0]];
  set(query.tip, { "aria-label": "query q, at its position" });
  set(keys[0].tip, { "aria-label": "key k, at position 0" });
  square.svg.append(
    grid.group,
    edge,
    arc,
    ...keys.map(({ group }) => group).reverse(),
    query.group,
    ...held.flatMap(({ tip, ring }) => [tip, ring]),
  );

  /** @param {TurningState} state @param {boolean[]} pinned  query and key */
  const show = (state, pinned) => {
    const { place, angle, limit, weights } = state;
    const side = square.fit();
    const frame = around(limit, side);
    const middle = side / 2;
    const touched = [state.query, state.key].some((arrow, i) => !pinned[i] && atEdge(arrow, limit));
    set(edge, { cx: middle, cy: middle, r: middle - 1, "data-touched": touched });
    const asks = turned(state.query, angle * place);
    const found = keys.map((_, at) => turned(state.key, angle * at));
    const most = weights.indexOf(Math.max(...weights));
    query.show(asks, frame, spokenArrow(state, asks, 0), pinned[0]);
    keys.forEach((key, at) => {
      key.show(found[at], frame, spokenArrow(state, found[at], 1), at > 0 || pinned[1]);
      set(key.group, { "data-unseen": at > place, "data-picked": at === place - most });
    });
    const from = direction(state.query);
    const steps = Array.from({ length: 49 }, (_, i) =>
      placed(turned([ARC * limit, 0], from + (i / 48) * angle * place), frame),
    );
    set(arc, { d: lengthOf(state.query) && place ? path(...steps) : null });
    const seen = found.slice(0, place + 1);
    grid.show(frame, labelArrows([query, ...keys], [asks, ...seen], frame));
  };
  return { svg: square.svg, tips: held.map(({ tip }) => tip), show };
}
