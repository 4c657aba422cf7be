/* The plane: arrows, grid, shadow and angle, and where the labels stand. */

import { draw, say, set } from "../kit/dom.js";
import { fixed } from "../kit/words.js";
import { spoken } from "./numbers.js";
import { direction, lengthOf, turned, withLength } from "./points.js";

/** @import { Point, VectorsState } from "./points.js" */

const SIDE = 400;

/** A point of the plane in the drawing's units. @param {Point} point @param {number} limit */
const place = ([x, y], limit) => [
  SIDE / 2 + (x * SIDE) / 2 / limit,
  SIDE / 2 - (y * SIDE) / 2 / limit,
];

/** @param {number[][]} points */
const path = (...points) =>
  `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;

/**
 * The drawing. `show` is a function of what it is given alone.
 * @param {string[]} names
 */
export function makePlane(names) {
  const positive = draw("rect", { class: "vec-positive", y: -SIDE, width: SIDE, height: 2 * SIDE });
  const negative = draw("rect", {
    class: "vec-negative",
    x: -SIDE,
    y: -SIDE,
    width: SIDE,
    height: 2 * SIDE,
  });
  const sides = draw("g", {}, positive, negative);
  const grid = draw("g", { class: "vec-grid" });
  const zero = draw("path", { class: "vec-zero" });
  const ray = draw("path", { class: "vec-ray" });
  const held = draw("circle", { class: "vec-held", cx: SIDE / 2, cy: SIDE / 2 });
  const shadow = draw("path", { class: "vec-shadow" });
  const drop = draw("path", { class: "vec-drop" });
  const arc = draw("path", { class: "vec-arc" });
  const arcText = draw("text", { "data-computed": true, class: "vec-arc-text" });
  const arrows = ["q", ...names].map((name, i) => {
    const line = draw("path", { class: "vec-line" });
    const head = draw("path", { class: "vec-head" });
    const label = draw("text", { class: "vec-label" }, name);
    const grip = draw("circle", { class: "vec-grip", r: 9 });
    const group = draw(
      "g",
      { class: i ? "vec-arrow qkv-key" : "vec-arrow qkv-query" },
      line,
      head,
      grip,
      label,
    );
    const tip = draw("circle", {
      class: "vec-tip",
      r: 18,
      tabindex: 0,
      role: "slider",
      "aria-roledescription": "arrow tip",
      "aria-label": i ? `key ${name}` : "query q",
      "aria-valuemin": -180,
      "aria-valuemax": 180,
    });
    return { group, line, head, label, grip, tip };
  });
  const [first, ...rest] = arrows.map((arrow) => arrow.group);
  const svg = draw(
    "svg",
    {
      class: "vec-plane",
      viewBox: `0 0 ${SIDE} ${SIDE}`,
      role: "group",
      "aria-label": "The plane",
    },
    sides,
    grid,
    zero,
    ray,
    held,
    shadow,
    drop,
    arc,
    arcText,
    ...rest,
    first,
    ...arrows.map((arrow) => arrow.tip),
  );
  let gridLimit = 0;

  /**
   * @param {VectorsState} state
   * @param {{ picked: number, pinned: boolean[], holding: number | null }} hand
   */
  const show = (state, { picked, pinned, holding }) => {
    const { limit, query } = state;
    const middle = [SIDE / 2, SIDE / 2];
    if (limit !== gridLimit) {
      grid.replaceChildren(...gridLines(limit));
      gridLimit = limit;
    }
    const turn = -direction(query);
    const hasDirection = lengthOf(query) > 0;
    set(sides, { transform: `translate(${SIDE / 2} ${SIDE / 2}) rotate(${turn.toFixed(2)})` });
    sides.style.display = zero.style.display = ray.style.display = hasDirection ? "" : "none";
    const far = withLength(query, 3 * limit);
    const back = /** @type {Point} */ ([-far[0], -far[1]]);
    set(ray, { d: path(place(back, limit), place(far, limit)) });
    set(zero, { d: path(place(turned(far, 90), limit), place(turned(far, -90), limit)) });
    set(held, { r: holding === null ? 0 : (holding * SIDE) / 2 / limit });
    showShadow(state, picked, { shadow, drop });
    const angle = showAngle(state, picked, { arc, arcText });
    showLabels(state, picked, arrows, angle);
    [query, ...state.keys].forEach((point, i) => {
      const { group, line, head, grip, tip } = arrows[i];
      const [x, y] = place(point, limit);
      const length = Math.hypot(x - SIDE / 2, y - SIDE / 2);
      const along = length ? [(x - SIDE / 2) / length, (y - SIDE / 2) / length] : [0, -1];
      const size = Math.min(13, length);
      const neck = [x - along[0] * size, y - along[1] * size];
      const wing = [-along[1] * size * 0.42, along[0] * size * 0.42];
      set(line, { d: path(middle, neck) });
      set(head, {
        d: `${path([x, y], [neck[0] + wing[0], neck[1] + wing[1]], [neck[0] - wing[0], neck[1] - wing[1]])}Z`,
      });
      set(grip, { cx: x, cy: y });
      set(tip, {
        cx: x,
        cy: y,
        "aria-valuenow": Math.round(direction(point)),
        "aria-valuetext": spoken(state, i),
        "aria-readonly": pinned[i] ? "true" : null,
      });
      set(group, { "data-picked": i === picked + 1, "data-pinned": pinned[i] });
    });
  };
  return { svg, tips: arrows.map((arrow) => arrow.tip), show };
}

/**
 * @param {VectorsState} state @param {number} picked
 * @param {{ label: SVGElement }[]} arrows
 * @param {Box | null} angle  where the angle's number stands
 */
function showLabels({ query, keys, limit }, picked, arrows, angle) {
  // The query's letter steps aside, away from the shadow's right angle and the key in hand.
  const side = query[0] * keys[picked][1] - query[1] * keys[picked][0] < 0 ? 1 : -1;
  const labels = [query, ...keys].map((point, i) => ({
    tip: place(point, limit),
    width: labelWidth(arrows[i].label.textContent ?? ""),
    wish: lengthOf(point) ? direction(point) + (i ? 0 : 80 * side) : 90,
  }));
  placeLabels(labels, angle ? [angle] : []).forEach(({ x, y }, i) => {
    set(arrows[i].label, { x: x.toFixed(1), y: (y + 5).toFixed(1) });
  });
}

/** @param {number} limit */
function gridLines(limit) {
  const unit = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => limit / size <= 5) ?? 1000;
  const parts = [];
  for (let n = -Math.floor(limit / unit); n <= limit / unit; n++) {
    const [x] = place([n * unit, 0], limit);
    const kind = n === 0 ? "vec-axis" : null;
    parts.push(draw("path", { class: kind, d: `M${x} 0V${SIDE}M0 ${x}H${SIDE}` }));
    if (n === 0 || Math.abs(n * unit) > 0.95 * limit) continue;
    const number = fixed(n * unit, unit < 1 ? 1 : 0);
    parts.push(draw("text", { x, y: SIDE / 2 + 13, "text-anchor": "middle" }, number));
    parts.push(draw("text", { x: SIDE / 2 - 5, y: SIDE - x + 4, "text-anchor": "end" }, number));
  }
  return parts;
}

/**
 * The projection of the key in hand on the query's line: signed, it is length times cosine.
 * @param {VectorsState} state @param {number} picked
 * @param {{ shadow: SVGElement, drop: SVGElement }} parts
 */
function showShadow({ query, keys, limit }, picked, { shadow, drop }) {
  const key = keys[picked];
  const size = lengthOf(query);
  shadow.style.display = drop.style.display = size ? "" : "none";
  if (!size) return;
  const amount = (key[0] * query[0] + key[1] * query[1]) / size;
  const foot = place(withLength(query, amount), limit);
  set(shadow, { d: path([SIDE / 2, SIDE / 2], foot), "data-sign": amount < 0 ? "minus" : "plus" });
  const tip = place(key, limit);
  const apart = Math.hypot(tip[0] - foot[0], tip[1] - foot[1]);
  const inward = Math.hypot(foot[0] - SIDE / 2, foot[1] - SIDE / 2);
  let corner = "";
  if (apart > 16 && inward > 16) {
    const up = [((tip[0] - foot[0]) / apart) * 8, ((tip[1] - foot[1]) / apart) * 8];
    const home = [((SIDE / 2 - foot[0]) / inward) * 8, ((SIDE / 2 - foot[1]) / inward) * 8];
    corner = path(
      [foot[0] + up[0], foot[1] + up[1]],
      [foot[0] + up[0] + home[0], foot[1] + up[1] + home[1]],
      [foot[0] + home[0], foot[1] + home[1]],
    );
  }
  set(drop, { d: path(tip, foot) + corner });
}

/**
 * The angle between the query and the key in hand; where its number stands, if there is one.
 * @param {VectorsState} state @param {number} picked
 * @param {{ arc: SVGElement, arcText: SVGElement }} parts
 * @returns {Box | null}
 */
function showAngle({ query, keys, limit }, picked, { arc, arcText }) {
  const key = keys[picked];
  const shown = lengthOf(query) > 0 && lengthOf(key) > 0;
  arc.style.display = arcText.style.display = shown ? "" : "none";
  if (!shown) return null;
  const from = direction(query);
  const sweep = ((direction(key) - from + 540) % 360) - 180;
  const radius = (34 * 2 * limit) / SIDE;
  /** @param {number} share @param {number} size */
  const at = (share, size) => place(turned([size, 0], from + share * sweep), limit);
  const steps = Array.from({ length: 25 }, (_, i) => at(i / 24, radius));
  set(arc, { d: path(...steps) });
  // A narrow angle has no room for its number: that stands beside it, behind the key.
  const middle = Math.abs(sweep) > 32 ? 0.5 : 1 + (Math.sign(sweep || 1) * 20) / (sweep || 1);
  const [x, y] = at(middle, 1.45 * radius);
  set(arcText, { x: x.toFixed(1), y: (y + 4).toFixed(1) });
  say(arcText, `${Math.abs(sweep).toFixed(0)}°`);
  return { x, y, width: 28, height: 16 };
}

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

/**
 * The label's box in a direction from its tip, pushed back into the plane.
 * @param {Label} label
 * @param {number} degrees
 * @param {number} distance
 * @returns {Box}
 */
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
export function placeLabels(labels, others) {
  const tips = labels.map(({ tip: [x, y] }) => ({ x, y, width: TIP_SIZE, height: TIP_SIZE }));
  /** @type {Box[]} */
  const placed = [];
  for (const label of labels) {
    let [best, least] = [/** @type {Box | null} */ (null), Infinity];
    DISTANCES.forEach((distance, ring) =>
      TURNS.forEach((turn, order) => {
        const box = boxBeside(label, label.wish + turn, distance);
        /** @param {Box[]} boxes */
        const covered = (boxes) => boxes.reduce((area, other) => area + shared(box, other), 0);
        const cost =
          100 * covered(placed) + covered(tips) + covered(others) + 20 * ring + 2 * order;
        if (cost < least) [best, least] = [box, cost];
      }),
    );
    placed.push(/** @type {Box} */ (/** @type {unknown} */ (best)));
  }
  return placed;
}
