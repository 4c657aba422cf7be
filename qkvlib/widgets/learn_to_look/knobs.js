/*
 * A matrix of weights as knobs on rails. The arrow at a knob is the pull of the loss on its weight.
 */

import { makeCurve } from "../kit/curves.js";
import { draw, followFinger, make, say, set, sizeOf } from "../kit/dom.js";
import { letterOf } from "../kit/maps.js";
import { isCommand } from "../kit/page.js";
import { arrowAt } from "../kit/pulls.js";
import { fixed } from "../kit/words.js";
import { bounded } from "./compute.js";

/** @import { Name, Setup } from "./compute.js" */

const ROW = 42;
const LABEL = 40; // pixels, the width of the longest word
const KNOB = 7;
const EDGE = 12; // pixels between the end of a rail and the end of its cell
/** The longest arrow of a run, in pixels. */
const LONGEST = 32;
const WEAK = 0.4; // a gradient below this never gets a long arrow
const STEP = 0.05;

/**
 * Return how many pixels a gradient of one takes, if the largest of the run gets the longest arrow.
 * @param {number} largest
 */
export const scaleOf = (largest) => LONGEST / Math.max(largest, WEAK);

/** @typedef {"query" | "key" | "value"} Role */
/** @type {Record<Name, { letter: string, role: Role, says: string }>} */
export const ABOUT = {
  w_q: { letter: "Q", role: "query", says: "what a word looks for" },
  w_k: { letter: "K", role: "key", says: "how a word is found" },
  w_v: { letter: "V", role: "value", says: "what it passes on" },
};

/**
 * @typedef {object} Hand  what the learner can do with the knobs
 * @property {(name: Name, row: number) => void} grasp
 * @property {(name: Name, row: number, column: number, value: number) => void} move
 * @property {() => void} rest
 *
 * @typedef {object} Shown
 * @property {number[][]} rows
 * @property {number[][] | null} gradient
 * @property {number[][] | null} before  the gradient before the last move
 * @property {number} scale  pixels for a gradient of one
 * @property {boolean} locked
 * @property {number[]} lengths  of the gradient, over the steps
 * @property {number[]} hands  the steps at which a hand came in
 * @property {number} most  the largest length of the run
 */

/**
 * @param {Name} name @param {Setup} setup @param {AbortSignal} ended @param {() => void} resized
 * @param {Hand} hand
 */
export function makeKnobs(name, setup, ended, resized, hand) {
  const { letter, role, says } = ABOUT[name];
  const all = [...setup.words, setup.asker];
  const rows = name === "w_q" ? [all.length - 1] : setup.words.map((_, i) => i);
  const knobs = rows.flatMap((row, line) =>
    [0, 1].map((column) => makeKnob(name, all[row], row, line, column, setup.bounds[name])),
  );
  const svg = draw(
    "svg",
    { class: "look-knobs", height: ROW * rows.length },
    ...rows.map((row, line) =>
      draw("text", { class: "look-row", x: LABEL - 8, y: line * ROW + 20 }, all[row]),
    ),
    ...knobs.map(({ group }) => group),
  );
  const size = sizeOf(svg, { width: 210, height: ROW * rows.length }, ended, resized);
  for (const knob of knobs) listenToKnob(knob, svg, size, setup.bounds[name], hand);
  const label = `length of the gradient of W ${letter}`;
  const curve = makeLabelledCurve("look-trace", "length of the gradient ", label, ended, resized);
  const head = make(
    "p",
    { class: `look-name qkv-${role}` },
    letterOf(name),
    make("span", { class: "look-says" }, says),
  );
  const note = make("p", { class: "look-note" });
  const element = make(
    "div",
    {
      class: `look-matrix look-${name} qkv-${role}`,
      role: "group",
      "aria-label": `W ${letter}: ${says}`,
    },
    ...[head, svg, note, curve.element],
  );
  /** @param {Shown} shown */
  const show = (shown) => {
    const rail = (size.width - LABEL) / 2 - 2 * EDGE;
    set(svg, { viewBox: `0 0 ${size.width} ${ROW * rows.length}` });
    for (const knob of knobs) showKnob(knob, shown, rail);
    set(element, { "data-locked": shown.locked });
    curve.show(shown.lengths, shown.most, shown.hands);
  };
  return { element, head, note, show };
}

/**
 * Make a curve below a caption with its last number.
 * @param {string} kind @param {string} caption @param {string} label  for a screen reader
 * @param {AbortSignal} ended @param {() => void} resized
 */
export function makeLabelledCurve(kind, caption, label, ended, resized) {
  const curve = makeCurve(label, ended, resized);
  const number = make("b", { class: "look-length" });
  const element = make(
    "div",
    { class: kind },
    make("p", { class: "look-caption" }, caption, number),
    curve.svg,
  );
  /** @type {typeof curve.show} */
  const show = (numbers, most, hands) => {
    say(number, fixed(numbers[numbers.length - 1]));
    curve.show(numbers, most, hands);
  };
  return { element, show };
}

/** @typedef {ReturnType<typeof makeKnob>} Knob */

/**
 * @param {Name} name @param {string} word @param {number} row @param {number} line
 * @param {number} column @param {number} bound
 */
function makeKnob(name, word, row, line, column, bound) {
  const rail = draw("path", { class: "look-rail" });
  const zero = draw("path", { class: "look-zero" });
  const before = draw("path", { class: "look-before" });
  const arrow = draw("path", { class: "look-arrow" });
  const knob = draw("circle", { class: "look-knob", r: KNOB });
  const ring = draw("circle", { class: "plane-ring", r: KNOB + 5 });
  const number = draw("text", { class: "look-number", y: line * ROW + 36 });
  const tip = draw("circle", {
    ...{ class: "plane-tip look-tip", r: 19, tabindex: 0, role: "slider" },
    "aria-label": `W ${ABOUT[name].letter}, ${word}, number ${column + 1}`,
    "aria-valuemin": -bound,
    "aria-valuemax": bound,
  });
  const group = draw("g", {}, rail, zero, before, arrow, knob, number, tip, ring);
  const parts = { rail, zero, before, arrow, knob, ring, number, tip, group };
  return { ...parts, name, row, line, column, bound, value: 0 };
}

/** @param {Knob} knob @param {Shown} shown @param {number} rail  how long it is */
function showKnob(knob, { rows, gradient, before, scale }, rail) {
  const { row, column, line, bound } = knob;
  const value = rows[row][column];
  knob.value = value;
  const left = LABEL + column * (rail + 2 * EDGE) + EDGE;
  const y = line * ROW + 14;
  const x = left + (rail * (value / bound + 1)) / 2;
  set(knob.rail, { d: `M${left} ${y}h${rail}` });
  set(knob.zero, { d: `M${left + rail / 2} ${y - 5}v10` });
  for (const circle of [knob.knob, knob.ring, knob.tip]) set(circle, { cx: x.toFixed(1), cy: y });
  const pull = gradient ? -gradient[row][column] : 0;
  set(knob.arrow, { d: arrowAt(x + KNOB * Math.sign(pull), y, pull * scale, 5) });
  const was = before ? -before[row][column] : 0;
  set(knob.before, { d: before ? arrowAt(x, y - 11, was * scale, 3.5) : "" });
  set(knob.number, { x: x.toFixed(1) });
  say(knob.number, fixed(value));
  const pulled =
    Math.abs(pull) < 0.005
      ? "hardly pulls it"
      : `pulls it ${pull > 0 ? "up" : "down"}, ${fixed(Math.abs(pull))}`;
  set(knob.tip, {
    "aria-valuenow": value.toFixed(2),
    "aria-valuetext": gradient ? `${fixed(value)}; the loss ${pulled}` : fixed(value),
  });
}

/**
 * @param {Knob} knob @param {SVGElement} svg @param {{ width: number }} size @param {number} bound
 * @param {Hand} hand
 */
function listenToKnob(knob, svg, size, bound, hand) {
  const { tip, group, name, row, column } = knob;
  /** @type {null | { from: number, value: number }} */
  let held = null;
  const grasp = () => {
    set(group, { "data-held": true });
    hand.grasp(name, row);
  };
  const rest = () => {
    set(group, { "data-held": null });
    hand.rest();
  };
  followFinger(tip);
  tip.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    tip.focus({ preventScroll: true });
    if (event.button !== 0) return;
    tip.setPointerCapture(event.pointerId);
    held = { from: event.clientX, value: knob.value };
    grasp();
  });
  tip.addEventListener("pointermove", (event) => {
    if (!held) return;
    const shrunk = size.width / (svg.getBoundingClientRect().width || 1);
    const rail = (size.width - LABEL) / 2 - 2 * EDGE;
    const by = ((event.clientX - held.from) * shrunk * 2 * bound) / rail;
    hand.move(name, row, column, rounded(held.value + by, bound));
  });
  tip.addEventListener("lostpointercapture", () => {
    held = null;
    rest();
  });
  tip.addEventListener("keydown", (event) => {
    const wish = wished(event, knob.value, bound);
    if (wish === null || isCommand(event) || event.altKey) return;
    event.preventDefault();
    if (!event.repeat) grasp();
    hand.move(name, row, column, rounded(wish, bound));
  });
  tip.addEventListener("keyup", rest);
  tip.addEventListener("blur", rest);
}

/** @param {number} value @param {number} bound */
const rounded = (value, bound) => Math.round(100 * bounded(value, bound)) / 100;

/**
 * Return what a key does to a number, or null.
 * @param {Pick<KeyboardEvent, "key" | "shiftKey">} event
 * @param {number} value
 * @param {number} bound
 */
export function wished({ key, shiftKey }, value, bound) {
  const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[key];
  if (by) return value + by * STEP * (shiftKey ? 10 : 1);
  if (key === "Home") return -bound;
  return key === "End" ? bound : null;
}
