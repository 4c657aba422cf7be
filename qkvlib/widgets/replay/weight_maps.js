/* The maps of a layer's matrices, each above its gradient. */

import { make, say } from "../kit/dom.js";
import { letterOf, nameOf } from "../kit/maps.js";
import { fixed, inTwoDigits, quoted } from "../kit/words.js";
import { inked } from "./moment.js";

/** @import { MapOptions } from "../kit/maps.js" */
/** @import { Layer, Matrix } from "./frames.js" */
/** @import { Maps } from "./moment.js" */

/** @param {Layer} layer @param {Maps} maps */
export function layMatrices(layer, maps) {
  const columns = layer.matrices.map((matrix) => layMatrix(matrix, layer.heads, maps));
  return make("div", { class: "rep-columns", style: `--count: ${columns.length}` }, ...columns);
}

/**
 * Lay out a matrix above its gradient, with the heads' names over their parts.
 * @param {Matrix} matrix @param {number} heads @param {Maps} maps
 */
function layMatrix(matrix, heads, maps) {
  const { name, rows, columns, at } = matrix;
  const [weight] = maps.setup.largest;
  const { own, down, across } = partsOf(name, heads);
  const label = nameOf(name);
  const words = wordsOfCells(matrix, heads, maps);
  const number = (/** @type {number} */ share) => inked(share, weight, 2);
  /** @type {MapOptions} */
  const options = {
    ...{ rows, columns, label, scale: "signed", blocks: [down, across], most: 24, room: 140 },
  };
  const weights = maps.add(name, options, { source: "inks", at, words, number });
  const size = make("small");
  const changes = layGradient(matrix, options, size, words, maps);
  const parts = own > 1 ? [partNames(own, down > 1)] : [];
  return make(
    "div",
    { class: "rep-column", "data-down": down > 1 },
    make("div", { class: "rep-name" }, letterOf(name), make("small", {}, `${rows}×${columns}`)),
    make("div", { class: "rep-parted" }, ...parts, weights),
    make("div", { class: "rep-name" }, make("span", {}, "d", letterOf(name)), size),
    changes,
  );
}

/**
 * Scale the colours of each gradient to its own largest number; otherwise the last ones would be
 * blank.
 * @param {Matrix} matrix @param {MapOptions} options
 * @param {HTMLElement} size  where its largest is written
 * @param {(row: number, column: number) => string} words @param {Maps} maps
 */
function layGradient({ name, rows, columns, slope }, options, size, words, maps) {
  if (slope === null) return make("div", { class: "rep-frozen" }, "frozen");
  const { moment, setup } = maps;
  const [, gradient] = setup.largest;
  const end = slope + rows * columns;
  let top = 0;
  maps.scaling.push(() => {
    top = 0;
    for (let i = slope; i < end; i++) top = Math.max(top, Math.abs(moment.numbers[i]));
    for (let i = slope; i < end; i++) moment.inks[i] = moment.numbers[i] / (top || 1);
    const most = top ? `≤${inTwoDigits(top * top * gradient)}` : "0";
    say(size, Number.isNaN(top) ? "" : most);
  });
  const number = (/** @type {number} */ share) => inked(share, top * top * gradient, 4);
  return maps.add(
    `d ${name}`,
    { ...options, label: `gradient of ${nameOf(name)}` },
    { source: "inks", at: slope, words, number },
  );
}

/**
 * Describe a cell of a matrix, and its gradient.
 * @param {Matrix} matrix @param {number} heads @param {Maps} maps
 */
function wordsOfCells({ name, rows, columns, at, slope }, heads, { setup, moment }) {
  const [weight, gradient] = setup.largest;
  const { own, down, across } = partsOf(name, heads);
  /** @param {number} row @param {number} column */
  const whose = (row, column) => {
    const part = Math.floor(down > 1 ? (row * down) / rows : (column * across) / columns);
    return own > 1 ? `, of head ${part + 1},` : "";
  };
  /** Return a row's name: a token's, if the rows are tokens. @param {number} row */
  const rowOf = (row) =>
    name === "embedding" && setup.tokens[row] ? quoted(setup.tokens[row]) : String(row);
  return (/** @type {number} */ row, /** @type {number} */ column) => {
    const share = (/** @type {number} */ from) => moment.numbers[from + row * columns + column];
    const value = fixed(share(at) * weight);
    const cell = `${nameOf(name)}[${rowOf(row)}, ${column}]${whose(row, column)} is ${value}`;
    if (slope === null) return `${cell}, frozen`;
    return `${cell}, its gradient ${inked(share(slope), gradient, 4)}`;
  };
}

/**
 * Return how many heads share a matrix, and into how many blocks.
 * @param {string} name
 * @param {number} heads
 */
function partsOf(name, heads) {
  const own = name === "embedding" ? 1 : heads;
  const down = name === "w_o" ? own : 1;
  return { own, down, across: own / down };
}

/**
 * Write the heads' names along a matrix: above their parts, or beside them.
 * @param {number} count @param {boolean} down
 */
function partNames(count, down) {
  const short = down || count > 2;
  const names = Array.from({ length: count }, (_, i) =>
    make("span", {}, ...(short ? [] : [make("i", {}, "head ")]), `${i + 1}`),
  );
  return make("div", { class: "rep-heads", title: "the heads' parts", "data-down": down }, ...names);
}
