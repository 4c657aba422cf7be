/* One head, drawn as words with edges between them, and described in a sentence. */

import { draw } from "../kit/dom.js";
import { fixed, quoted } from "../kit/words.js";
import { ring, twoRows } from "./layout.js";

/** @import { Frame, Look, Spot } from "./layout.js" */

/** @typedef {{ side: "row" | "column", index: number }} Picked */

const FAINT = 0.02;
const WRITTEN = 0.005;
const MOST_FAINT = 400; // of more edges, the invisibly faint ones are left out
const MOST_TOLD = 4;

/**
 * Draw one head: words and the edges between them.
 * @param {"lines" | "graph"} kind @param {Look} look @param {Picked | null} picked
 * @param {string} arrow @param {Frame} frame
 */
export function drawEdges(kind, look, picked, arrow, frame) {
  const { rows, columns, weights } = look;
  const graph = kind === "graph" ? ring(look, frame) : null;
  const lines = twoRows(look, frame);
  const crowded = rows.length * columns.length > MOST_FAINT;
  /** @type {SVGElement[]} */
  const edges = [];
  rows.forEach((_, i) =>
    columns.forEach((__, j) => {
      const share = weights[i * columns.length + j];
      if (!share) return; // a weight of zero, as behind a mask, has no edge
      const away = picked && (picked.side === "row" ? picked.index !== i : picked.index !== j);
      if (crowded && (away || share < FAINT)) return;
      // A thick line in a small circle would look like a blot.
      const most = graph && i === j ? 2.4 : graph ? 4.5 : 6;
      edges.push(
        draw("path", {
          class: "heads-edge",
          d: graph ? graph.curve(i, j) : lines.curve(lines.query(i), lines.key(j)),
          "stroke-width": (0.8 + most * share).toFixed(2),
          opacity: away ? 0.03 : Math.max(share < FAINT ? 0.12 : 0.2, share).toFixed(3),
          "stroke-dasharray": share < FAINT ? "2 5" : null,
          "marker-end": graph && i !== j && share >= FAINT && !away ? `url(#${arrow})` : null,
        }),
      );
    }),
  );
  const { height, size } = graph ?? lines;
  /** @param {"row" | "column"} side @param {string} word @param {number} index */
  const label = (side, word, index) => {
    /** @type {Spot} */
    const spot = graph ? graph.node(index) : side === "row" ? lines.query(index) : lines.key(index);
    const mine = picked?.index === index && (graph || picked.side === side);
    const role = graph ? "" : side === "row" ? "qkv-query" : "qkv-key";
    const dot = draw("circle", {
      class: `heads-dot ${role}`,
      cx: spot.x.toFixed(1),
      cy: spot.y.toFixed(1),
      r: graph ? (size < 14 ? 5 : 8) : 3,
      "data-picked": mine,
    });
    const share = numberAt(look, picked, side, index, Boolean(graph));
    const text = wordAt(spot, word, share, { class: `heads-word ${role}`, "data-picked": mine });
    return draw("g", { class: "heads-node", "data-side": side, "data-index": index }, dot, text);
  };
  const words = rows.map((word, i) => label("row", word, i));
  if (!graph) words.push(...columns.map((word, j) => label("column", word, j)));
  return { height, size, parts: [...edges, ...words] };
}

/**
 * Make a word, cut short if necessary, with its weight.
 * @param {Spot} spot @param {string} word @param {number | null} share
 * @param {Record<string, any>} more  attributes
 */
function wordAt({ textX, textY, anchor, share: apart, most = Infinity, turned }, word, share, more) {
  const place = `${textX.toFixed(1)} ${textY.toFixed(1)}`;
  const short = word.length > most ? `${word.slice(0, Math.max(most - 1, 1))}…` : word;
  const text = draw(
    "text",
    {
      ...more,
      x: textX.toFixed(1),
      y: textY.toFixed(1),
      "text-anchor": anchor,
      transform: turned === undefined ? null : `rotate(${turned.toFixed(1)} ${place})`,
      dy: turned === undefined ? null : "0.35em",
    },
    short,
  );
  if (share === null) return text;
  const own = apart && { x: apart.x.toFixed(1), y: apart.y, "text-anchor": apart.anchor };
  text.append(draw("tspan", { class: "heads-share", ...own }, ` ${fixed(share)}`));
  return text;
}

/**
 * Return the weight to write beside a word when another word is picked; null if there is none to
 * write.
 * @param {Look} look
 * @param {Picked | null} picked
 * @param {"row" | "column"} side
 * @param {number} index
 * @param {boolean} graph
 */
function numberAt(look, picked, side, index, graph) {
  if (!picked || (!graph && picked.side === side)) return null;
  const share = weightAt(look, picked, index);
  return share >= WRITTEN ? share : null; // 0.00 everywhere would hide the rest
}

/**
 * Explain the picture, while no word is picked.
 * @param {"lines" | "graph"} kind
 * @param {Look} look
 * @param {Frame} frame
 */
export function howToRead(kind, look, frame) {
  const [asks, answers] = twoRows(look, frame).sides;
  const meaning =
    kind === "lines"
      ? `The ${asks} words (blue) ask, and the ${answers} words (orange) answer.`
      : "An arrow runs from the word looked at to the word that looks, as the information does.";
  return `${meaning} Point at a word to see its weights.`;
}

/**
 * Return the weight between the picked word and one of the other side.
 * @param {Look} look @param {Picked} picked @param {number} other
 */
const weightAt = ({ columns, weights }, { side, index }, other) =>
  side === "row" ? weights[index * columns.length + other] : weights[other * columns.length + index];

/** @param {Look} look @param {Picked} picked */
export function inWords(look, picked) {
  const { rows, columns } = look;
  const looks = picked.side === "row";
  const others = (looks ? columns : rows).map((word, at) => ({ word, share: weightAt(look, picked, at) }));
  const told = others
    .filter(({ share }) => share >= 0.05)
    .sort((one, other) => other.share - one.share)
    .slice(0, MOST_TOLD);
  const missing = others.filter(({ share }) => !share).length;
  const untold = others.length - missing - told.length;
  const less = told.length < MOST_TOLD ? "a little" : "less";
  const rest = untold && told.length ? [`and ${untold > 1 ? "others" : "another"} ${less}`] : [];
  const list = [...told.map(({ word, share }) => `${quoted(word)} ${fixed(share)}`), ...rest].join(", ");
  const hidden =
    missing && looks ? ` ${missing} ${missing > 1 ? "words are" : "word is"} hidden from it.` : "";
  return looks
    ? `${quoted(rows[picked.index])} looks at ${list || "every word a little"}.${hidden}`
    : `${quoted(columns[picked.index])} is looked at by ${list || "hardly any word"}.`;
}
