/* One run's maps: weights, gradients, attention and scores at a step. */

import { draw, make, say } from "../kit/dom.js";
import { makeMap, weightLetter } from "../kit/maps.js";
import { fixed, inTwoDigits, quoted } from "../kit/words.js";
import { hasScores, placeOf, sample, scores, sidesOf } from "./frames.js";

/** @import { Inks, MapOptions, NumberMap } from "../kit/maps.js" */
/** @import { Frames, Layer, Matrix, ReplaySetup, Run } from "./frames.js" */

const MOST_NAMED = 20; // rows of scores with their names beside them

/**
 * Everything of one run: its numbers of the moment, and the maps that show them.
 * @param {Run} run @param {ReplaySetup} setup @param {number} which
 * @param {(key: string, row: number | null, column: number) => void} point
 */
export function makeRun(run, { largest, runs, tokens }, which, point) {
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
   * @type {{ key: string, map: NumberMap, source: "numbers" | "looks" | "scores", at: number,
   * words: (row: number, column: number) => string, number: (share: number) => string }[]}
   */
  let shown = [];
  /** What writes how large a gradient is. @type {(() => void)[]} */
  let sizes = [];
  const now = {
    numbers: new Float32Array(run.widths[0]),
    looks: new Float32Array(run.widths[1]),
    scores: new Float32Array(0),
  };

  /** Put up the maps of a layer and an example. @param {number} index @param {number} example */
  const lay = (index, example) => {
    const layer = run.layers[index];
    [shown, sizes] = [[], []];
    /**
     * @param {string} key
     * @param {Omit<MapOptions, "point" | "leave">} options
     * @param {Omit<typeof shown[number], "key" | "map">} rest
     */
    const add = (key, options, rest) => {
      const map = makeMap({
        ...options,
        point: (row, column) => point(key, row, column),
        leave: () => point(key, null, 0),
      });
      shown.push({ key, map, ...rest });
      return map.element;
    };
    maps.replaceChildren(
      ...layMatrices(layer, add, largest),
      ...layLooks(run, index, example, add),
      ...layScores(layer, tokens, add, largest),
    );
    now.scores = new Float32Array(hasScores(layer) ? layer.heads * sidesOf(layer).tokens ** 2 : 0);
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
    if (now.scores.length) scores(run.layers[index], now.numbers, now.scores, largest);
    for (const write of sizes) write();
    for (const { map, source, at, number } of shown) map.show(now[source], at, inks, number);
  };
  /**
   * The words of a cell, for all maps of this kind.
   * @param {string} key
   * @param {number} row
   * @param {number} column
   */
  const wordsOf = (key, row, column) =>
    shown.find((one) => one.key === key)?.words(row, column) ?? "";
  /** @param {string} key @param {number | null} row @param {number} column */
  const mark = (key, row, column) => {
    for (const one of shown) one.map.mark(one.key === key ? row : null, column);
  };

  /** @param {Matrix} matrix @param {number} at @param {number} row @param {number} column */
  const shareOf = (matrix, at, row, column) => now.numbers[at + row * matrix.columns + column];

  /**
   * @param {Layer} layer
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   * @param {[number, number, number]} largest
   */
  function layMatrices(layer, add, [weight, gradient]) {
    const columns = layer.matrices.map((matrix) => {
      const { name, rows, columns, at, slope } = matrix;
      const across = name === "w_o" || name === "embedding" ? 1 : layer.heads;
      /** @type {[number, number]} */
      const blocks = [name === "w_o" ? layer.heads : 1, across];
      const value = (/** @type {number} */ share) => fixed(known(share * weight));
      const slopeOf = (/** @type {number} */ share) =>
        fixed(known(share * Math.abs(share) * gradient), 4);
      const words = (/** @type {number} */ row, /** @type {number} */ column) => {
        const cell = `${nameOf(name)}[${row}, ${column}] is ${value(shareOf(matrix, at, row, column))}`;
        if (slope === null) return `${cell}, frozen`;
        return `${cell}, its gradient ${slopeOf(shareOf(matrix, slope, row, column))}`;
      };
      const label = nameOf(name);
      const options = { rows, columns, scale: "signed", blocks, most: 24, room: 140 };
      const most = make("small");
      if (slope !== null)
        sizes.push(() => {
          const part = now.numbers.subarray(slope, slope + rows * columns);
          const top = part.reduce((high, share) => Math.max(high, Math.abs(share)), 0);
          say(
            most,
            Number.isNaN(part[0]) ? "" : top ? `≤ ${inTwoDigits(top * top * gradient)}` : "≈ 0",
          );
        });
      const changes =
        slope === null
          ? make("div", { class: "rep-frozen" }, "frozen")
          : add(
              `d ${name}`,
              { ...options, label: `gradient of ${label}` },
              { source: "numbers", at: slope, words, number: slopeOf },
            );
      return make(
        "div",
        { class: "rep-column" },
        make(
          "div",
          { class: "rep-name" },
          weightLetter(name),
          make("small", {}, `${rows}×${columns}`),
        ),
        add(name, { ...options, label }, { source: "numbers", at, words, number: value }),
        make("div", { class: "rep-name" }, make("i", {}, "d"), weightLetter(name), most),
        changes,
      );
    });
    return [make("div", { class: "rep-columns", style: `--count: ${columns.length}` }, ...columns)];
  }

  /**
   * @param {Run} run
   * @param {number} index
   * @param {number} example
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   */
  function layLooks({ layers, examples }, index, example, add) {
    const { looks: start, heads } = layers[index];
    if (start === null) return [];
    const [rows, columns] = examples[example];
    const shape = examples[0];
    const cells = shape[0].length * shape[1].length;
    const at = start + example * heads * cells;
    const number = (/** @type {number} */ share) => fixed(share);
    const share = (/** @type {number} */ place) => fixed(now.looks[at + place]);
    if (rows.length === 1) {
      const words = (/** @type {number} */ head, /** @type {number} */ column) =>
        `${headName(head, heads)}${quoted(rows[0])} gives ${quoted(columns[column])} the weight ${share(head * cells + column)}`;
      const rowNames =
        heads > 1 ? Array.from({ length: heads }, (_, head) => `head ${head + 1}`) : rows;
      const options = {
        rows: heads,
        columns: columns.length,
        scale: "weight",
        rowNames,
        columnNames: columns,
        label: "attention",
      };
      return [
        titled(`Where ${quoted(rows[0])} looks`, [
          add("looks", options, { source: "looks", at, words, number }),
        ]),
      ];
    }
    const each = Array.from({ length: heads }, (_, head) => {
      const words = (/** @type {number} */ row, /** @type {number} */ column) =>
        `${headName(head, heads)}${quoted(rows[row])} gives ${quoted(columns[column])} the weight ${share(head * cells + row * columns.length + column)}`;
      const options = {
        rows: rows.length,
        columns: columns.length,
        scale: "weight",
        rowNames: rows,
        columnNames: columns,
        label: `attention of head ${head + 1}`,
      };
      return headed(
        head,
        heads,
        add(`looks ${head}`, options, { source: "looks", at: at + head * cells, words, number }),
      );
    });
    return [titled("Where each word looks", each)];
  }

  /**
   * @param {Layer} layer
   * @param {string[]} names
   * @param {(key: string, options: any, rest: any) => HTMLElement} add
   * @param {[number, number, number]} largest
   */
  function layScores(layer, names, add, [, , score]) {
    if (!hasScores(layer)) return [];
    const { embedding, tokens: n } = sidesOf(layer);
    const number = (/** @type {number} */ share) => fixed(share * score);
    const name = (/** @type {number} */ i) =>
      embedding ? (names[i] ?? `token ${i}`) : `feature ${i}`;
    const called = (/** @type {number} */ i) => (names[i] ? quoted(names[i]) : name(i));
    const maps = Array.from({ length: layer.heads }, (_, head) => {
      const words = (/** @type {number} */ row, /** @type {number} */ column) =>
        `${headName(head, layer.heads)}${called(row)} as a query scores ${number(now.scores[head * n * n + row * n + column])} with ${called(column)} as a key`;
      const named =
        names.length && n <= MOST_NAMED && layer.heads === 1
          ? Array.from({ length: n }, (_, i) => name(i))
          : undefined;
      const options = {
        rows: n,
        columns: n,
        scale: "signed",
        rowNames: named,
        columnNames: named,
        room: 0,
        label: `scores of head ${head + 1}`,
      };
      return headed(
        head,
        layer.heads,
        add(`scores ${head}`, options, { source: "scores", at: head * n * n, words, number }),
      );
    });
    const [q, k] = [weightLetter("w_q"), weightLetter("w_k")];
    const formula = embedding
      ? [
          "Each token’s score with each: ",
          weightLetter("embedding"),
          " ",
          q,
          " ",
          k,
          "ᵀ ",
          weightLetter("embedding"),
          "ᵀ / √d",
        ]
      : ["What the scores are made of: ", q, " ", k, "ᵀ / √d"];
    return [titled(make("span", {}, ...formula), maps)];
  }

  return { element, lay, show, wordsOf, mark, name: run.name };
}

/** @param {number} value */
const known = (value) => (Number.isFinite(value) ? value : null);
/** @param {string} name */
const nameOf = (name) => (name === "embedding" ? "E" : name.toUpperCase());
/** @param {number} head @param {number} heads */
const headName = (head, heads) => (heads > 1 ? `head ${head + 1}: ` : "");
/** @param {Node | string} title @param {HTMLElement[]} maps */
const titled = (title, maps) =>
  make(
    "div",
    { class: "rep-part" },
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
