/* Make a choice between a few options: radio buttons that look like a switch, or a drop-down list. */

import { make } from "./dom.js";

/**
 * Make a group of radio buttons. @param {string} label  what a screen reader calls the group
 * @param {string[]} words
 * @param {(index: number) => void} choose
 */
export function makeChoice(label, words, choose) {
  const name = `qkv-${Math.random().toString(36).slice(2)}`;
  const inputs = words.map((_, i) => {
    const input = make("input", { type: "radio", name });
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

/**
 * Make a drop-down list. @param {string} label  what a screen reader calls the list
 * @param {string[]} options
 * @param {number} chosen
 * @param {(index: number) => void} choose
 */
export function makeSelect(label, options, chosen, choose) {
  const texts = options.map((text) => make("option", {}, text));
  const select = make("select", { "aria-label": label }, ...texts);
  select.selectedIndex = chosen;
  select.addEventListener("change", () => choose(select.selectedIndex));
  return select;
}
