/*
 * One window: how large the cells are, and what folds, so that the whole lab is in view at once. What
 * a number needs is measured with the page's own letters; nothing is ever smaller than it.
 */

import { set } from "../kit/dom.js";

/** @import { Setup } from "./numbers.js" */

const TALLEST = 690; // pixels of the whole lab
const MOST = 52; // pixels of a cell's side
const [LOWEST, HIGHEST, STRIP, HEAD] = [20, 27, 15, 24];
const SMALL = "12px"; // no number is written smaller
const LONGEST = "−8.88"; // what a cell must have room for
const SLOPE = Math.sin((35 * Math.PI) / 180);

const ruler = document.createElement("canvas").getContext("2d");

/** How wide the widest of some texts is. @param {HTMLElement} root @param {string[]} texts */
function widest(root, texts) {
  if (!ruler) return 0;
  ruler.font = `${SMALL} ${getComputedStyle(root).fontFamily}`;
  return Math.ceil(Math.max(0, ...texts.map((text) => ruler.measureText(text).width)));
}

/** A part's height with what it keeps clear of others. @param {HTMLElement} part */
function outer(part) {
  const { marginTop, marginBottom } = getComputedStyle(part);
  return part.offsetHeight + Number.parseFloat(marginTop) + Number.parseFloat(marginBottom);
}

/**
 * Choose the layout and the cells' size for the room there is.
 * @param {HTMLElement} root @param {Setup} setup @param {HTMLElement[]} around  what stands above
 *   and below the picture
 */
export function fit(root, setup, around) {
  const width = root.clientWidth - 4;
  if (width <= 0) return;
  const { sizes, tokens, features, heads } = setup;
  const [n, d] = sizes.x;
  const w = Math.max(sizes.q[1], sizes.v[1]);
  const target = sizes.target ? sizes.target[1] : 0;
  const names = Math.min(widest(root, tokens), 104) + 8;
  const says = features ? Math.min(widest(root, features), 104) + 8 : 0;
  const least = widest(root, [LONGEST]) + 4;

  // How wide the picture is in each layout, with cells of a given size.
  const half = (/** @type {number} */ cell) => Math.max(n * cell, target && 2 * w * cell + 16);
  const wants = (/** @type {number} */ cell) => Math.max(n * cell + 52, target && half(cell) + 172);
  /** @type {[string, number, (side: number) => number][]} */
  const layouts = [
    [
      "wide",
      least + 2,
      (side) =>
        3 * names + says + (d + 2 * w) * (side + 2) + wants(side + 2) + (heads > 1 ? 90 : 0) + 132,
    ],
    ["compact", least, (side) => names + says + d * 13 + 2 * w * (side + 1) + half(side + 1) + 82],
    ["bare", least, (side) => names + d * 13 + 2 * w * (side + 1) + half(side + 1) + 82],
    [
      "narrow",
      least,
      (side) => Math.max(d * 13 + says + 2 * w * (side + 1) + 60, names + half(side + 1) + 12),
    ],
  ];
  const [layout, , wide] = layouts.find(([, low, wide]) => wide(low) <= width) ?? layouts[3];
  let side = least;
  while (side < MOST && wide(side + 1) <= width) side++;

  // Three blocks stand above each other. In the view Both a weight has a strip below its number.
  const slanted = widest(root, tokens) + 2 > side; // below a narrow column a name has room only aslant
  const foot = slanted ? Math.ceil(widest(root, tokens) * SLOPE) + 14 : 18;
  const room = TALLEST - around.reduce((sum, part) => sum + outer(part), 0);
  const block = Math.floor((room - foot) / 3);
  const lines = block - HEAD - 10;
  const high = Math.min(HIGHEST, Math.max(LOWEST, Math.floor(lines / Math.max(n, d)) - 2));
  const both = Math.min(high, Math.max(LOWEST - 2, Math.floor(lines / d) - 2 - STRIP));
  const rows = Math.max(n * (high + 2), d * (high + 2), target && d * (both + STRIP + 2));

  set(root, { "data-layout": layout, "data-slanted": slanted });
  root.style.setProperty("--tall", String(Math.max(n, d)));
  for (const [name, value] of Object.entries({
    "--cell": side,
    "--mini": least,
    "--high": high,
    "--both": both,
    "--names": names,
    "--says": says,
    "--foot": foot,
    "--block": HEAD + rows + 10,
    "--room": Math.floor(room),
  }))
    root.style.setProperty(name, `${value}px`);
}
