/* The numbers beside the plane, and the words about them. */

import { make, say, set } from "../kit/dom.js";
import { atEdge, lengthOf } from "../kit/points.js";
import { fixed, quoted } from "../kit/words.js";

/** @import { VectorsSetup, VectorsState } from "./compute.js" */

/**
 * What a screen reader says of an arrow.
 * @param {VectorsState} state @param {number} i
 * @param {boolean} stale  whether the arrow has moved and its numbers have not followed
 */
export function spoken(state, i, stale) {
  const point = i ? state.keys[i - 1] : state.query;
  const edge = atEdge(point, state.limit) ? ", at the edge" : "";
  const where = `x ${fixed(point[0])}, y ${fixed(point[1])}${edge}`;
  if (stale) return where;
  if (!i) return `${where}, length ${fixed(state.query_length)}`;
  const k = i - 1;
  return (
    `${where}, length ${fixed(state.lengths[k])}, score ${fixed(state.scores[k])}, ` +
    `angle ${fixed(state.angles[k], 0)} degrees, weight ${fixed(state.weights[k])}`
  );
}

/** @param {string} text @param {string} role */
const letter = (text, role) => make("span", { class: `qkv-letter qkv-${role}` }, text);

/**
 * The numbers beside the plane.
 * @param {VectorsSetup} setup
 */
export function makeTable({ names, function: own }) {
  const score = own ? [`${own}(q, k)`] : [letter("q", "query"), " · ", letter("k", "key")];
  /** @param {...(Node | string)} text */
  const head = (...text) => make("th", { scope: "col" }, ...text);
  const queryCells = [make("td"), make("td")];
  const rows = names.map((name) => {
    const cells = Array.from({ length: 4 }, () => make("td"));
    const scoreText = make("span");
    const scoreBar = make("i");
    const weightText = make("span");
    const weightBar = make("i");
    const row = make(
      "tr",
      {},
      make("th", { scope: "row" }, letter(name, "key")),
      ...cells,
      make("td", { class: "vec-score" }, scoreText, make("b", {}, scoreBar)),
      make("td", { class: "vec-weight" }, weightText, make("b", {}, weightBar)),
    );
    return { row, cells, scoreText, scoreBar, weightText, weightBar };
  });
  const table = make(
    "table",
    { class: "vec-table" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td"),
        head("x, y"),
        head("length"),
        head("angle"),
        head("cosine"),
        head(...score),
        head("weight"),
      ),
    ),
    make(
      "tbody",
      {},
      make(
        "tr",
        { class: "vec-query-row" },
        make("th", { scope: "row" }, letter("q", "query")),
        ...queryCells,
        make("td", { colspan: 4 }),
      ),
      ...rows.map(({ row }) => row),
    ),
  );
  let reach = 1; // the longest score bar; it only grows, so that bars do not jump under the hand

  /** @param {VectorsState} state @param {number} picked */
  const show = (state, picked) => {
    say(queryCells[0], `${fixed(state.query[0])}, ${fixed(state.query[1])}`);
    say(queryCells[1], fixed(state.query_length));
    const most = Math.max(...state.weights.map((weight) => weight ?? 0));
    reach = Math.max(reach, ...state.scores.map((number) => Math.abs(number ?? 0)));
    rows.forEach(({ row, cells, scoreText, scoreBar, weightText, weightBar }, i) => {
      const number = state.scores[i];
      const weight = state.weights[i];
      say(cells[0], `${fixed(state.keys[i][0])}, ${fixed(state.keys[i][1])}`);
      say(cells[1], fixed(state.lengths[i]));
      say(cells[2], state.angles[i] === null ? "–" : `${fixed(state.angles[i], 0)}°`);
      say(cells[3], fixed(state.cosines[i]));
      say(scoreText, fixed(number));
      say(weightText, fixed(weight));
      const size = (50 * Math.abs(number ?? 0)) / reach;
      scoreBar.style.width = `${size}%`;
      scoreBar.style.left = `${(number ?? 0) < 0 ? 50 - size : 50}%`;
      set(scoreBar, { "data-sign": (number ?? 0) < 0 ? "minus" : "plus" });
      weightBar.style.width = `${100 * (weight ?? 0)}%`;
      set(row, { "data-picked": i === picked, "data-most": most > 0 && weight === most });
    });
  };
  return { table, rows: rows.map(({ row }) => row), show };
}

/**
 * The arithmetic of the key in hand, with its numbers.
 * @param {VectorsSetup} setup @param {VectorsState} state @param {number} picked
 * @returns {{ lines: (Node | string)[][], words: string }}
 */
export function byHand({ names, function: own }, state, picked) {
  const q = () => letter("q", "query");
  const k = () => letter(names[picked], "key");
  const score = fixed(state.scores[picked]);
  if (state.error) return { lines: [], words: state.error };
  if (own) return { lines: [[`${own}(`, q(), ", ", k(), `) = ${score}`]], words: "" };
  const [x, y] = state.query;
  const [a, b] = state.keys[picked];
  const sum = `${fixed(x)} × ${fixed(a)} + ${fixed(y)} × ${fixed(b)}`;
  const rounded = [x, y, a, b].map((number) => Number(number.toFixed(2)));
  const shown = rounded[0] * rounded[2] + rounded[1] * rounded[3];
  const sign = Math.abs(shown - (state.scores[picked] ?? 0)) < 0.005 ? "=" : "≈";
  const lines = [[q(), " · ", k(), ` = ${sum} ${sign} ${score}`]];
  const angle = state.angles[picked];
  if (angle === null) {
    const empty = lengthOf(state.query) ? quoted(names[picked]) : "q";
    return {
      lines,
      words: `${empty} has no length, so it points nowhere: there is no angle, and the dot product is 0.`,
    };
  }
  const lengths = [fixed(state.query_length), fixed(state.lengths[picked])];
  const cosine = state.cosines[picked] ?? 0;
  lines.push([
    "= |",
    q(),
    "| × |",
    k(),
    `| × cos ${fixed(angle, 0)}° ≈ ${lengths[0]} × ${lengths[1]} × ${fixed(cosine)}`,
  ]);
  const amount = fixed(state.lengths[picked] * cosine);
  const times = `times q’s length ${lengths[0]}, that is ${score}.`;
  const name = quoted(names[picked]);
  if (Math.abs(cosine) < 0.005) {
    return {
      lines,
      words: `At a right angle ${name} casts no shadow on q, and the dot product is 0.`,
    };
  }
  const words =
    cosine > 0
      ? `The shadow of ${name} on q is ${amount} long; ${times}`
      : `The shadow of ${name} falls behind q, so it counts as ${amount}; ${times}`;
  return { lines, words };
}
