/* A lookup in words and in numbers: the weights, the sum, and the text for a screen reader. */

import { make, say, set } from "../kit/dom.js";
import { atEdge } from "../kit/points.js";
import { makeSentence } from "../kit/sentence.js";
import { fixed, letter, quoted } from "../kit/words.js";

/** @import { Point } from "../kit/points.js" */
/** @import { LookupSetup, LookupState } from "./compute.js" */

/** @param {Point} point */
export const point = ([x, y]) => `(${fixed(x)}, ${fixed(y)})`;

/**
 * @param {LookupState} state @param {string[]} names
 * @param {number} i  of the arrow; the query is the first
 */
export function spokenArrow(state, names, i) {
  const arrow = i ? state.keys[i - 1] : state.query;
  const edge = atEdge(arrow, state.limit) ? ", at the edge" : "";
  const where = `x ${fixed(arrow[0])}, y ${fixed(arrow[1])}${edge}`;
  if (i) return `${where}, weight ${fixed(state.weights[i - 1])}`;
  return `${where}; ${shares(state, names)}; blend ${point(state.output)}`;
}

/**
 * Describe the state in one sentence, for when the hand rests.
 * @param {LookupState} state @param {LookupSetup} setup
 */
export const spoken = (state, { names }) =>
  `${state.hard ? "Hard" : "Soft"} lookup: ${shares(state, names)}. The blend is at ${point(state.output)}.`;

/** @param {LookupState} state @param {string[]} names */
const shares = ({ weights }, names) =>
  names.map((name, i) => `${quoted(name)} ${fixed(weights[i])}`).join(", ");

/**
 * Write the sum of the values, each times its weight.
 * @param {LookupState} state
 * @param {string[]} names
 * @returns {(Node | string)[]}
 */
export function equation({ weights, values, output, hard }, names) {
  /** @param {number} i */
  const value = (i) => ["value of ", letter(names[i], "value")];
  if (hard) {
    const best = weights.indexOf(1);
    return [...value(best), ` = ${point(values[best])}, and nothing from the others`];
  }
  const sum = names.flatMap((_, i) => [`${i ? " + " : ""}${fixed(weights[i])} × `, ...value(i)]);
  return [...sum, " = ", make("b", {}, point(output))];
}

/**
 * Show the weights between the planes: the scores that go into softmax, and the weights that come
 * out.
 * @param {LookupSetup} setup
 */
export function makeWeights({ names, query_name }) {
  const head = make("th", { scope: "col" });
  const rows = names.map((name) => {
    const score = make("td", { class: "soft-score" });
    const bar = make("i");
    const number = make("span");
    const row = make(
      "tr",
      {},
      make("th", { scope: "row" }, letter(name, "key")),
      score,
      make("td", { class: "qkv-bar", "aria-hidden": "true" }, make("b", {}, bar)),
      make("td", { class: "soft-weight" }, number),
    );
    return { row, score, bar, number };
  });
  const table = make(
    "table",
    { class: "soft-weights" },
    make("thead", {}, make("tr", {}, make("td"), head, make("th", { scope: "col", colspan: 2 }, "weight"))),
    make("tbody", {}, ...rows.map(({ row }) => row)),
  );
  /** @param {LookupState} state */
  const show = ({ scores, weights, temperature, hard }) => {
    const divided = !hard && temperature !== 1;
    say(head, divided ? `${query_name} · k ÷ ${Number(temperature.toPrecision(2))}` : `${query_name} · k`);
    const most = Math.max(...weights);
    rows.forEach(({ row, score, bar, number }, i) => {
      say(score, fixed(divided ? scores[i] / temperature : scores[i]));
      say(number, fixed(weights[i]));
      bar.style.width = `${100 * weights[i]}%`;
      set(row, { "data-most": weights[i] === most });
    });
  };
  return { table, show };
}

/** Write the sentence, with the ending of the key that has most of the weight. @param {LookupSetup} setup */
export function makeStory({ sentence, endings, names, query_name }) {
  const ending = make("b");
  const end = endings ? [" ", ending] : [];
  const { line, show } = makeSentence(sentence, names, query_name, ...end);
  return {
    line,
    /** @param {LookupState} state */
    show({ weights }) {
      show(weights);
      const clear = weights.findIndex((weight) => weight >= 0.6);
      if (endings) say(ending, clear < 0 ? "… ?" : `${endings[clear]}.`);
    },
  };
}
