/*
 * Read a word in the page, with the course's model. The dictionary stays in Python, because it is
 * three times as large.
 */

import { readWeights } from "../engine/safetensors.js";
import { quoted } from "../kit/words.js";
import { makePronouncer } from "./pronouncer.js";
import { refusal } from "./spelling.js";

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

  /**
   * Judge the goal: once it is met, it stays so.
   * @param {State} now @param {State["goal"]} before @returns {State}
   */
  function judged(now, before) {
    if (!before) return now;
    return { ...now, goal: before.met ? metWith(before.met) : standingOf(now) };
  }

  /** @param {string} word @returns {State} */
  function read(word) {
    pronounce ??= begin();
    const { sounds, weights } = pronounce(word);
    const read = {
      word,
      rows: [...sounds.map((sound) => names[sound]), "end"],
      columns: [...word, "end"],
      weights: [...weights.numbers],
      verdict: null,
      refused: "",
    };
    return judged(read, state.goal);
  }

  return {
    carryOut({ edit }) {
      typed = edit?.word;
      const word = typed.trim().toLowerCase();
      const refused = refusal(word);
      state = refused ? { ...state, refused } : read(word);
      return state;
    },
    adopt(told, { word }) {
      state = judged(word === undefined ? told : state, state.goal?.met ? state.goal : told.goal);
      if (word === undefined) typed = told.word;
      return state;
    },
    rest: () => ({ word: typed, ...(state.goal?.met && { met: state.goal.met }) }),
  };
}

/** @param {string} word */
const metWith = (word) => ({ met: word, share: 1, words: `Met with ${quoted(word)}.` });

/** Return how close a word is to having a letter with two sounds and one with none. @param {State} state */
function standingOf({ word, rows, columns: { length }, weights }) {
  const looked = rows.slice(0, -1).map((_, i) => {
    const row = weights.slice(i * length, (i + 1) * length);
    return row.indexOf(Math.max(...row));
  });
  /** @param {(count: number) => boolean} which */
  const letters = (which) =>
    [...word].filter((_, place) => which(looked.filter((one) => one === place).length));
  const found = [letters((count) => count > 1), letters((count) => !count)];
  const [double, silent] = found.map((some) => (some.length ? `${some.join(" ")} ✓` : "no letter yet"));
  const words = `gives two sounds: ${double} · gives none: ${silent}`;
  const share = found.filter((some) => some.length).length / 2;
  return share < 1 ? { met: "", share, words } : metWith(word);
}
