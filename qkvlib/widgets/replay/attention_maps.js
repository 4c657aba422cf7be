/*
 * The maps of a layer's attention: a row for each head if only one word looks, or else one map for
 * each head.
 */

import { make } from "../kit/dom.js";
import { fixed, quoted } from "../kit/words.js";

/** @import { Run } from "./frames.js" */
/** @import { Maps } from "./moment.js" */

const CELL = 28; // pixels, for a weight with two digits
const LETTER = 7; // pixels, for one character of a name
const LINE = 13; // pixels, the height of a name
const BETWEEN_HEADS = 10; // pixels, as in replay.css

/**
 * @typedef {object} Looks  One example's attention in one layer.
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {number} heads
 * @property {number} at  where it begins in a moment
 * @property {number} cells  how many numbers a head has
 */

/** @param {Run} run @param {number} index @param {number} example @param {number} room @param {Maps} maps */
export function layLooks({ layers, examples }, index, example, room, maps) {
  const { looks: start, heads } = layers[index];
  if (start === null) return [];
  const [rows, columns] = examples[example];
  const cells = examples[0][0].length * examples[0][1].length;
  const looks = { rows, columns, heads, cells, at: start + example * heads * cells };
  const [who, each] =
    rows.length === 1
      ? [quoted(rows[0]), [layOneRow(looks, room, maps)]]
      : ["each word", layEachHead(looks, room, maps)];
  const title = make("div", { class: "rep-title" }, `Where ${who} looks`);
  return [make("div", { class: "rep-looks" }, title, make("div", { class: "rep-each" }, ...each))];
}

/** Return how wide the names beside a map are. @param {string[]} names */
const widthOf = (names) => Math.max(...names.map((name) => name.length)) * LETTER + 8;

/** @param {Looks} looks @param {number} room @param {Maps} maps */
function layOneRow(looks, room, maps) {
  const { rows, columns, heads, at } = looks;
  const each = Array.from({ length: heads }, (_, head) => `head ${head + 1}`);
  const rowNames = heads > 1 ? each : rows;
  return maps.add(
    "looks",
    {
      ...optionsOf(looks),
      ...{ rows: heads, rowNames, columnNames: columns, label: "attention" },
      room: room - widthOf(rowNames),
    },
    {
      ...{ source: "looks", at, number: fixed },
      words: (head, column) => inWords(looks, maps, head, 0, column),
    },
  );
}

/**
 * Place the heads side by side. The rows' names are written once. The columns' names, which are the
 * same words, are written on every line.
 * @param {Looks} looks @param {number} room @param {Maps} maps
 */
function layEachHead(looks, room, maps) {
  const { rows, columns, heads, at, cells } = looks;
  const beside = widthOf(rows);
  const wide = (room - beside - BETWEEN_HEADS * (heads - 1)) / heads;
  const columnNames = wide >= (LINE - 1) * columns.length ? columns : undefined;
  return Array.from({ length: heads }, (_, head) => {
    const map = maps.add(
      `looks ${head}`,
      {
        ...optionsOf(looks),
        ...{ rows: rows.length, rowNames: head ? undefined : rows, columnNames },
        label: `attention of head ${head + 1}`,
        room: (LINE + 3) * columns.length,
      },
      {
        ...{ source: "looks", at: at + head * cells, number: fixed },
        words: (row, column) => inWords(looks, maps, head, row, column),
      },
    );
    const name = heads > 1 ? [make("div", { class: "rep-name" }, `head ${head + 1}`)] : [];
    const part = make("div", { class: "rep-headed" }, ...name, map);
    part.style.setProperty("--beside", `${head ? 0 : beside}px`);
    return part;
  });
}

/** @param {Looks} looks */
const optionsOf = ({ columns }) => ({
  ...{ columns: columns.length, cell: CELL },
  scale: /** @type {const} */ ("weight"),
});

/** @param {Looks} looks @param {Maps} maps @param {number} head @param {number} row @param {number} column */
function inWords({ rows, columns, heads, at, cells }, { moment }, head, row, column) {
  const share = fixed(moment.looks[at + head * cells + row * columns.length + column]);
  const whose = heads > 1 ? `head ${head + 1}: ` : "";
  return `${whose}${quoted(rows[row])} gives ${quoted(columns[column])} the weight ${share}`;
}
