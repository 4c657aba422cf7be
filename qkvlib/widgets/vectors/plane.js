/*
 * The plane: the halves before and behind the query, and the shadow and the angle of the current
 * key.
 */

import { draw, say, set } from "../kit/dom.js";
import { around, labelArrows, makeArrow, makeGrid, makeSquare, path, place } from "../kit/plane.js";
import { atEdge, direction, lengthOf, turned, withLength } from "../kit/points.js";
import { drawRegions, winners } from "../kit/regions.js";
import { fixed } from "../kit/words.js";
import { spoken } from "./numbers.js";

/** @import { Box, Frame } from "../kit/plane.js" */
/** @import { VectorsState } from "./compute.js" */

/** @typedef {ReturnType<typeof drawParts>} Parts */

function drawParts() {
  const positive = draw("path", { class: "vec-positive" });
  const negative = draw("path", { class: "vec-negative" });
  return {
    ...{ positive, negative },
    sides: draw("g", {}, positive, negative),
    regions: draw("g"),
    edge: draw("circle", { class: "plane-edge" }),
    edgeText: draw("text", { class: "vec-edge-text" }),
    zero: draw("path", { class: "vec-zero" }),
    ray: draw("path", { class: "vec-ray" }),
    shadow: draw("path", { class: "vec-shadow" }),
    drop: draw("path", { class: "vec-drop" }),
    arc: draw("path", { class: "vec-arc" }),
    arcText: draw("text", { class: "vec-arc-text" }),
  };
}

/**
 * Make the drawing. `show` depends only on its arguments and on the drawing's size on the page.
 * @param {string[]} names @param {boolean} cut  whether it shows which key wins where
 * @param {AbortSignal} ended @param {() => void} resized
 */
export function makePlane(names, cut, ended, resized) {
  const parts = drawParts();
  const { sides, regions, edge, edgeText, zero, ray, shadow, drop, arc, arcText } = parts;
  const grid = makeGrid();
  const arrows = ["q", ...names].map((name, i) => makeArrow(name, i ? "key" : "query"));
  const [first, ...rest] = arrows.map((arrow) => arrow.group);
  const label = { class: "vec-plane", role: "group", "aria-label": "The plane" };
  const square = makeSquare(label, ended, resized);
  square.svg.append(
    ...[cut ? regions : sides, grid.group, edge],
    ...(cut ? [] : [zero]),
    ...[ray, shadow, drop, arc, arcText, edgeText],
    ...[...rest, first],
    ...arrows.flatMap(({ tip, ring }) => [tip, ring]),
  );

  /** @param {VectorsState} state @param {number} picked @param {boolean[]} pinned */
  const show = (state, picked, pinned) => {
    const { limit, query } = state;
    const side = square.fit();
    const frame = around(limit, side);
    const won = cut ? drawRegions(winners(state.keys), names, frame) : null;
    regions.replaceChildren(...(won?.parts ?? []));
    showHalves(state, frame, parts);
    const middle = side / 2;
    const points = [query, ...state.keys];
    const touched = points.findIndex((point, i) => !pinned[i] && atEdge(point, limit));
    set(edge, { cx: middle, cy: middle, r: middle - 1, "data-touched": touched >= 0 });
    set(edgeText, { x: middle, y: side - 7 });
    say(edgeText, touched < 0 ? "" : `No longer than ${fixed(limit)}: the edge of this plane`);
    showShadow(state, picked, frame, parts);
    const angle = showAngle(state, picked, frame, parts);
    const others = [...(angle ? [angle] : []), ...(won?.boxes ?? [])];
    // The query's letter keeps out of the way of the shadow's right angle and of the current key.
    const key = state.keys[picked];
    const aside = query[0] * key[1] - query[1] * key[0] < 0 ? 80 : -80;
    grid.show(frame, [...others, ...labelArrows(arrows, points, frame, others, aside)]);
    points.forEach((point, i) => {
      arrows[i].show(point, frame, spoken(state, i), pinned[i]);
      set(arrows[i].group, { "data-picked": i === picked + 1 });
    });
  };
  return { svg: square.svg, tips: arrows.map((arrow) => arrow.tip), show };
}

/**
 * Show the query's line, and the halves of the plane before it and behind it.
 * @param {VectorsState} state @param {Frame} frame @param {Parts} parts
 */
function showHalves({ query, limit }, frame, { sides, zero, ray, positive, negative }) {
  const hasDirection = lengthOf(query) > 0;
  sides.style.display = zero.style.display = ray.style.display = hasDirection ? "" : "none";
  const far = withLength(query, 3 * limit);
  const [ahead, left, back, right] = [0, 90, 180, 270].map((way) => place(turned(far, way), frame));
  set(ray, { d: path(back, ahead) });
  set(zero, { d: path(left, right) });
  set(positive, { d: path(left, ahead, right) });
  set(negative, { d: path(left, back, right) });
}

/**
 * Show the projection of the current key on the query's line: signed, it is length times cosine.
 * @param {VectorsState} state @param {number} picked @param {Frame} frame
 * @param {Parts} parts
 */
function showShadow({ query, keys }, picked, frame, { shadow, drop }) {
  const key = keys[picked];
  const size = lengthOf(query);
  shadow.style.display = drop.style.display = size ? "" : "none";
  if (!size) return;
  const amount = (key[0] * query[0] + key[1] * query[1]) / size;
  const middle = frame.side / 2;
  const foot = place(withLength(query, amount), frame);
  set(shadow, { d: path([middle, middle], foot), "data-sign": amount < 0 ? "minus" : "plus" });
  const tip = place(key, frame);
  const apart = Math.hypot(tip[0] - foot[0], tip[1] - foot[1]);
  const inward = Math.hypot(foot[0] - middle, foot[1] - middle);
  let corner = "";
  if (apart > 16 && inward > 16) {
    const up = [((tip[0] - foot[0]) / apart) * 8, ((tip[1] - foot[1]) / apart) * 8];
    const home = [((middle - foot[0]) / inward) * 8, ((middle - foot[1]) / inward) * 8];
    corner = path(
      [foot[0] + up[0], foot[1] + up[1]],
      [foot[0] + up[0] + home[0], foot[1] + up[1] + home[1]],
      [foot[0] + home[0], foot[1] + home[1]],
    );
  }
  set(drop, { d: path(tip, foot) + corner });
}

/**
 * Show the angle between the query and the current key; return where its number is, if there is
 * one.
 * @param {VectorsState} state @param {number} picked @param {Frame} frame
 * @param {Parts} parts
 * @returns {Box | null}
 */
function showAngle({ query, keys }, picked, frame, { arc, arcText }) {
  const key = keys[picked];
  const shown = lengthOf(query) > 0 && lengthOf(key) > 0;
  arc.style.display = arcText.style.display = shown ? "" : "none";
  if (!shown) return null;
  const from = direction(query);
  const sweep = ((direction(key) - from + 540) % 360) - 180;
  const radius = (34 * frame.span) / frame.side;
  /** @param {number} share @param {number} size */
  const at = (share, size) => place(turned([size, 0], from + share * sweep), frame);
  const steps = Array.from({ length: 25 }, (_, i) => at(i / 24, radius));
  set(arc, { d: path(...steps) });
  // A narrow angle has no room for its number, so the number is beside it, behind the key.
  const middle = Math.abs(sweep) > 32 ? 0.5 : 1 + (Math.sign(sweep || 1) * 20) / (sweep || 1);
  const [x, y] = at(middle, 1.45 * radius);
  set(arcText, { x: x.toFixed(1), y: (y + 4).toFixed(1) });
  say(arcText, `${Math.abs(sweep).toFixed(0)}°`);
  return { x, y, width: 28, height: 16 };
}
