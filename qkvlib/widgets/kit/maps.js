/* Draw maps of numbers: a small map as cells with numbers, a large one on a canvas. */

import { make, say, set } from "./dom.js";

/** @typedef {ReturnType<typeof makeMap>} NumberMap  what `makeMap` makes */

const CELL_WIDTH = 34; // pixels, for a number with two digits
const LETTER = 7; // pixels, for one character of a name
const TALLEST = 1.5; // a canvas that would be taller than this many widths gets flatter cells
const SHADES = 127;

/**
 * @typedef {object} Inks  The colours of shares in the page's present theme.
 * @property {string[]} colours  for shares from -1 to 1, followed by those for weights from 0 to 1
 * @property {string[]} text  a readable text colour on each of them
 * @property {Uint32Array} pixels  all of them as pixels
 * @property {number} blank  the pixel for NaN or a hidden number
 *
 * @typedef {"signed" | "weight"} Scale
 *
 * @typedef {object} MapOptions
 * @property {number} rows
 * @property {number} columns
 * @property {Scale} scale
 * @property {string} label  what a screen reader calls the map
 * @property {string[]} [rowNames]
 * @property {string[]} [columnNames]
 * @property {boolean} [masked]  whether a zero means that a mask hides the cell
 * @property {number} [most]  the most cells for which numbers are written
 * @property {number} [room]  its width in pixels; if it is small, numbers are omitted and names vertical
 * @property {number} [cell]  how many pixels a number needs
 * @property {[number, number]} [blocks]  the number of row and column blocks that belong to heads
 * @property {(row: number, column: number) => void} [point]  called when a cell is pointed at
 * @property {() => void} [leave]
 */

/** Read the theme's colours. @param {HTMLElement} root  must be on the page @returns {Inks} */
function readInks(root) {
  const probe = make("i", { style: "forced-color-adjust: none" });
  root.append(probe);
  /** @param {string} name */
  const channels = (name) => {
    probe.style.color = `var(--qkv-${name})`;
    return (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
  };
  const [paper, minus, plus, weight, line] = ["paper", "minus", "plus", "weight", "line"].map(channels);
  probe.remove();
  /** @param {number[]} end @param {number} t */
  const mixed = (end, t) => paper.map((from, i) => Math.round(from + t * (end[i] - from)));
  const signed = Array.from({ length: 2 * SHADES + 1 }, (_, i) =>
    mixed(i < SHADES ? minus : plus, Math.abs(i - SHADES) / SHADES),
  );
  const weights = Array.from({ length: SHADES + 1 }, (_, i) => mixed(weight, i / SHADES));
  const all = [...signed, ...weights];
  /** @param {number[]} colour */
  const name = (colour) => `rgb(${colour.join(" ")})`;
  /** @param {number[]} colour */
  const pixel = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
  return {
    colours: all.map(name),
    text: all.map((colour) => (luminance(colour) > 0.179 ? "black" : "white")),
    pixels: Uint32Array.from(all, pixel),
    blank: pixel(mixed(line, 0.6)),
  };
}

/**
 * Return the theme's colours. They are read again after a change of the theme, and then `changed`
 * is called.
 * @param {HTMLElement} root @param {AbortSignal} ended @param {() => void} changed
 */
export function makeInks(root, ended, changed) {
  /** @type {Inks | null} */
  let inks = null;
  const read = () => {
    inks = null;
    if (!ended.aborted) changed();
  };
  // JupyterLab hides its page while it changes the theme: wait a frame, until everything is back.
  const watcher = new MutationObserver(() => requestAnimationFrame(read));
  watcher.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  ended.addEventListener("abort", () => watcher.disconnect());
  return () => {
    inks ??= readInks(root);
    return inks;
  };
}

/** Return how bright a colour is, from 0 to 1. @param {number[]} colour */
export function luminance(colour) {
  const [red, green, blue] = colour.map((c) => (c <= 10 ? c / 3295 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Return the index of a share's colour. @param {number} share @param {Scale} scale */
export function shade(share, scale) {
  const at = Math.round(share * SHADES);
  return scale === "signed"
    ? SHADES + Math.min(Math.max(at, -SHADES), SHADES)
    : 2 * SHADES + 1 + Math.min(Math.max(at, 0), SHADES);
}

/**
 * Make a map of numbers. `show` draws the shares that it is given, and writes `number(share)` into
 * the cells.
 * @param {MapOptions} options
 */
export function makeMap(options) {
  const { rows, columns, label, most = 96, room = 420, cell = CELL_WIDTH } = options;
  const written = rows * columns <= most && columns * cell <= room;
  const cursor = make("b", { class: "map-cursor", hidden: true });
  const painted = written ? makeCells(options) : makeCanvas(options);
  const body = make(
    "div",
    {
      class: "map-body",
      role: "img",
      tabindex: options.point ? 0 : null,
      "aria-label": `${label}, ${rows} by ${columns}`,
    },
    painted.element,
    ...cuts(options.blocks ?? [1, 1]),
    cursor,
  );
  const element = frame(options, room, body);
  if (written) element.style.minWidth = `${columns * cell}px`;

  /** Outline one cell, or no cell. @param {number | null} row @param {number} [column] */
  const mark = (row, column = 0) => {
    cursor.hidden = row === null;
    if (row === null) return;
    cursor.style.left = `${(100 * column) / columns}%`;
    cursor.style.top = `${(100 * row) / rows}%`;
  };
  followPointer(body, rows, columns, options);
  return { element, show: painted.show, mark };
}

/**
 * Make a map's body, with the names of its rows and columns.
 * @param {MapOptions} options @param {number} room @param {HTMLElement} body
 */
function frame({ rows, columns, rowNames, columnNames }, room, body) {
  const words = (columnNames ?? []).join(" ").split(" "); // a name is broken between words
  const longest = Math.max(...words.map((word) => word.length));
  const upright = longest * LETTER + 4 > room / columns;
  const above = columnNames?.map((name) =>
    make("span", { title: name, "data-letter": name.length === 1 }, name),
  );
  const beside = rowNames?.map((name) => make("span", { title: name }, name));
  const shape = columns / Math.min(rows, TALLEST * columns);
  const sizes = `--rows: ${rows}; --columns: ${columns}; --shape: ${shape}`;
  return make(
    "div",
    { class: "map", "data-upright": upright, style: sizes },
    ...(above ? [make("div", { class: "map-columns", "aria-hidden": "true" }, ...above)] : []),
    ...(beside ? [make("div", { class: "map-rows", "aria-hidden": "true" }, ...beside)] : []),
    body,
  );
}

/**
 * Report the cell under the pointer, or the one that the arrow keys have reached.
 * @param {HTMLElement} body
 * @param {number} rows
 * @param {number} columns
 * @param {MapOptions} options
 */
function followPointer(body, rows, columns, { point, leave }) {
  if (!point) return;
  let at = [0, 0];
  /** @param {number} row @param {number} column */
  const go = (row, column) => {
    at = [Math.min(Math.max(row, 0), rows - 1), Math.min(Math.max(column, 0), columns - 1)];
    point(at[0], at[1]);
  };
  body.addEventListener("pointermove", (event) => {
    const box = body.getBoundingClientRect();
    go(
      Math.floor(((event.clientY - box.top) / box.height) * rows),
      Math.floor(((event.clientX - box.left) / box.width) * columns),
    );
  });
  body.addEventListener("pointerleave", () => leave?.());
  body.addEventListener("focus", () => body.matches(":focus-visible") && go(at[0], at[1]));
  body.addEventListener("blur", () => leave?.());
  body.addEventListener("keydown", (event) => {
    const by = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    go(at[0] + by[0], at[1] + by[1]);
  });
}

/** Make a small map of cells. @param {MapOptions} options */
function makeCells({ rows, columns, scale, masked, columnNames = [] }) {
  const absent = columnNames.map((name) => !name);
  const cells = Array.from({ length: rows * columns }, (_, i) =>
    make("span", { class: "map-cell", "data-absent": absent[i % columns] }),
  );
  const element = make("div", { class: "map-cells" }, ...cells);
  /**
   * @param {ArrayLike<number>} shares @param {number} start @param {Inks} inks
   * @param {(share: number) => string} number
   */
  const show = (shares, start, inks, number) => {
    cells.forEach((cell, i) => {
      const share = shares[start + i];
      const known = Number.isFinite(share) && !absent[i % columns];
      const at = known ? shade(share, scale) : SHADES;
      cell.style.backgroundColor = inks.colours[at];
      cell.style.color = inks.text[at];
      set(cell, { "data-hidden": masked && share === 0 });
      say(cell, known ? number(share) : "");
    });
  };
  return { element, show };
}

/** Make a large map of pixels. @param {MapOptions} options */
function makeCanvas({ rows, columns, scale, masked }) {
  const canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { width: columns, height: rows }));
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const picture = pen.createImageData(columns, rows);
  const pixels = new Uint32Array(picture.data.buffer);
  /** @param {ArrayLike<number>} shares @param {number} start @param {Inks} inks */
  const show = (shares, start, inks) => {
    for (let i = 0; i < pixels.length; i++) {
      const share = shares[start + i];
      const known = share !== undefined && !Number.isNaN(share) && !(masked && share === 0);
      pixels[i] = known ? inks.pixels[shade(share, scale)] : inks.blank;
    }
    pen.putImageData(picture, 0, 0);
  };
  return { element: canvas, show };
}

/** Draw lines between the blocks of the heads. @param {[number, number]} blocks */
function cuts([down, across]) {
  const lines = [];
  for (let i = 1; i < down; i++)
    lines.push(make("i", { class: "map-cut map-across", style: `top: ${(100 * i) / down}%` }));
  for (let i = 1; i < across; i++)
    lines.push(make("i", { class: "map-cut map-down", style: `left: ${(100 * i) / across}%` }));
  return lines;
}

/** @param {string} name */
export const nameOf = (name) => (name === "embedding" ? "E" : name.toUpperCase());

/** Write a matrix's name as in formulas, in the colour of its role. @param {string} name */
export function letterOf(name) {
  const role = { w_q: "query", w_k: "key", w_v: "value" }[name];
  const [base, below] = nameOf(name).split("_");
  const letter = make("span", { class: `qkv-letter ${role ? `qkv-${role}` : ""}` }, base);
  if (below) letter.append(make("sub", {}, below));
  return letter;
}

/** Return the title of an example in a list of examples. @param {[string[], string[]]} example */
export function titleOf([rows, columns]) {
  const text = rows.length === 1 ? `${rows[0]}: ${columns.join(", ")}` : rows.join(" ");
  return text.length > 48 ? `${text.slice(0, 47)}…` : text;
}
