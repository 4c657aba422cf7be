/* A slider with its words before it and its value behind. */

import { make, say, set } from "./dom.js";

/**
 * @typedef {object} Scale  between where a slider stands and what it stands for
 * @property {(value: number) => number} at
 * @property {(at: number) => number} wished
 */

/** @type {Scale} */
const SAME = { at: (value) => value, wished: (at) => at };

/**
 * Return a logarithmic scale between two bounds, of numbers that are easy to read.
 * @param {number} least @param {number} most @returns {Scale}
 */
const logarithmic = (least, most) => ({
  at: Math.log10,
  wished: (log) => Math.min(Math.max(Number((10 ** log).toPrecision(2)), least), most),
});

/**
 * Make the slider of a temperature.
 * @param {{ coldest: number, hottest: number }} bounds
 * @param {() => void} grasp @param {(temperature: number) => void} change
 */
export const makeTemperature = ({ coldest, hottest }, grasp, change) =>
  makeSlider(
    { min: Math.log10(coldest), max: Math.log10(hottest), step: "any" },
    "temperature",
    String,
    grasp,
    change,
    logarithmic(coldest, hottest),
  );

/**
 * @param {Record<string, any>} range  its attributes: min, max, step
 * @param {string} words @param {(value: number) => string} inWords
 * @param {() => void} grasp  a new gesture begins
 * @param {(value: number) => void} change @param {Scale} [scale]
 */
export function makeSlider(range, words, inWords, grasp, change, { at, wished } = SAME) {
  const slider = make("input", { type: "range", ...range, "aria-label": words });
  const output = make("output");
  slider.addEventListener("pointerdown", grasp);
  slider.addEventListener("keydown", (event) => {
    if (!event.repeat) grasp();
  });
  slider.addEventListener("input", () => change(wished(Number(slider.value))));
  /** @param {number} value @param {boolean} [still] */
  const show = (value, still = false) => {
    if (wished(Number(slider.value)) !== value) slider.value = String(at(value));
    slider.disabled = still;
    set(slider, { "aria-valuetext": inWords(value) });
    say(output, inWords(value));
  };
  const element = make("label", { class: "qkv-slider" }, make("span", {}, words), slider, output);
  return { element, show };
}
