/* The tooltip next to the cell under the pointer. */

import { make } from "../kit/dom.js";

const APART = 10;

/** @param {HTMLElement} root */
export function makeTip(root) {
  const element = make("div", { class: "rep-words", hidden: true });
  root.append(element);
  /**
   * Show words about a cell, below it, or above it if there is no room below.
   * @param {string[]} lines @param {DOMRect} cell
   */
  const show = (lines, cell) => {
    element.replaceChildren(...lines.map((line) => make("div", {}, line)));
    element.hidden = false;
    const box = root.getBoundingClientRect();
    const left = cell.left - box.left - 24;
    element.style.left = `${Math.max(0, Math.min(left, box.width - element.offsetWidth))}px`;
    const below = cell.bottom - box.top + APART;
    const above = cell.top - box.top - element.offsetHeight - APART;
    element.style.top = `${below + element.offsetHeight > box.height && above > 0 ? above : below}px`;
  };
  const hide = () => {
    element.hidden = true;
  };
  return { show, hide };
}
