/*
 * Read a word in the page, with the course's model. The dictionary stays in Python, because it is
 * three times as large.
 */

import { readWeights } from "../engine/safetensors.js";
import { quoted } from "../kit/words.js";
import { makePronouncer } from "./pronouncer.js";
import { spelling } from "./spelling.js";

/** @import { Matrix } from "../engine/matrix.js" */
/** @import { Standing } from "../kit/goal_strip.js" */
/** @import { Program } from "../kit/owner.js" */
/** @import { Setup, State } from "./index.js" */

/** @param {Setup} setup @param {State} opening @returns {Program} */
export function makeProgram({ as_in, model }, opening) {
  const begin = () => makePronouncer(readWeights(model.weights), model.n_heads);
  const names = Object.keys(as_in).sort(); // the order in the model; a saved page may not keep it
  /**
   * Made for the first word, because making it takes longer than reading a word.
   * @type {ReturnType<typeof begin> | null}
   */
  let pronounce = null;
  let state = opening;
  let typed = opening.word;
  /** The word that met the goal on this page. @type {string | undefined} */
  let met;

  /** @param {string} word @returns {State} */
  function read(word) {
    pronounce ??= begin();
    const { sounds, weights } = pronounce(word);
    const goal = state.goal && (state.goal.met ? state.goal : standingOf(word, weights));
    if (goal?.met && !state.goal?.met) met = word;
    return {
      word,
      rows: [...sounds.map((sound) => names[sound]), "end"],
      columns: [...word, "end"],
      weights: [...weights.numbers],
      verdict: null,
      refused: "",
      ...(goal && { goal }),
    };
  }

  return {
    carryOut({ edit }) {
      typed = edit?.word;
      const { word, refused } = spelling(typed);
      state = word === null ? { ...state, refused } : read(word);
      return state;
    },
    adopt(told, { word }) {
      const goal = state.goal?.met ? state.goal : told.goal;
      state = { ...(word === undefined ? told : state), ...(goal && { goal }) };
      if (word === undefined) typed = told.word;
      return state;
    },
    rest: () => ({ word: typed, ...(met && { met }) }),
  };
}

/**
 * Return how close a word is to having a letter with two sounds and one with none.
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
