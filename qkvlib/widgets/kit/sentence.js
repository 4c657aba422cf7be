/*
 * Draw a sentence. A word's mark is stronger the larger its weight; the word that asks is
 * blue.
 */

import { make, say } from "./dom.js";
import { fixed, letter } from "./words.js";

/**
 * @param {string} sentence @param {string[]} words  the words with a weight, marked where they first occur
 * @param {string} asker
 * @param {(Node | string)[]} end  what follows the sentence
 */
export function makeSentence(sentence, words, asker, ...end) {
  /** @type {Map<string, { mark: HTMLElement, share: HTMLElement }>} */
  const marks = new Map();
  const parts = sentence.split(/(\p{L}+)/u).map((text) => {
    if (text === asker) return letter(text, "query");
    if (!words.includes(text) || marks.has(text)) return text;
    const share = make("small");
    const mark = make("span", { class: "qkv-mark" }, text, share);
    marks.set(text, { mark, share });
    return mark;
  });
  /** @param {number[]} weights */
  const show = (weights) => {
    for (const [word, { mark, share }] of marks) {
      const weight = weights[words.indexOf(word)];
      mark.style.setProperty("--weight", weight.toFixed(3));
      say(share, fixed(weight));
    }
  };
  return { line: make("p", { class: "qkv-sentence" }, ...parts, ...end), show };
}
