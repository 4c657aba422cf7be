/* What the matrices and their cells are called, in letters and aloud. */

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

/** The letter of a matrix, in its role's colour. @param {string} name @param {boolean} [turned] */
export function symbol(name, turned = false) {
  const { letter, sub, role } = NAMES[plain(name)];
  const text = make("span", { class: `qkv-letter${role ? ` qkv-${role}` : ""}` });
  if (name !== plain(name)) text.append(make("span", { class: "lab-d" }, "d"));
  text.append(letter);
  if (sub) text.append(make("sub", {}, sub));
  if (turned) text.append(make("sup", {}, "T"));
  return text;
}

/** How a cell is called: tokens by their words. @param {Place} place @param {Setup} setup */
export const indices = ({ name, i, j }, { tokens }) =>
  `${ofTokens(name) ? tokens[i] : i}, ${betweenTokens(name) ? tokens[j] : j}`;

/** What a screen reader calls a cell. @param {Place} place @param {Setup} setup */
export function spokenName({ name, i, j }, { tokens }) {
  const { spoken } = NAMES[plain(name)];
  if (betweenTokens(name)) return `${spoken}, ${quoted(tokens[i])} looks at ${quoted(tokens[j])}`;
  return `${spoken} ${ofTokens(name) ? quoted(tokens[i]) : `row ${i}`} column ${j}`;
}
