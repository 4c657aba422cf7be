/* The labels above a run's maps and beside them. */

import { make } from "../kit/dom.js";

const LETTER = 7;
export const LINE = 13; // pixels, the height of a name

/** Return how wide the names beside a map are. @param {string[]} names */
export const widthOf = (names) => Math.max(...names.map((name) => name.length)) * LETTER + 8;

/** @param {number} head @param {number} heads */
export const headName = (head, heads) => (heads > 1 ? `head ${head + 1}: ` : "");

/** @param {string} kind @param {Node | string} title @param {HTMLElement[]} maps */
export const titled = (kind, title, maps) =>
  make(
    "div",
    { class: `rep-part rep-${kind}` },
    make("div", { class: "rep-title" }, title),
    make("div", { class: "rep-each" }, ...maps),
  );

/** @param {number} head @param {number} heads @param {HTMLElement} map */
export const headed = (head, heads, map) =>
  make(
    "div",
    { class: "rep-headed" },
    ...(heads > 1 ? [make("div", { class: "rep-name" }, `head ${head + 1}`)] : []),
    map,
  );
