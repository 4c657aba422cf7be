/* A replay's parts on the page, and its own variables. */

import { makeTabs } from "../kit/choice.js";
import { make } from "../kit/dom.js";
import { fixed } from "../kit/words.js";
import { makeAxis } from "./axis.js";
import { makeCurve } from "./curve.js";
import { filmOf } from "./frames.js";
import { makeRun } from "./run.js";

/** @import { Gate } from "../kit/kernel.js" */
/** @import { RenderProps } from "@anywidget/types" */
/** @import { makeInks } from "../kit/maps.js" */
/** @import { ReplaySetup, ReplayState } from "./frames.js" */
/** @import { Point } from "./run.js" */

/**
 * @typedef {{ layer?: number, example?: number, part?: string }} Shown
 *
 * @typedef {RenderProps<{ setup: ReplaySetup, state: ReplayState, shown: Shown }>} Given
 *
 * @typedef {object} Around  What the kit lends a replay.
 * @property {Given["model"]} model
 * @property {HTMLElement} root
 * @property {Gate} gate
 * @property {(text: string) => void} announce
 * @property {ReturnType<typeof makeInks>} inks
 *
 * @typedef {ReturnType<typeof makeReplay>} Replay
 */

/** On a narrow page two runs have their weights, or their attention, one below the other. */
const PARTS = ["weights", "attention"];

/**
 * @param {Around} around @param {Point} point  what to do when a cell is pointed at
 * @param {(part: string) => void} choose  what a narrow page shows
 */
export function makeReplay(around, point, choose) {
  const setup = around.model.get("setup");
  const saved = around.model.get("state");
  const { runs } = setup;
  const last = Math.max(...runs.map(({ curve: points }) => points[points.length - 1][0]));
  const axis = makeAxis(last);
  const where = make("span", { class: "rep-where" });
  where.style.minWidth = `calc(${2 * String(last).length}ch + 5em)`; // keeps the rest still
  const { layer = 0, example = 0, part = "weights" } = around.model.get("shown");
  return {
    ...{ ...around, setup, saved, last, axis, where, layer, example, part },
    play: make("button", { type: "button", class: "qkv-main rep-play", disabled: true }, "▶ Play"),
    scrubber: make("input", {
      type: "range",
      min: 0,
      max: 1,
      step: "any",
      "aria-label": "step",
      disabled: true,
    }),
    curve: makeCurve(runs.length, axis),
    words: make("p", { class: "rep-words" }),
    notice: make("p", { class: "rep-still", role: "status" }),
    views: runs.map((run, i) => makeRun(run, setup, i, point)),
    box: make("div", { class: "rep-runs", "data-count": runs.length }),
    parts: makeTabs("What to show", PARTS, choose),
    played: runs.map((run, i) => filmOf(run, saved, i)),
    /** Whether all of the run has arrived. */
    loaded: false,
    playable: false,
    step: saved.step ?? last,
    /** The id of the animation frame, or 0 while the picture rests. */
    playing: 0,
    /**
     * The cell under the pointer: its map, row and column.
     * @type {null | [string, number, number]}
     */
    pointed: null,
    /** The sizes for which the maps were laid out. */
    laid: "",
    width: 0,
  };
}

/** Lay out the parts. @param {Replay} replay @param {HTMLElement} layers @param {HTMLElement} examples */
export function layOut(replay, layers, examples) {
  const { root, setup, play, where, parts, curve, scrubber, notice, box, views, words } = replay;
  const compared = setup.runs.length > 1 ? [make("span", { class: "rep-parts" }, parts.element)] : [];
  box.append(...views.map(({ element }) => element));
  root.prepend(
    make("div", { class: "qkv-tools rep-bar" }, play, where, ...compared, layers, examples),
    make("div", { class: "rep-track" }, curve.element, scrubber),
    notice,
    box,
    words,
    legend(setup),
  );
}

/** Explain the colours. @param {ReplaySetup} setup */
function legend({ largest: [weight] }) {
  /** @param {string} name @param {string} kind @param {string} low @param {string} high */
  const bar = (name, kind, low, high) =>
    make(
      "span",
      { class: "rep-key" },
      `${name} `,
      make("span", {}, low),
      make("i", { class: `rep-scale-${kind}` }),
      make("span", {}, high),
    );
  const w = fixed(weight);
  return make(
    "div",
    { class: "rep-legend" },
    bar("weights", "signed", `−${w}`, w),
    bar("gradients", "signed", "each to its largest", ""),
    bar("attention", "weight", "0", "1"),
    make("span", {}, "small numbers shown stronger"),
  );
}
