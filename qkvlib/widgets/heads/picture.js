/* Draw a Heads widget: the chosen head, its words, and the accuracy when some heads are silent. */

import { draw, say, set } from "../kit/dom.js";
import { makeMap } from "../kit/maps.js";
import { fixed, quoted } from "../kit/words.js";
import { jobOf, sayOfSilence } from "./chooser.js";
import { drawEdges, howToRead, inWords } from "./edges.js";
import { wishedHeight } from "./layout.js";
import { standingOf, unpack, weightsOf } from "./weights.js";

/** @import { Inks } from "../kit/maps.js" */
/** @import { Picked } from "./edges.js" */
/** @import { Look } from "./layout.js" */
/** @import { Heads } from "./parts.js" */
/** @import { State } from "./weights.js" */

const [NARROWEST, LOWEST] = [280, 200];
const TALLEST = 696; // pixels: the whole widget fits into a window, even on a narrow page
const SIDE_BY_SIDE = 760; // pixels, as in heads.css

/** Return the words and weights that are shown. @param {Heads} heads @returns {Look} */
function lookNow(heads) {
  const { example, maps } = heads.model.get("state");
  if (heads.drawn.packed !== maps) [heads.drawn.packed, heads.all] = [maps, unpack(maps)];
  const [rows, columns] = heads.setup.examples[example];
  const size = rows.length * columns.length;
  return { rows, columns, weights: weightsOf(heads.all, heads.chosen, size) };
}

/** @param {Heads} heads */
export function show(heads) {
  if (!heads.root.isConnected) return;
  const { kind, picked, strip } = heads;
  const inks = heads.inks();
  const state = heads.model.get("state");
  const look = lookNow(heads);
  heads.select.selectedIndex = state.example;
  heads.kinds.show(kind);
  showTitle(heads, state);
  showAnswers(heads, state);
  if (strip && heads.setup.goal) strip.show(standingOf(heads.setup.goal, state));
  heads.chooser.show(state, heads.chosen);
  layMaps(heads, state, look);
  showSmall(heads, look, inks);
  heads.mapBox.hidden = kind !== "map";
  heads.svg.style.display = kind === "map" ? "none" : "";
  if (kind === "map") heads.big?.show(look.weights, 0, inks, fixed);
  else showEdges(heads, kind, look);
  if (!picked) say(heads.words, restingWords(heads, look));
  else if (kind !== "map") say(heads.words, inWords(look, picked));
}

/** @param {Heads} heads @param {State} state */
function showTitle(heads, state) {
  const { name } = heads.places[heads.chosen];
  const silent = state.silenced.includes(heads.chosen);
  say(heads.name, `${name}${silent ? ", silenced" : ""}`);
  say(heads.job, jobOf(state, heads.chosen));
  sayOfSilence(heads.silence, name, silent);
}

/** @param {Heads} heads @param {State} state */
function showAnswers({ answers, hear }, { before, now, silenced }) {
  hear.disabled = !silenced.length;
  const lines = now.map((share, question) => {
    const asked = now.length > 1 ? `question ${question + 1}` : "Right answers";
    const change =
      Math.abs(share - before[question]) >= 0.005
        ? `${fixed(before[question])} → ${fixed(share)}`
        : fixed(share);
    return `${asked}: ${change}`;
  });
  say(answers, (now.length > 1 ? "Right answers: " : "") + lines.join(" · "));
  set(answers, { "data-lost": now.some((share, question) => share < before[question] - 0.05) });
}

/** @param {Heads} heads @param {Look} look */
const restingWords = ({ kind, frame }, look) =>
  kind === "map"
    ? "Each row is a word that asks, each column a word that answers. Point at a cell to read it."
    : howToRead(kind, look, frame);

/** @param {Heads} heads @param {"lines" | "graph"} how @param {Look} look */
function showEdges(heads, how, look) {
  const { svg, frame, picked, arrow } = heads;
  const { height, size, parts } = drawEdges(how, look, picked, arrow, frame);
  const name = heads.places[heads.chosen].name;
  // One unit is one pixel, so that words keep their size.
  set(svg, {
    viewBox: `0 0 ${frame.wide} ${height}`,
    height,
    style: `--size: ${size}px`,
    "aria-label": `${name}, ${how}. Arrow keys go from word to word.`,
  });
  const tip = draw("path", { d: "M0 0L8 4L0 8Z" });
  const box = { viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 9, markerHeight: 9 };
  const head = { id: arrow, ...box, markerUnits: "userSpaceOnUse", orient: "auto" };
  svg.replaceChildren(draw("defs", {}, draw("marker", head, tip)), ...parts);
}

/**
 * Lay the maps for a different example or width.
 * @param {Heads} heads
 * @param {State} state
 * @param {Look} look
 */
function layMaps(heads, { example }, look) {
  const { root, drawn } = heads;
  const { rows, columns } = look;
  const key = `${example} ${root.offsetWidth}`;
  if (drawn.laid === key) return;
  drawn.laid = key;
  drawn.small = [];
  heads.chooser.lay(rows.length, columns.length);
  measure(heads, look);
  const beside = Math.max(...rows.map((word) => word.length)) * 7 + 6;
  heads.big = makeMap({
    rows: rows.length,
    columns: columns.length,
    scale: "weight",
    rowNames: rows,
    columnNames: columns,
    room: heads.frame.wide - beside,
    masked: true,
    label: "attention",
    point: (row, column) => pointCell(heads, row, column),
    leave: () => {
      heads.picked = null;
      heads.big?.mark(null);
      show(heads);
    },
  });
  heads.mapBox.replaceChildren(heads.big.element);
}

/**
 * Use one height for every kind of picture, so that nothing below it jumps.
 * @param {Heads} heads
 * @param {Look} look
 */
function measure(heads, look) {
  const { root, framed } = heads;
  const wide = Math.max(framed.clientWidth, NARROWEST);
  const room = TALLEST - (root.offsetHeight - framed.offsetHeight);
  const wish = wishedHeight(look, wide, heads.setup.of_itself);
  const beside = root.offsetWidth >= SIDE_BY_SIDE;
  const tall = Math.round(beside ? wish : Math.max(Math.min(wish, room), LOWEST));
  heads.frame = { wide, tall };
  framed.style.height = `${tall}px`;
}

/** @param {Heads} heads @param {Look} look @param {Inks} inks */
function showSmall({ drawn, chooser, all }, { rows, columns }, inks) {
  const now = [drawn.laid, drawn.packed, inks];
  if (now.every((part, i) => part === drawn.small[i])) return;
  drawn.small = now;
  chooser.paint(all, rows.length * columns.length, inks);
}

/** @param {Heads} heads @param {number} row @param {number} column */
function pointCell(heads, row, column) {
  const { rows, columns, weights } = lookNow(heads);
  heads.picked = { side: "row", index: row };
  heads.big?.mark(row, column);
  const share = weights[row * columns.length + column];
  const text = `${quoted(rows[row])} gives ${quoted(columns[column])} the weight ${share ? fixed(share) : "0: it is hidden"}.`;
  say(heads.words, text);
  heads.announce(text);
}

/** @param {Heads} heads @param {Picked | null} next */
export function pick(heads, next) {
  if (next?.side === heads.picked?.side && next?.index === heads.picked?.index) return;
  heads.picked = next;
  show(heads);
  if (next) heads.announce(inWords(lookNow(heads), next));
}
