import { draw } from "../kit/dom.js";
import { fixed, quoted } from "../kit/words.js";

/**
 * One head as words and the edges between them, and in a sentence.
 *
 * @typedef {{ rows: string[], columns: string[], weights: ArrayLike<number> }} Look
 * @typedef {{ side: "row" | "column", index: number }} Picked
 *
 * @typedef {object} Spot  Where a word stands, and its dot.
 * @property {number} x
 * @property {number} y
 * @property {number} textX
 * @property {number} textY
 * @property {string} anchor
 * @property {number} [shareX]
 * @property {number} [most]  so many letters fit
 */

const LETTER = 8.2;
const BOLD_LETTER = 9.5;
const SHARE = 40; // room for a weight beside a word
const STEP = 26;
const APART = 34; // from a node of the graph to its word
const SMALLEST_RING = 70; // words that need more room are cut short
const FAINT = 0.02;

/**
 * Where the words of two rows stand: across if there is room, else down.
 * @param {Look} look
 * @param {number} wide
 */
export function twoRows({ rows, columns }, wide) {
  const longest = Math.max(...[...rows, ...columns].map((word) => word.length)) * LETTER + 14;
  const most = Math.max(rows.length, columns.length);
  if (most * longest <= wide) {
    const at = (/** @type {number} */ i, /** @type {number} */ count) => ((i + 0.5) * wide) / count;
    return {
      height: 230,
      sides: ["upper", "lower"],
      query: (/** @type {number} */ i) => ({
        x: at(i, rows.length),
        y: 32,
        textY: 20,
        anchor: "middle",
        textX: at(i, rows.length),
      }),
      key: (/** @type {number} */ j) => ({
        x: at(j, columns.length),
        y: 198,
        textY: 218,
        anchor: "middle",
        textX: at(j, columns.length),
      }),
      curve: (/** @type {any} */ a, /** @type {any} */ b) =>
        `M${a.x} ${a.y}C${a.x} ${a.y + 70} ${b.x} ${b.y - 70} ${b.x} ${b.y}`,
    };
  }
  const side = Math.min(longest, 0.375 * wide);
  const [left, right] = [side, wide - SHARE - side];
  const bend = 0.35 * (right - left);
  const y = (/** @type {number} */ i, /** @type {number} */ count) =>
    ((i + 0.5) * most * STEP) / count + 6;
  return {
    height: most * STEP + 12,
    sides: ["left", "right"],
    query: (/** @type {number} */ i) => ({
      x: left,
      y: y(i, rows.length),
      textX: left - 8,
      textY: y(i, rows.length) + 5,
      anchor: "end",
      shareX: left + 9,
    }),
    key: (/** @type {number} */ j) => ({
      x: right,
      y: y(j, columns.length),
      textX: right + 8,
      textY: y(j, columns.length) + 5,
      anchor: "start",
    }),
    curve: (/** @type {any} */ a, /** @type {any} */ b) =>
      `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`,
  };
}

/**
 * Where the nodes of a graph stand, on a ring that leaves room for each word and its weight.
 * @param {Look} look
 * @param {number} wide
 */
export function ring({ rows }, wide) {
  const angle = (/** @type {number} */ i) => (2 * Math.PI * i) / rows.length - Math.PI / 2;
  const side = (/** @type {number} */ i) => Math.cos(angle(i));
  /** How much of a label lies outwards of its place. @param {number} i */
  const outwards = (i) => (Math.abs(side(i)) > 0.3 ? 1 : 0.5);
  const room = rows.map(
    (word, i) =>
      (wide / 2 - 6 - outwards(i) * (word.length * BOLD_LETTER + SHARE)) /
        Math.max(Math.abs(side(i)), 0.01) -
      APART,
  );
  const [cx, cy, radius] = [wide / 2, 230, Math.max(Math.min(170, ...room), SMALLEST_RING)];
  const at = (/** @type {number} */ i, r = radius) => ({
    x: cx + r * Math.cos(angle(i)),
    y: cy + r * Math.sin(angle(i)),
  });
  const node = (/** @type {number} */ i) => {
    const [spot, word] = [at(i), at(i, radius + APART)];
    const most = Math.floor(
      ((wide / 2 - 6 - Math.abs(word.x - cx)) / outwards(i) - SHARE) / BOLD_LETTER,
    );
    return {
      ...spot,
      textX: word.x,
      textY: word.y + 5,
      anchor: outwards(i) < 1 ? "middle" : side(i) > 0 ? "start" : "end",
      most,
    };
  };
  /**
   * From a key to the query that hears it, bent so that two ways do not lie on each other.
   * @param {number} i
   * @param {number} j
   */
  const curve = (i, j) => {
    if (i === j) {
      const [a, b] = [at(i, radius + 8), at(i, radius + 26)];
      const [dx, dy] = [(a.y - b.y) * 0.6, (b.x - a.x) * 0.6];
      const end = `${a.x + dx * 0.3} ${a.y + dy * 0.3}`;
      return `M${a.x} ${a.y}C${b.x + dx} ${b.y + dy} ${b.x - dx} ${b.y - dy} ${end}`;
    }
    const [from, to] = [at(j), at(i)];
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const bend = { x: middle.x + (to.y - from.y) * 0.13, y: middle.y - (to.x - from.x) * 0.13 };
    const long = Math.hypot(to.x - bend.x, to.y - bend.y);
    const end = {
      x: to.x + ((bend.x - to.x) * 13) / long,
      y: to.y + ((bend.y - to.y) * 13) / long,
    };
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  };
  return { height: 460, node, curve };
}

/**
 * The picture of one head: words and the edges between them.
 * @param {"lines" | "graph"} kind @param {Look} look @param {Picked | null} picked
 * @param {string} arrow @param {number} wide
 */
export function drawEdges(kind, look, picked, arrow, wide) {
  const { rows, columns, weights } = look;
  const graph = kind === "graph" ? ring(look, wide) : null;
  const lines = twoRows(look, wide);
  /** @type {SVGElement[]} */
  const edges = [];
  rows.forEach((_, i) =>
    columns.forEach((__, j) => {
      const share = weights[i * columns.length + j];
      if (!share) return; // behind a mask there is no edge
      const away = picked && (picked.side === "row" ? picked.index !== i : picked.index !== j);
      edges.push(
        draw("path", {
          class: "heads-edge",
          d: graph ? graph.curve(i, j) : lines.curve(lines.query(i), lines.key(j)),
          "stroke-width": (0.8 + 6 * share).toFixed(2),
          opacity: away ? 0.03 : Math.max(share < FAINT ? 0.12 : 0.2, share).toFixed(3),
          "stroke-dasharray": share < FAINT ? "2 5" : null,
          "marker-end": graph && i !== j && share >= FAINT && !away ? `url(#${arrow})` : null,
        }),
      );
    }),
  );
  /** @param {"row" | "column"} side @param {string} word @param {number} index */
  const label = (side, word, index) => {
    /** @type {Spot} */
    const spot = graph ? graph.node(index) : side === "row" ? lines.query(index) : lines.key(index);
    const share = numberAt(look, picked, side, index, Boolean(graph));
    const mine = picked?.index === index && (graph || picked.side === side);
    const role = graph ? "" : side === "row" ? "qkv-query" : "qkv-key";
    const short =
      word.length > (spot.most ?? Infinity)
        ? `${word.slice(0, Math.max(Number(spot.most) - 1, 1))}…`
        : word;
    const text = draw(
      "text",
      {
        class: `heads-word ${role}`,
        x: spot.textX.toFixed(1),
        y: spot.textY.toFixed(1),
        "text-anchor": spot.anchor,
        "data-picked": mine,
      },
      short,
    );
    // A word that ends at its dot has its weight on the other side: before it there is no room.
    const apart =
      spot.shareX !== undefined ? { x: spot.shareX.toFixed(1), "text-anchor": "start" } : {};
    if (share !== null)
      text.append(draw("tspan", { class: "heads-share", ...apart }, ` ${fixed(share)}`));
    const dot = draw("circle", {
      class: `heads-dot ${role}`,
      cx: spot.x.toFixed(1),
      cy: spot.y.toFixed(1),
      r: graph ? 8 : 3,
      "data-picked": mine,
    });
    return draw("g", { class: "heads-node", "data-side": side, "data-index": index }, dot, text);
  };
  const words = rows.map((word, i) => label("row", word, i));
  if (!graph) words.push(...columns.map((word, j) => label("column", word, j)));
  return { height: graph ? graph.height : lines.height, parts: [...edges, ...words] };
}

/**
 * The weight to write beside a word, when another is picked.
 * @param {Look} look
 * @param {Picked | null} picked
 * @param {"row" | "column"} side
 * @param {number} index
 * @param {boolean} graph
 */
function numberAt({ columns, weights }, picked, side, index, graph) {
  if (!picked || (!graph && picked.side === side)) return null;
  return picked.side === "row"
    ? weights[picked.index * columns.length + index]
    : weights[index * columns.length + picked.index];
}

/**
 * What the picture means, while no word is picked.
 * @param {"lines" | "graph"} kind
 * @param {Look} look
 * @param {number} wide
 */
export function howToRead(kind, look, wide) {
  const [asks, answers] = twoRows(look, wide).sides;
  const meaning =
    kind === "lines"
      ? `The ${asks} words (blue) ask, the ${answers} ones (orange) answer.`
      : "An arrow runs from the word looked at to the word that looks: so the information flows.";
  return `${meaning} Point at a word to see its weights.`;
}

/** @param {Look} look @param {Picked} picked */
export function inWords({ rows, columns, weights }, picked) {
  const looks = picked.side === "row";
  const others = (looks ? columns : rows).map((word, at) => ({
    word,
    share: looks
      ? weights[picked.index * columns.length + at]
      : weights[at * columns.length + picked.index],
  }));
  const told = others
    .filter(({ share }) => share >= 0.05)
    .sort((one, other) => other.share - one.share);
  const missing = others.filter(({ share }) => !share).length;
  const untold = others.length - missing - told.length;
  const rest =
    untold && told.length ? [untold > 1 ? "and others a little" : "and another a little"] : [];
  const list = [...told.map(({ word, share }) => `${quoted(word)} ${fixed(share)}`), ...rest].join(
    ", ",
  );
  const hidden =
    missing && looks ? ` ${missing} ${missing > 1 ? "words are" : "word is"} hidden from it.` : "";
  return looks
    ? `${quoted(rows[picked.index])} looks at ${list || "every word a little"}.${hidden}`
    : `${quoted(columns[picked.index])} is looked at by ${list || "nobody much"}.`;
}
