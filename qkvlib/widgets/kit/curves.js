/*
 * Draw a small curve of a number over the steps of a run, and mark the steps at which the learner
 * changed something.
 */

import { draw, set, sizeOf } from "./dom.js";

const SHORTEST = 40; // steps: a shorter run does not fill the width

/** @param {string} label @param {AbortSignal} ended @param {() => void} resized */
export function makeCurve(label, ended, resized) {
  const base = draw("path", { class: "curve-base" });
  const marks = draw("path", { class: "curve-hand" });
  const line = draw("path", { class: "curve-line" });
  const dot = draw("circle", { class: "curve-dot", r: 3.5 });
  const svg = draw("svg", { class: "curve", role: "img" }, base, marks, line, dot);
  const size = sizeOf(svg, { width: 200, height: 38 }, ended, resized);
  /** @param {number[]} numbers @param {number} most  the top of the scale @param {number[]} hands */
  const show = (numbers, most, hands) => {
    const { width, height } = size;
    const foot = 0.87 * height;
    const steps = Math.max(SHORTEST, numbers.length - 1);
    const x = (/** @type {number} */ i) => 5 + (i / steps) * (width - 10);
    const y = (/** @type {number} */ number) => foot - (number / (most || 1)) * 0.68 * height;
    set(svg, { viewBox: `0 0 ${width} ${height}`, "aria-label": spoken(label, numbers) });
    set(base, { d: `M0 ${foot}H${width}` });
    set(marks, { d: hands.map((i) => `M${x(i).toFixed(1)} 3V${foot}`).join("") });
    const points = numbers.map((number, i) => `${x(i).toFixed(1)} ${y(number).toFixed(1)}`);
    set(line, { d: points.length ? `M${points.join("L")}` : "" });
    const last = numbers.length - 1;
    set(dot, {
      cx: x(Math.max(last, 0)),
      cy: y(numbers[last] ?? 0),
      visibility: last < 0 ? "hidden" : null,
    });
  };
  return { svg, show };
}

/** Describe a curve to a screen reader. @param {string} label @param {number[]} numbers */
function spoken(label, numbers) {
  if (!numbers.length) return `${label}: nothing yet`;
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  return `${label}: ${first.toFixed(2)} at first, ${last.toFixed(2)} after ${numbers.length - 1} steps`;
}
