/* The temperature of a lookup: a slider on a logarithmic scale, and a field. */

import { inFocus, make, set } from "../kit/dom.js";
import { bounded } from "./compute.js";

/** @import { LookupSetup, LookupState } from "./compute.js" */

/**
 * @typedef {object} Grip  What the hand on it does.
 * @property {() => void} grasp  a new gesture begins
 * @property {(temperature: number, fresh: boolean) => void} change
 * @property {() => number} present
 * @property {() => void} rest  shows what is there
 */

/** @param {LookupSetup} setup @param {Grip} grip */
export function makeTemperature({ coldest, hottest }, { grasp, change, present, rest }) {
  const slider = make("input", {
    type: "range",
    min: Math.log10(coldest),
    max: Math.log10(hottest),
    step: "any",
    "aria-label": "temperature",
  });
  const field = make("input", {
    ...{ class: "qkv-field", type: "text", inputmode: "decimal" },
    "aria-label": "temperature, typed",
  });
  /** @param {number} wish @param {boolean} fresh */
  const ask = (wish, fresh) => {
    if (Number.isNaN(wish)) rest();
    else change(bounded(wish, coldest, hottest), fresh);
  };
  slider.addEventListener("pointerdown", grasp);
  slider.addEventListener("input", () => ask(10 ** Number(slider.value), false));
  slider.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    if (slider.disabled) return;
    ask(present() * 10 ** ((event.shiftKey ? 0.5 : 0.05) * by), !event.repeat);
  });
  field.addEventListener("change", () => ask(Number.parseFloat(field.value.replace(",", ".")), true));
  field.addEventListener("blur", rest);
  /** @param {LookupState} state @param {boolean} still */
  const show = ({ temperature, hard }, still) => {
    const text = String(Number(temperature.toPrecision(3)));
    slider.value = String(Math.log10(temperature));
    set(slider, { "aria-valuetext": text });
    if (inFocus(field) !== field || field.value === "") field.value = text;
    slider.disabled = field.disabled = still || hard;
  };
  const element = make("label", { class: "soft-temperature" }, "temperature ", slider, field);
  return { element, show };
}
