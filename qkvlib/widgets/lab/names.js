/* What the matrices and their cells are called, in letters and aloud. */

import { make } from "../kit/dom.js";
import { quoted } from "../kit/words.js";
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
export const WEIGHT_NAMES = ["w_q", "w_k", "w_v"];
const OF_TOKENS = ["x", "q", "k", "v", "scores", "weights", "output", "target"];
const BETWEEN_TOKENS = ["scores", "weights"];

/** @param {string} name  as in "q", or "d_q" for its gradient */
export const plain = (name) => name.replace(/^d_/, "");

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
export function indices({ name, i, j }, { tokens }) {
  const row = OF_TOKENS.includes(plain(name)) ? tokens[i] : String(i);
  return `${row}, ${BETWEEN_TOKENS.includes(plain(name)) ? tokens[j] : j}`;
}

/** What a screen reader calls a cell. @param {Place} place @param {Setup} setup */
export function spokenName({ name, i, j }, { tokens }) {
  const base = plain(name);
  if (BETWEEN_TOKENS.includes(base))
    return `${NAMES[base].spoken}, ${quoted(tokens[i])} looks at ${quoted(tokens[j])}`;
  const row = OF_TOKENS.includes(base) ? quoted(tokens[i]) : `row ${i}`;
  return `${NAMES[base].spoken} ${row} column ${j}`;
}
