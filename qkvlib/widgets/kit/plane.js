/* Draw in a plane: its grid, its arrows with their tips, and the labels. */

import { draw, set, sizeOf } from "./dom.js";
import { direction, lengthOf } from "./points.js";
import { fixed } from "./words.js";

/** @import { Point } from "./points.js" */

/**
 * @typedef {object} Frame  the visible square of the plane, and its size on the screen
 * @property {number} left
 * @property {number} bottom
 * @property {number} span
 * @property {number} side  in the drawing's units, which are the page's pixels
 */

/** Return the square around the origin. @param {number} limit @param {number} side @returns {Frame} */
export const around = (limit, side) => ({ left: -limit, bottom: -limit, span: 2 * limit, side });

/** Convert a point to the drawing's units. @param {Point} point @param {Frame} frame */
export const place = ([x, y], { left, bottom, span, side }) => [
  ((x - left) / span) * side,
  side - ((y - bottom) / span) * side,
];

/** Return an SVG path through points. @param {number[][]} points */
export const path = (...points) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}`;

/**
 * Return the point under the pointer.
 * @param {PointerEvent} event
 * @param {SVGElement} svg
 * @param {Frame} frame
 * @returns {Point}
 */
export function under(event, svg, { left, bottom, span }) {
  const box = svg.getBoundingClientRect();
  return [
    left + (span * (event.clientX - box.left)) / box.width,
    bottom + span * (1 - (event.clientY - box.top) / box.height),
  ];
}

/**
 * Make a square whose units are pixels, so that letters and tips keep their size on a narrow page.
 * `resized` is called when its size changes.
 * @param {Record<string, any>} attributes @param {AbortSignal} ended @param {() => void} resized
 */
export function makeSquare(attributes, ended, resized) {
  const svg = draw("svg", { ...attributes, class: `plane ${attributes.class}` });
  const size = sizeOf(svg, { width: 400, height: 400 }, ended, resized);
  /** Fit the units to the square's present size, and return its side. */
  const fit = () => {
    set(svg, { viewBox: `0 0 ${size.width} ${size.width}` });
    return size.width;
  };
  return { svg, fit };
}

/** Return the distance between the lines of the grid. @param {Frame} frame */
const unitOf = ({ span }) =>
  [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => span / size <= 10) ?? 1000;

/**
 * Return the values that have a grid line, starting from an edge of the frame.
 * @param {Frame} frame
 * @param {number} from
 */
function lined(frame, from) {
  const unit = unitOf(frame);
  const first = Math.ceil(from / unit);
  const count = Math.floor((from + frame.span) / unit) - first + 1;
  return Array.from({ length: count }, (_, n) => (first + n) * unit);
}

const DIGIT = 7; // pixels, the width of one digit on an axis
const DIGITS_HIGH = 10;

/**
 * Place the numbers of the axes, or at the border if an axis is out of sight: below and to the
 * left, or on the other side if there is no space.
 * @param {Frame} frame @returns {{ text: string, box: Box }[]}
 */
export function gridNumbers(frame) {
  const { left, bottom, side } = frame;
  const digits = unitOf(frame) < 1 ? 1 : 0;
  const [across, down] = place([0, 0], frame);
  /** @param {number} value @param {(width: number) => { x: number, y: number }} where */
  const number = (value, where) => {
    const text = fixed(value, digits);
    const width = DIGIT * text.length;
    return { text, box: { ...where(width), width, height: DIGITS_HIGH } };
  };
  const y = down > side - 20 ? Math.min(down - 11, side - 9) : Math.max(down, 0) + 11;
  /** Return values and their positions along an axis. @param {number} from @param {number} axis */
  const along = (from, axis) =>
    lined(frame, from)
      .map((value) => [value, place([value, value], frame)[axis]])
      .filter(([value, at]) => value && at > 7 && at < side - 7);
  const columns = along(left, 0).map(([value, x]) => number(value, () => ({ x, y })));
  const rows = along(bottom, 1).map(([value, y]) =>
    number(value, (width) => {
      const far = 5 + width / 2;
      return { x: across < 2 * far ? Math.max(across, 0) + far : Math.min(across, side) - far, y };
    }),
  );
  return [...columns, ...rows];
}

/** Make the grid of a plane, and the numbers at its axes. */
export function makeGrid() {
  const group = draw("g", { class: "plane-grid" });
  let drawn = "";
  /** @type {{ box: Box, element: SVGElement }[]} */
  let numbers = [];
  /** @param {Frame} frame */
  const lay = (frame) => {
    const { left, bottom, side } = frame;
    const lines = [
      ...lined(frame, left).map((value) => [value, `M${place([value, 0], frame)[0]} 0V${side}`]),
      ...lined(frame, bottom).map((value) => [value, `M0 ${place([0, value], frame)[1]}H${side}`]),
    ].map(([value, d]) => draw("path", { class: value ? null : "plane-axis", d }));
    numbers = gridNumbers(frame).map(({ text, box }) => ({
      box,
      element: draw("text", { x: box.x, y: box.y + 4, "text-anchor": "middle" }, text),
    }));
    group.replaceChildren(...lines, ...numbers.map(({ element }) => element));
  };
  /** @param {Frame} frame @param {Box[]} written  other texts: a number of the grid under one is hidden */
  const show = (frame, written) => {
    const wanted = JSON.stringify(frame);
    if (drawn !== wanted) lay(frame);
    drawn = wanted;
    for (const { box, element } of numbers) {
      const hidden = written.some((other) => shared(box, other) > 0);
      set(element, { visibility: hidden ? "hidden" : null });
    }
  };
  return { group, show };
}

/**
 * Make an arrow from the origin, with its name and a tip to drag.
 * @param {string} name @param {"query" | "key"} role
 */
export function makeArrow(name, role) {
  const line = draw("path", { class: "plane-line" });
  const head = draw("path", { class: "plane-head" });
  const label = draw("text", { class: "plane-label" }, name);
  const grip = draw("circle", { class: "plane-grip", r: 9 });
  const group = draw("g", { class: `plane-arrow qkv-${role}` }, line, head, grip, label);
  const ring = draw("circle", { class: "plane-ring", r: 14 });
  const tip = draw("circle", {
    class: "plane-tip",
    r: 20,
    tabindex: 0,
    role: "slider",
    "aria-roledescription": "arrow tip",
    "aria-label": `${role} ${name}`,
    "aria-valuemin": -180,
    "aria-valuemax": 180,
  });
  /**
   * @param {Point} point @param {Frame} frame @param {string} spoken  what a screen reader says
   * @param {boolean} pinned  whether it cannot be moved
   */
  const show = (point, frame, spoken, pinned) => {
    const [x, y] = place(point, frame);
    const start = place([0, 0], frame);
    const length = Math.hypot(x - start[0], y - start[1]);
    const along = length ? [(x - start[0]) / length, (y - start[1]) / length] : [0, -1];
    const size = Math.min(13, length);
    const neck = [x - along[0] * size, y - along[1] * size];
    const wing = [-along[1] * size * 0.42, along[0] * size * 0.42];
    set(line, { d: path(start, neck) });
    set(head, {
      d: `${path([x, y], [neck[0] + wing[0], neck[1] + wing[1]], [neck[0] - wing[0], neck[1] - wing[1]])}Z`,
    });
    for (const circle of [grip, ring, tip]) set(circle, { cx: x, cy: y });
    set(tip, {
      "aria-valuenow": Math.round(direction(point)),
      "aria-valuetext": spoken,
      "aria-readonly": pinned ? "true" : null,
    });
    set(group, { "data-pinned": pinned });
  };
  return { group, label, tip, ring, show };
}

/**
 * The labels of tips: each is placed next to its tip, and not on top of another label.
 * @typedef {object} Label
 * @property {number[]} tip  in the drawing's units
 * @property {number} width
 * @property {number} wish  the preferred direction from the tip, in degrees
 * @typedef {{ x: number, y: number, width: number, height: number }} Box  around its middle
 */

const LABEL_HEIGHT = 20;
const LETTER_WIDTH = 8.4;
const TIP_SIZE = 18;
/**
 * From the best position to the last resort: by what angle to turn away from the preferred
 * direction, and how far out to go.
 */
const TURNS = [0, 35, -35, 70, -70, 105, -105, 140, -140, 180];
const DISTANCES = [15, 28, 44]; // the nearest one is clear of a ring around the tip

/**
 * Write the names of arrows beside their tips, and return where they stand.
 * @param {{ label: SVGElement }[]} arrows @param {Point[]} points @param {Frame} frame
 * @param {Box[]} [others]  what else is written there
 * @param {number} [aside]  by how many degrees the first one's name is turned away
 */
export function labelArrows(arrows, points, frame, others = [], aside = 0) {
  const labels = points.map((point, i) => ({
    tip: place(point, frame),
    width: labelWidth(arrows[i].label.textContent ?? ""),
    wish: lengthOf(point) ? direction(point) + (i ? 0 : aside) : 90,
  }));
  const boxes = placeLabels(labels, others, frame.side);
  const texts = arrows.map(({ label }) => label);
  putLabels(texts, boxes); // of the first arrows, if there are more
  return boxes;
}

/** @param {string} text */
export const labelWidth = (text) => LETTER_WIDTH * text.length + 4;

/** Return the area that two boxes share. @param {Box} a @param {Box} b */
function shared(a, b) {
  const across = (a.width + b.width) / 2 - Math.abs(a.x - b.x);
  const down = (a.height + b.height) / 2 - Math.abs(a.y - b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * Return the label's box in a direction from its tip, pushed back into the plane.
 * @param {Label} label
 * @param {number} degrees
 * @param {number} distance
 * @param {number} side
 * @returns {Box}
 */
function boxBeside({ tip, width }, degrees, distance, side) {
  const angle = (degrees * Math.PI) / 180;
  const [right, down] = [Math.cos(angle), -Math.sin(angle)];
  // As far out as the box needs to be clear of its tip.
  const far = distance + (Math.abs(right) * width + Math.abs(down) * LABEL_HEIGHT) / 2;
  /** @param {number} at @param {number} size */
  const inside = (at, size) => Math.min(Math.max(at, size / 2 + 2), side - size / 2 - 2);
  return {
    x: inside(tip[0] + right * far, width),
    y: inside(tip[1] + down * far, LABEL_HEIGHT),
    width,
    height: LABEL_HEIGHT,
  };
}

/**
 * Place the labels' boxes in order of priority. Anything under a label can still be made out, so
 * covering a tip or the angle's number costs little, but covering another label costs much.
 * @param {Label[]} labels @param {Box[]} others  what else should not be covered
 * @param {number} side  of the square that they stay in
 * @returns {Box[]}
 */
export function placeLabels(labels, others, side) {
  const tips = labels.map(({ tip: [x, y] }) => ({ x, y, width: TIP_SIZE, height: TIP_SIZE }));
  /** @type {Box[]} */
  const placed = [];
  for (const label of labels) {
    const tried = DISTANCES.flatMap((distance, ring) =>
      TURNS.map((turn, order) => {
        const box = boxBeside(label, label.wish + turn, distance, side);
        /** @param {Box[]} boxes */
        const covered = (boxes) => boxes.reduce((area, other) => area + shared(box, other), 0);
        const cost = 100 * covered(placed) + covered(tips) + covered(others) + 20 * ring + 2 * order;
        return { box, cost };
      }),
    );
    placed.push(tried.reduce((best, one) => (one.cost < best.cost ? one : best)).box);
  }
  return placed;
}

/** Move the texts to their boxes. @param {SVGElement[]} texts @param {Box[]} boxes */
export const putLabels = (texts, boxes) =>
  boxes.forEach(({ x, y }, i) => set(texts[i], { x: x.toFixed(1), y: (y + 5).toFixed(1) }));
