/*
 * ReadAloud's Python again, with the model that ships. It has no dictionary: that is three times as
 * large.
 */

import { readWeights } from "../engine/safetensors.js";
import { quoted } from "../kit/words.js";
import { makePronouncer } from "./pronouncer.js";
import { spelling } from "./spelling.js";

/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Local } from "../kit/kernel.js" */
/** @import { Setup, State } from "./index.js" */

const NO_DICTIONARY = "(The dictionary is not on this page.)";

/**
 * The widget in the page, or null where the model is one's own.
 * @param {Setup} setup @param {State} opening @returns {Local | null}
 */
export function makeLocal({ as_in, model }, opening) {
  if (!model) return null;
  const begin = () => makePronouncer(readWeights(model.weights), model.n_heads);
  const names = Object.keys(as_in).sort(); // their order in the model, which a saved page may not keep
  /** Made for the first word: it takes longer than to read one. @type {ReturnType<typeof begin> | null} */
  let pronounce = null;
  let state = opening;
  let told = opening; // by Python, the last time

  /** @param {string} word @returns {State} */
  function read(word) {
    pronounce ??= begin();
    const { sounds, weights } = pronounce(word);
    return {
      ...state,
      word,
      rows: [...sounds.map((sound) => names[sound]), "end"],
      columns: [...word, "end"],
      weights: [...weights.numbers],
      verdict: word === told.word ? told.verdict : NO_DICTIONARY,
      refused: "",
      ...(state.goal && { goal: state.goal.met ? state.goal : standingOf(word, weights) }),
    };
  }

  return {
    can: () => true,
    carryOut({ do: what, choice }) {
      if (what === "read") {
        const { word, refused } = spelling(choice);
        state = word === null ? { ...state, refused } : read(word);
      }
      return state;
    },
    adopt(truth) {
      state = told = truth;
      return state;
    },
  };
}

/**
 * How far a word has come to a letter of two sounds and another of none.
 * @param {string} word @param {Matrix} weights @returns {Standing}
 */
function standingOf(word, { rows, cols, numbers }) {
  const looked = Array.from({ length: rows - 1 }, (_, i) => {
    const row = numbers.subarray(i * cols, (i + 1) * cols);
    return row.indexOf(Math.max(...row));
  });
  /** @param {(count: number) => boolean} which */
  const letters = (which) =>
    [...word].filter((_, place) => which(looked.filter((one) => one === place).length));
  const found = [letters((count) => count > 1), letters((count) => !count)];
  const [double, silent] = found.map((some) =>
    some.length ? `${some.join(" ")} ✓` : "no letter yet",
  );
  const words = `gives two sounds: ${double} · gives none: ${silent}`;
  const share = found.filter((some) => some.length).length / 2;
  if (share < 1) return { met: false, share, words };
  return { met: true, share, words: `Met with ${quoted(word)}: ${words}.` };
}
