/* The numbers beside the plane, and the words about them. */

import { make, say, set } from "../kit/dom.js";
import { atEdge } from "../kit/points.js";
import { fixed, letter, quoted } from "../kit/words.js";

/** @import { VectorsSetup, VectorsState } from "./compute.js" */

/** Describe an arrow for a screen reader. @param {VectorsState} state @param {number} i */
export function spoken(state, i) {
  const point = i ? state.keys[i - 1] : state.query;
  const edge = atEdge(point, state.limit) ? ", at the edge" : "";
  const where = `x ${fixed(point[0])}, y ${fixed(point[1])}${edge}`;
  if (!i) return `${where}, length ${fixed(state.query_length)}`;
  const k = i - 1;
  return (
    `${where}, length ${fixed(state.lengths[k])}, score ${fixed(state.scores[k])}, ` +
    `angle ${fixed(state.angles[k], 0)} degrees, weight ${fixed(state.weights[k])}`
  );
}

/** Make the table beside the plane. @param {VectorsSetup} setup */
export function makeTable({ names }) {
  const score = [letter("q", "query"), " · ", letter("k", "key")];
  const queryCells = [make("td"), make("td")];
  const queryRow = make(
    "tr",
    { class: "vec-query-row" },
    make("th", { scope: "row" }, letter("q", "query")),
    ...queryCells,
    make("td", { colspan: 4 }),
  );
  const rows = names.map(makeRow);
  const heads = [["x, y"], ["length"], ["angle"], ["cosine"], score, ["weight"]].map((text) =>
    make("th", { scope: "col" }, ...text),
  );
  const table = make(
    "table",
    { class: "vec-table" },
    make("thead", {}, make("tr", {}, make("td"), ...heads)),
    make("tbody", {}, queryRow, ...rows.map(({ row }) => row)),
  );
  let reach = 1; // the longest score bar; it only grows, so that bars do not jump

  /** @param {VectorsState} state @param {number} picked */
  const show = (state, picked) => {
    say(queryCells[0], `${fixed(state.query[0])}, ${fixed(state.query[1])}`);
    say(queryCells[1], fixed(state.query_length));
    const most = Math.max(...state.weights);
    reach = Math.max(reach, ...state.scores.map(Math.abs));
    rows.forEach((row, i) => {
      row.show(state, i, reach);
      set(row.row, { "data-picked": i === picked, "data-most": state.weights[i] === most });
    });
  };
  return { table, rows: rows.map(({ row }) => row), show };
}

/** Make a key's row. @param {string} name */
function makeRow(name) {
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
    make("td", { class: "vec-bar vec-score" }, scoreText, make("b", {}, scoreBar)),
    make("td", { class: "vec-bar vec-weight" }, weightText, make("b", {}, weightBar)),
  );
  /** @param {VectorsState} state @param {number} i @param {number} reach */
  const show = ({ keys, lengths, angles, cosines, scores, weights }, i, reach) => {
    const score = scores[i];
    say(cells[0], `${fixed(keys[i][0])}, ${fixed(keys[i][1])}`);
    say(cells[1], fixed(lengths[i]));
    say(cells[2], angles[i] === null ? "–" : `${fixed(angles[i], 0)}°`);
    say(cells[3], fixed(cosines[i]));
    say(scoreText, fixed(score));
    say(weightText, fixed(weights[i]));
    const size = (50 * Math.abs(score)) / reach;
    scoreBar.style.width = `${size}%`;
    scoreBar.style.left = `${score < 0 ? 50 - size : 50}%`;
    set(scoreBar, { "data-sign": score < 0 ? "minus" : "plus" });
    weightBar.style.width = `${100 * weights[i]}%`;
  };
  return { row, show };
}

/**
 * Write out the arithmetic of the current key, with its numbers.
 * @param {VectorsSetup} setup @param {VectorsState} state @param {number} picked
 * @returns {{ lines: (Node | string)[][], words: string }}
 */
export function byHand({ names }, state, picked) {
  const q = () => letter("q", "query");
  const k = () => letter(names[picked], "key");
  const score = fixed(state.scores[picked]);
  const [x, y] = state.query;
  const [a, b] = state.keys[picked];
  const sum = `${fixed(x)} × ${fixed(a)} + ${fixed(y)} × ${fixed(b)}`;
  const rounded = [x, y, a, b].map((number) => Number(number.toFixed(2)));
  const shown = rounded[0] * rounded[2] + rounded[1] * rounded[3];
  const sign = Math.abs(shown - state.scores[picked]) < 0.005 ? "=" : "≈";
  const line = [q(), " · ", k(), ` = ${sum} ${sign} ${score}`];
  const name = quoted(names[picked]);
  const [angle, cosine] = [state.angles[picked], state.cosines[picked]];
  if (angle === null || cosine === null) {
    const empty = state.query_length ? name : "q";
    const words = `${empty} has no length, so it points nowhere: there is no angle, and the dot product is 0.`;
    return { lines: [line], words };
  }
  const length = fixed(state.query_length);
  const product = `${length} × ${fixed(state.lengths[picked])} × ${fixed(cosine)}`;
  const lines = [line, ["= |", q(), "| × |", k(), `| × cos ${fixed(angle, 0)}° ≈ ${product}`]];
  if (Math.abs(cosine) < 0.005)
    return { lines, words: `At a right angle ${name} casts no shadow on q, and the dot product is 0.` };
  const amount = fixed(state.lengths[picked] * cosine);
  const shadow = cosine > 0 ? `on q is ${amount} long` : `falls behind q, so it counts as ${amount}`;
  return { lines, words: `The shadow of ${name} ${shadow}; times q’s length ${length}, that is ${score}.` };
}
