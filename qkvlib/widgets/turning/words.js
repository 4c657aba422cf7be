/* What is rotated, and by how much, in words and in numbers. */

import { make, say, set } from "../kit/dom.js";
import { atEdge } from "../kit/points.js";
import { fixed, letter } from "../kit/words.js";

/** @import { TurningSetup, TurningState } from "./compute.js" */

/** Write degrees as briefly as possible. @param {number} angle */
export const degrees = (angle) => `${Number(angle.toFixed(1))}°`.replace("-", "−");

/**
 * Describe an arrow for a screen reader.
 * @param {TurningState} state
 * @param {number[]} shown
 * @param {number} i
 */
export function spokenArrow(state, shown, i) {
  const edge = atEdge(i ? state.key : state.query, state.limit) ? ", at the edge" : "";
  const where = `x ${fixed(shown[0])}, y ${fixed(shown[1])}${edge}`;
  return i ? where : `${where}; ${shares(state)}`;
}

/** Describe the state in one sentence, for when the hand rests. @param {TurningState} state */
export const spoken = (state) =>
  `The query is at position ${state.place}, with ${degrees(state.angle)} per position: ${shares(state)}.`;

/** @param {TurningState} state */
function shares({ weights, scores }) {
  const most = weights.indexOf(Math.max(...weights));
  return `most weight for ${most} back, ${fixed(weights[most])}, with score ${fixed(scores[most])}`;
}

/**
 * Explain how the score of the best distance comes about.
 * @param {TurningState} state
 * @returns {(Node | string)[]}
 */
export function equation({ weights, scores, place, angle }) {
  const most = weights.indexOf(Math.max(...weights));
  const from = place - most;
  return [
    letter("q", "query"),
    ` at position ${place} is rotated by ${place} × ${degrees(angle)} = ${degrees(place * angle)}, `,
    letter("k", "key"),
    ` at position ${from} by ${from} × ${degrees(angle)} = ${degrees(from * angle)}. They differ by ${most} × ${degrees(angle)} = `,
    make("b", {}, degrees(most * angle)),
    `, and q · k is ${fixed(scores[most])}.`,
  ];
}

/** Make a table of the scores by distance, one row for each. @param {TurningSetup} setup */
export function makeTable({ names }) {
  const rows = names.map((name) => {
    const at = make("td");
    const score = make("td", { class: "turn-score" });
    const bar = make("i");
    const weight = make("td", { class: "turn-weight" });
    const row = make(
      "tr",
      {},
      make("th", { scope: "row" }, name),
      at,
      score,
      make("td", { class: "qkv-bar", "aria-hidden": "true" }, make("b", {}, bar)),
      weight,
    );
    return { row, at, score, bar, weight };
  });
  const heads = ["the key is", "at position", "q · k"].map((text) => make("th", { scope: "col" }, text));
  const table = make(
    "table",
    { class: "turn-table" },
    make("thead", {}, make("tr", {}, ...heads, make("th", { scope: "col", colspan: 2 }, "weight"))),
    make("tbody", {}, ...rows.map(({ row }) => row)),
  );
  /** @param {TurningState} state */
  const show = ({ scores, weights, place }) => {
    const most = Math.max(...weights);
    rows.forEach(({ row, at, score, bar, weight }, distance) => {
      const seen = distance <= place;
      say(at, seen ? String(place - distance) : "–");
      say(score, seen ? fixed(scores[distance]) : "–");
      say(weight, seen ? fixed(weights[distance]) : "–");
      bar.style.width = `${100 * weights[distance]}%`;
      set(row, { "data-most": weights[distance] === most, "data-unseen": !seen });
    });
  };
  return { table, show };
}
