/* One run's maps: weights, gradients, attention and scores at a step. */

import { draw, make, say } from "../kit/dom.js";
import { makeMap, weightLetter } from "../kit/maps.js";
import { fixed, inTwoDigits, quoted } from "../kit/words.js";
import { hasScores, placeOf, sample, scores, sidesOf } from "./frames.js";
import { thinned } from "./room.js";

/** @import { Inks, MapOptions, NumberMap } from "../kit/maps.js" */
/** @import { Frames, Layer, Matrix, ReplaySetup, Run } from "./frames.js" */
/** @import { Room } from "./room.js" */

const CELL = 28; // of an attention weight: two digits
const LINE = 13; // a name's height
const LETTER = 7;
const BETWEEN_HEADS = 10; // as in replay.css
const SHORT = 3; // letters of a name that has room beside its neighbours, if not all are written
/** How wide the names beside a map are. @param {string[]} names */
export const widthOf = (names) => Math.max(...names.map((name) => name.length)) * LETTER + 8;

/**
 * What scores are between: tokens, or a deeper layer's features.
 * @param {Layer} layer @param {string[]} tokens
 */
export function scoreNames(layer, tokens) {
  const { embedding, tokens: n } = sidesOf(layer);
  return Array.from({ length: n }, (_, i) => (embedding && tokens[i]) || String(i));
}

/**
 * What is drawn is the root of a share, so that small numbers are not lost beside large ones.
 * @param {number} share
 */
const root = (share) => Math.sign(share) * Math.sqrt(Math.abs(share));
/** @param {number} shown */
const unrooted = (shown) => shown * Math.abs(shown);

/**
 * Everything of one run: its numbers of the moment, and the maps that show them.
 * @param {Run} run @param {ReplaySetup} setup @param {number} which
 * @param {(key: string, row: number | null, column: number, which: number) => void} point
 */
export function makeRun(run, { largest, runs, tokens }, which, point) {
  const [weight, gradient, score] = largest;
  const line = draw(
    "svg",
    { class: "rep-sample", viewBox: "0 0 24 8" },
    draw("path", { d: "M0 4H24", "data-run": which }),
  );
  const loss = make("span");
  const head = make(
    "div",
    { class: "rep-head" },
    ...(runs.length > 1 ? [line, make("strong", {}, run.name)] : []),
    loss,
  );
  const maps = make("div", { class: "rep-maps" });
  const element = make("section", { class: "rep-run", "aria-label": run.name }, head, maps);
  /**
   * @type {{ key: string, map: NumberMap, source: "inks" | "looks" | "scoreInks", at: number,
   * words: (row: number, column: number) => string, number: (share: number) => string }[]}
   */
  let shown = [];
  /** What scales and sizes a gradient. @type {(() => void)[]} */
  let slopes = [];
  const now = {
    numbers: new Float32Array(run.widths[0]),
    inks: new Float32Array(run.widths[0]), // the numbers as they are coloured
    looks: new Float32Array(run.widths[1]),
    scores: new Float32Array(0),
    scoreInks: new Float32Array(0),
  };

  /**
   * Put up the maps of a layer and an example.
   * @param {number} index @param {number} example @param {Room} room
   */
  const lay = (index, example, room) => {
    const layer = run.layers[index];
    [shown, slopes] = [[], []];
    /**
     * @param {string} key
     * @param {Omit<MapOptions, "point" | "leave">} options
     * @param {Omit<typeof shown[number], "key" | "map">} rest
     */
    const add = (key, options, rest) => {
      const map = makeMap({
        ...options,
        point: (row, column) => point(key, row, column, which),
        leave: () => point(key, null, 0, which),
      });
      shown.push({ key, map, ...rest });
      return map.element;
    };
    const size = hasScores(layer) ? layer.heads * sidesOf(layer).tokens ** 2 : 0;
    now.scores = new Float32Array(size);
    now.scoreInks = new Float32Array(size);
    maps.replaceChildren(
      layMatrices(layer, add),
      make(
        "div",
        { class: "rep-below", "data-stacked": room.stacked },
        ...layLooks(run, index, example, add, room),
        ...layScores(layer, add, room),
      ),
    );
  };

  /** @param {Frames} played @param {number} step @param {number} index @param {Inks} inks */
  const show = (played, step, index, inks) => {
    const place = placeOf(played.steps, step);
    const words = [`loss ${fixed(played.losses[place], 3)}`];
    if (played.accuracy.length) words.push(`accuracy ${fixed(played.accuracy[place])}`);
    say(loss, words.join(" · "));
    sample(played, played.numbers, step, now.numbers);
    sample(played, played.looks, step, now.looks);
    for (let i = 0; i < now.looks.length; i++) now.looks[i] = (now.looks[i] + 1) / 2;
    for (const { at, rows, columns } of run.layers[index].matrices)
      for (let i = at; i < at + rows * columns; i++) now.inks[i] = root(now.numbers[i]);
    for (const scale of slopes) scale();
    if (now.scores.length) scores(run.layers[index], now.numbers, now.scores, largest);
    for (let i = 0; i < now.scores.length; i++) now.scoreInks[i] = root(now.scores[i]);
    for (const { map, source, at, number } of shown) map.show(now[source], at, inks, number);
  };
  /** @param {string} key */
  const find = (key) => shown.find((one) => one.key === key);
  /**
   * The words of a cell, for all maps of this kind.
   * @param {string} key
   * @param {number} row
   * @param {number} column
   */
  const wordsOf = (key, row, column) => find(key)?.words(row, column) ?? "";
  /** The place on the page of a map's numbers. @param {string} key */
  const bodyOf = (key) => find(key)?.map.body;
  /** @param {string} key @param {number | null} row @param {number} column */
  const mark = (key, row, column) => {
    for (const one of shown) one.map.mark(one.key === key ? row : null, column);
  };

  /** A row's name: a token's, where the rows are tokens. @param {string} name @param {number} row */
  const rowOf = (name, row) =>
    name === "embedding" && tokens[row] ? quoted(tokens[row]) : String(row);

  /**
   * @param {Layer} layer
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   */
  function layMatrices(layer, add) {
    const columns = layer.matrices.map((matrix) => layMatrix(matrix, layer.heads, add));
    return make("div", { class: "rep-columns", style: `--count: ${columns.length}` }, ...columns);
  }

  /**
   * A matrix above its gradient, with the heads' names over their parts of it.
   * @param {Matrix} matrix
   * @param {number} heads
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   */
  function layMatrix({ name, rows, columns, at, slope }, heads, add) {
    const own = name === "embedding" ? 1 : heads;
    const down = name === "w_o" ? own : 1;
    const across = own / down;
    const label = nameOf(name);
    /** @param {number} row @param {number} column */
    const whose = (row, column) => {
      const part = Math.floor(down > 1 ? (row * down) / rows : (column * across) / columns);
      return own > 1 ? `, of head ${part + 1},` : "";
    };
    /** @param {number} row @param {number} column */
    const words = (row, column) => {
      const share = (/** @type {number} */ from) => now.numbers[from + row * columns + column];
      const value = fixed(known(share(at) * weight));
      const cell = `${label}[${rowOf(name, row)}, ${column}]${whose(row, column)} is ${value}`;
      if (slope === null) return `${cell}, frozen`;
      return `${cell}, its gradient ${fixed(known(unrooted(share(slope)) * gradient), 4)}`;
    };
    const options = { rows, columns, scale: "signed", blocks: [down, across], most: 24, room: 140 };
    const weights = add(
      name,
      { ...options, label },
      { source: "inks", at, words, number: (/** @type {number} */ s) => inked(s, weight, 2) },
    );
    const size = make("small");
    /** A gradient is coloured up to its own largest: the last ones would all be blank. */
    let top = 0;
    if (slope !== null)
      slopes.push(() => {
        const end = slope + rows * columns;
        top = 0;
        for (let i = slope; i < end; i++) top = Math.max(top, Math.abs(now.numbers[i]));
        for (let i = slope; i < end; i++) now.inks[i] = now.numbers[i] / (top || 1);
        const most = top ? `≤${inTwoDigits(top * top * gradient)}` : "0";
        say(size, Number.isNaN(top) ? "" : most);
      });
    const number = (/** @type {number} */ s) => inked(s, top * top * gradient, 4);
    const changes =
      slope === null
        ? make("div", { class: "rep-frozen" }, "frozen")
        : add(
            `d ${name}`,
            { ...options, label: `gradient of ${label}` },
            { source: "inks", at: slope, words, number },
          );
    const parts = own > 1 ? [partNames(own, down > 1)] : [];
    return make(
      "div",
      { class: "rep-column", "data-down": down > 1 },
      make(
        "div",
        { class: "rep-name" },
        weightLetter(name),
        make("small", {}, `${rows}×${columns}`),
      ),
      make("div", { class: "rep-parted" }, ...parts, weights),
      make("div", { class: "rep-name" }, make("span", {}, "d", weightLetter(name)), size),
      changes,
    );
  }

  /**
   * @param {Run} run
   * @param {number} index
   * @param {number} example
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   * @param {Room} room
   */
  function layLooks({ layers, examples }, index, example, add, room) {
    const { looks: start, heads } = layers[index];
    if (start === null) return [];
    const [rows, columns] = examples[example];
    const shape = examples[0];
    const cells = shape[0].length * shape[1].length;
    const at = start + example * heads * cells;
    const number = (/** @type {number} */ share) => fixed(share);
    /** @param {number} place */
    const share = (place) => fixed(now.looks[at + place]);
    /** @param {number} head @param {string} row @param {string} column @param {number} place */
    const told = (head, row, column, place) =>
      `${headName(head, heads)}${quoted(row)} gives ${quoted(column)} the weight ${share(place)}`;
    const options = { scale: "weight", columnNames: columns, columns: columns.length, cell: CELL };
    if (rows.length === 1) {
      const words = (/** @type {number} */ head, /** @type {number} */ column) =>
        told(head, rows[0], columns[column], head * cells + column);
      const each = Array.from({ length: heads }, (_, head) => `head ${head + 1}`);
      const rowNames = heads > 1 ? each : rows;
      const wide = room.looks - widthOf(rowNames);
      const map = add(
        "looks",
        { ...options, rows: heads, label: "attention", rowNames, room: wide },
        { source: "looks", at, words, number },
      );
      return [titled("looks", `Where ${quoted(rows[0])} looks`, [map])];
    }
    // The heads side by side: the rows' names stand once, and the columns', which are the same words,
    // where each has its line.
    const beside = widthOf(rows);
    const wide = (room.looks - beside - BETWEEN_HEADS * (heads - 1)) / heads;
    const columnNames = wide >= (LINE - 1) * columns.length ? columns : undefined;
    const each = Array.from({ length: heads }, (_, head) => {
      const first = head * cells;
      const words = (/** @type {number} */ row, /** @type {number} */ column) =>
        told(head, rows[row], columns[column], first + row * columns.length + column);
      const rowNames = head ? undefined : rows;
      const label = `attention of head ${head + 1}`;
      const own = { rows: rows.length, rowNames, columnNames, label };
      const map = add(
        `looks ${head}`,
        { ...options, ...own, room: (LINE + 3) * columns.length },
        { source: "looks", at: at + first, words, number },
      );
      const part = headed(head, heads, map);
      part.style.setProperty("--beside", `${head ? 0 : beside}px`);
      return part;
    });
    return [titled("looks", "Where each word looks", each)];
  }

  /**
   * @param {Layer} layer
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   * @param {Room} room
   */
  function layScores(layer, add, { side, abreast, scores: wide }) {
    if (!hasScores(layer)) return [];
    const { embedding, tokens: n } = sidesOf(layer);
    const number = (/** @type {number} */ shown) => inked(shown, score, 2);
    const names = scoreNames(layer, tokens);
    /** @param {number} i */
    const called = (i) =>
      embedding ? (tokens[i] ? quoted(tokens[i]) : `token ${i}`) : `feature ${i}`;
    // Upright where each column gets its name, else along, if short; the rows have the same names.
    const upright = side / n >= LINE - 1;
    const short = names.every((name) => name.length <= SHORT);
    const columnNames =
      upright || short ? thinned(names, side, upright ? LINE - 1 : 24) : undefined;
    const maps = Array.from({ length: layer.heads }, (_, head) => {
      const words = (/** @type {number} */ row, /** @type {number} */ column) => {
        const value = fixed(known(now.scores[head * n * n + row * n + column] * score));
        return `${headName(head, layer.heads)}${called(row)} as a query scores ${value} with ${called(column)} as a key`;
      };
      const options = {
        rows: n,
        columns: n,
        scale: "signed",
        most: 0,
        rowNames: head % abreast ? undefined : thinned(names, side, LINE - 1),
        columnNames,
        room: upright ? LINE * n : Infinity,
        label: `scores of head ${head + 1}`,
      };
      const rest = { source: "scoreInks", at: head * n * n, words, number };
      return headed(head, layer.heads, add(`scores ${head}`, options, rest));
    });
    const [q, k] = [weightLetter("w_q"), weightLetter("w_k")];
    const e = embedding ? [weightLetter("embedding"), " "] : [];
    const eT = embedding ? [" ", weightLetter("embedding"), "ᵀ"] : [];
    const formula = [...e, q, " ", k, "ᵀ", ...eT, " / √d"];
    const title = make("span", {}, "Scores ", ...formula);
    const part = titled("scores", title, maps);
    part.style.width = `${wide}px`;
    return [part];
  }

  return { element, lay, show, wordsOf, bodyOf, mark, name: run.name };
}

/**
 * A number from the root of its share, in words.
 * @param {number} shown @param {number} largest @param {number} digits
 */
const inked = (shown, largest, digits) => fixed(known(unrooted(shown) * largest), digits);
/** @param {number} value */
const known = (value) => (Number.isFinite(value) ? value : null);
/** @param {string} name */
const nameOf = (name) => (name === "embedding" ? "E" : name.toUpperCase());
/** @param {number} head @param {number} heads */
const headName = (head, heads) => (heads > 1 ? `head ${head + 1}: ` : "");

/**
 * The heads' names along a matrix: over their parts of it, or beside them.
 * @param {number} count @param {boolean} down
 */
function partNames(count, down) {
  const short = down || count > 2;
  const names = Array.from({ length: count }, (_, i) =>
    make("span", {}, ...(short ? [] : [make("i", {}, "head ")]), `${i + 1}`),
  );
  return make(
    "div",
    { class: "rep-heads", title: "the heads' parts", "data-down": down },
    ...names,
  );
}

/** @param {string} kind @param {Node | string} title @param {HTMLElement[]} maps */
const titled = (kind, title, maps) =>
  make(
    "div",
    { class: `rep-part rep-${kind}` },
    make("div", { class: "rep-title" }, title),
    make("div", { class: "rep-each" }, ...maps),
  );
/** @param {number} head @param {number} heads @param {HTMLElement} map */
const headed = (head, heads, map) =>
  make(
    "div",
    { class: "rep-headed" },
    ...(heads > 1 ? [make("div", { class: "rep-name" }, `head ${head + 1}`)] : []),
    map,
  );
