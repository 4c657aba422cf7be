/*
 * Fit the lab into one window: choose the size of the cells and fold parts, so that the whole lab is
 * visible at once. We measure the space that a number needs in the page's own font, and no cell gets
 * smaller than that.
 */

import { set } from "../kit/dom.js";

/** @import { Setup } from "./numbers.js" */

const TALLEST = 688; // pixels of the whole lab
const MOST = 52; // pixels of a cell's side
const [LOWEST, HIGHEST, STRIP, HEAD] = [19, 27, 14, 22];
const TRACE = 14; // pixels below each weight matrix, for the length of its gradient
const HEADS = 34; // pixels for a line of small maps of the heads, if they are not above X
const SMALL = "12px"; // the smallest font for a number
const LONGEST = "−8.88"; // the longest number that has to fit into a cell
const SHORT = 40; // a feature's name with less space; names get wider before cells do
const SLOPE = Math.sin((35 * Math.PI) / 180);

const ruler = document.createElement("canvas").getContext("2d");

/** Return the width of the widest text. @param {HTMLElement} root @param {string[]} texts */
function widest(root, texts) {
  if (!ruler) return 0;
  ruler.font = `${SMALL} ${getComputedStyle(root).fontFamily}`;
  return Math.ceil(Math.max(0, ...texts.map((text) => ruler.measureText(text).width)));
}

/** Return a part's height, including its margins. @param {HTMLElement} part */
function outer(part) {
  const { marginTop, marginBottom } = getComputedStyle(part);
  return part.offsetHeight + Number.parseFloat(marginTop) + Number.parseFloat(marginBottom);
}

/**
 * List the layouts, from the one that shows most: how wide each is with cells of a given size.
 * @param {Setup} setup @param {number} names  beside tokens @param {number} says  beside features
 * @returns {Record<string, (cell: number) => number>}
 */
function layouts({ sizes, tokens }, names, says) {
  const [, d] = sizes.x;
  const w = Math.max(sizes.q[1], sizes.v[1]);
  const folded = d * 11;
  /** The scores, or the output and its target. @param {number} cell */
  const right = (cell) => names + Math.max(tokens.length * cell, sizes.target ? 2 * w * cell + 16 : 0);
  return {
    wide: (cell) => 2 * names + says + (d + 2 * w) * cell + right(cell) + 132,
    // X shows only colours,
    compact: (cell) => folded + Math.min(says, SHORT) + 2 * w * cell + right(cell) + 68,
    // the weights have no names,
    bare: (cell) => folded + 2 * w * cell + right(cell) + 68,
    // Q, K and V show only colours, too,
    folded: (cell) => folded + w * (cell + 11) + right(cell) + 68,
    // what follows from the scores is below them,
    narrow: (cell) => Math.max(folded + says + 2 * w * cell + 48, right(cell)),
    // or all of these at once.
    slim: (cell) => Math.max(folded + says + w * (cell + 9) + 48, right(cell)),
  };
}

/**
 * Choose the layout and the size of the cells for the available room.
 * @param {HTMLElement} root @param {Setup} setup
 * @param {HTMLElement[]} around  the parts above and below the picture
 */
export function fit(root, setup, around) {
  const width = root.clientWidth - 4;
  if (width <= 0) return;
  const { sizes, tokens, features } = setup;
  const [n, d] = sizes.x;
  const longest = widest(root, tokens);
  const names = Math.min(longest, 104) + 8;
  const says = features ? Math.min(widest(root, features), 104) + 8 : 0;
  const least = widest(root, [LONGEST]) + 3;
  const wides = layouts(setup, names, says);
  const layout = Object.keys(wides).find((name) => wides[name](least + 2) <= width) ?? "slim";
  const gap = layout === "wide" ? 2 : 1;
  const short = Math.min(says, SHORT);
  const longer = layout === "compact" ? Math.min(says - short, width - wides.compact(least + 2)) : 0;
  let side = least + 2 - gap;
  while (side < MOST && wides[layout](side + 1 + gap) + longer <= width) side++;
  set(root, { "data-layout": layout });

  // Three blocks are above one another. In the view Both, a weight has a rail below its number.
  const slanted = longest > side; // a name wider than its column is slanted
  const foot = slanted ? Math.ceil(longest * SLOPE) + 14 : 18;
  const feet = layout === "wide" && !slanted ? 2 : 1; // the attention can use the names of the scores
  const maps = setup.heads > 1 && layout !== "wide" ? HEADS : 0;
  const room = TALLEST - maps - around.reduce((sum, part) => sum + outer(part), 0);
  const lines = Math.floor((room - feet * foot) / 3) - HEAD - 5;
  const high = bounded(Math.floor(lines / Math.max(n, d)) - gap, LOWEST, HIGHEST);
  const trace = sizes.target ? TRACE : 0;
  const both = bounded(Math.floor((lines - trace) / d) - gap - STRIP, LOWEST - 5, high);
  const rows = Math.max(Math.max(n, d) * (high + gap), trace && d * (both + STRIP + gap) + trace);

  set(root, {
    "data-slanted": slanted,
    "data-feet": feet,
    "data-steep": features && widest(root, features) > side,
  });
  root.style.setProperty("--tall", String(Math.max(n, d)));
  root.style.setProperty("--features", String(d));
  root.style.setProperty("--feet", String(feet));
  for (const [name, value] of Object.entries({
    "--cell": side,
    "--mini": least,
    "--high": high,
    "--both": both,
    "--names": names,
    "--says": layout === "compact" ? short + longer : says,
    "--foot": foot,
    "--maps": maps,
    "--block": HEAD + rows + 5,
  }))
    root.style.setProperty(name, `${value}px`);
}

/** @param {number} value @param {number} low @param {number} high */
const bounded = (value, low, high) => Math.min(Math.max(value, low), high);
