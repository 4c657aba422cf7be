/* The names of the matrices and of their cells, as letters and as spoken words. */

import { make } from "../kit/dom.js";
import { quoted } from "../kit/words.js";
import { betweenTokens, ofTokens, plain } from "./graph.js";
/** @import { Place, Setup } from "./numbers.js" */

/** @type {Record<string, { letter: string, sub?: string, role?: string, spoken: string }>} */
export const NAMES = {
  x: { letter: "X", spoken: "X" },
  w_q: { letter: "W", sub: "Q", role: "query", spoken: "W Q" },
  w_k: { letter: "W", sub: "K", role: "key", spoken: "W K" },
  w_v: { letter: "W", sub: "V", role: "value", spoken: "W V" },
  q: { letter: "Q", role: "query", spoken: "Q" },
  k: { letter: "K", role: "key", spoken: "K" },
  v: { letter: "V", role: "value", spoken: "V" },
  scores: { letter: "S", spoken: "scores" },
  weights: { letter: "A", role: "weight", spoken: "attention" },
  output: { letter: "O", spoken: "output" },
  target: { letter: "T", spoken: "target" },
};

/** Write the letter of a matrix, in its role's colour. @param {string} name @param {boolean} [turned] */
export function symbol(name, turned = false) {
  const { letter, sub, role } = NAMES[plain(name)];
  const text = make("span", { class: `qkv-letter${role ? ` qkv-${role}` : ""}` });
  if (name !== plain(name)) text.append(make("span", { class: "lab-d" }, "d"));
  text.append(letter);
  if (sub) text.append(make("sub", {}, sub));
  if (turned) text.append(make("sup", {}, "T"));
  return text;
}

/** Return the names of a matrix's rows, if they have any. @param {string} name @param {Setup} setup */
export const rowNames = (name, { tokens, features }) => (ofTokens(name) ? tokens : features);

/** Return the names of a matrix's columns, if they have any. @param {string} name @param {Setup} setup */
export const columnNames = (name, { tokens, features }) =>
  betweenTokens(name) ? tokens : plain(name) === "x" ? features : null;

/**
 * Write the indices of a cell: names if there are any, or else numbers from 1.
 * @param {Place} place
 * @param {Setup} setup
 */
export const indices = ({ name, i, j }, setup) =>
  `${rowNames(name, setup)?.[i] ?? i + 1}, ${columnNames(name, setup)?.[j] ?? j + 1}`;

/** Name a column in words. @param {string} name @param {number} j @param {Setup} setup */
export function columnSaid(name, j, setup) {
  const called = columnNames(name, setup)?.[j];
  return called ? quoted(called) : plain(name) === "x" ? `feature ${j + 1}` : `column ${j + 1}`;
}

/** Name a cell for a screen reader. @param {Place} place @param {Setup} setup */
export function spokenName({ name, i, j }, setup) {
  const { tokens } = setup;
  const { spoken } = NAMES[plain(name)];
  if (betweenTokens(name)) return `${spoken}, ${quoted(tokens[i])} looks at ${quoted(tokens[j])}`;
  const row = ofTokens(name) ? quoted(tokens[i]) : (setup.features?.[i] ?? `row ${i + 1}`);
  return `${spoken}, ${row}, ${columnNames(name, setup)?.[j] ?? `column ${j + 1}`}`;
}
