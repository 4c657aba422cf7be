/* One of a few: radio buttons that look like a switch. */

import { make } from "./dom.js";

/**
 * @param {string} label  what a screen reader calls the group
 * @param {string[]} words
 * @param {(index: number) => void} choose
 */
export function makeChoice(label, words, choose) {
  const name = `qkv-${Math.random().toString(36).slice(2)}`;
  const inputs = words.map((_, i) => {
    const input = /** @type {HTMLInputElement} */ (make("input", { type: "radio", name }));
    input.addEventListener("change", () => choose(i));
    return input;
  });
  const element = make(
    "div",
    { class: "qkv-choice", role: "radiogroup", "aria-label": label },
    ...words.map((word, i) => make("label", {}, inputs[i], make("span", {}, word))),
  );
  /** @param {number} index @param {boolean} [disabled] */
  const show = (index, disabled = false) => {
    inputs.forEach((input, i) => {
      input.checked = i === index;
      input.disabled = disabled;
    });
  };
  return { element, show };
}
