/* The maps of every token's score for every token, or for a deeper layer's features. */

import { make } from "../kit/dom.js";
import { weightLetter } from "../kit/maps.js";
import { fixed, quoted } from "../kit/words.js";
import { hasScores, sidesOf } from "./frames.js";
import { headed, headName, LINE, scoreNames, titled } from "./labels.js";
import { inked, known } from "./moment.js";
import { thinned } from "./room.js";

/** @import { Layer } from "./frames.js" */
/** @import { Maps } from "./moment.js" */
/** @import { Room } from "./room.js" */

const SHORT = 3; // letters; a name this short fits beside its neighbours, even if not all names do

/** @param {Layer} layer @param {Room} room @param {Maps} maps */
export function layScores(layer, { side, abreast, scores: wide }, maps) {
  if (!hasScores(layer)) return [];
  const { tokens: n } = sidesOf(layer);
  const score = maps.setup.largest[2];
  const names = scoreNames(layer, maps.setup.tokens);
  // Upright if each column gets its name; otherwise horizontal, if they are short. The rows have
  // the same names.
  const upright = side / n >= LINE - 1;
  const short = names.every((name) => name.length <= SHORT);
  const columnNames = upright || short ? thinned(names, side, upright ? LINE - 1 : 24) : undefined;
  const all = Array.from({ length: layer.heads }, (_, head) => {
    const map = maps.add(
      `scores ${head}`,
      {
        ...{ rows: n, columns: n, scale: "signed", most: 0, columnNames },
        rowNames: head % abreast ? undefined : thinned(names, side, LINE - 1),
        room: upright ? LINE * n : Infinity,
        label: `scores of head ${head + 1}`,
      },
      {
        ...{ source: "scoreInks", at: head * n * n, words: wordsOfScores(layer, head, maps) },
        number: (shown) => inked(shown, score, 2),
      },
    );
    return headed(head, layer.heads, map);
  });
  const part = titled("scores", make("span", {}, "Scores ", ...formula(layer)), all);
  part.style.width = `${wide}px`;
  return [part];
}

/** @param {Layer} layer @param {number} head @param {Maps} maps */
function wordsOfScores(layer, head, { setup, moment }) {
  const { embedding, tokens: n } = sidesOf(layer);
  const { tokens, largest } = setup;
  /** @param {number} i */
  const called = (i) => (embedding ? (tokens[i] ? quoted(tokens[i]) : `token ${i}`) : `feature ${i}`);
  return (/** @type {number} */ row, /** @type {number} */ column) => {
    const value = fixed(known(moment.scores[head * n * n + row * n + column] * largest[2]));
    return `${headName(head, layer.heads)}${called(row)} as a query scores ${value} with ${called(column)} as a key`;
  };
}

/** @param {Layer} layer */
function formula(layer) {
  const { embedding } = sidesOf(layer);
  const e = embedding ? [weightLetter("embedding"), " "] : [];
  const eT = embedding ? [" ", weightLetter("embedding"), "ᵀ"] : [];
  return [...e, weightLetter("w_q"), " ", weightLetter("w_k"), "ᵀ", ...eT, " / √d"];
}
