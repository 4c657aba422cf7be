/*
 * A choice between a few options: radio buttons that look like a switch, buttons of which one is
 * pressed, or a list that opens.
 */

import { make, makeButton, set } from "./dom.js";

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
 * @template {string} Name
 * @param {string} label  what a screen reader calls the group
 * @param {readonly Name[]} names  of the views, each written on its button with a capital
 * @param {(name: Name) => void} choose
 */
export function makeTabs(label, names, choose) {
  const buttons = names.map((name) => makeButton(name[0].toUpperCase() + name.slice(1), () => choose(name)));
  const element = make("div", { class: "qkv-tabs", role: "group", "aria-label": label }, ...buttons);
  /** @param {string} chosen */
  const show = (chosen) =>
    names.forEach((name, i) => set(buttons[i], { "aria-pressed": String(name === chosen) }));
  return { element, show };
}

/**
 * @param {string} label  what a screen reader calls the list
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
