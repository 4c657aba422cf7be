/* Letters in, sounds out: models/pronouncer.py, for a page. */

import { causalMask } from "../engine/attention.js";
import { attend, encoderBlock, feedForward, layerNorm, partOf } from "../engine/blocks.js";
import { matrix, plus, product } from "../engine/matrix.js";

/** @import { Weights } from "../engine/blocks.js" */
/** @import { Matrix } from "../engine/matrix.js" */

const LETTERS = "abcdefghijklmnopqrstuvwxyz$";

/**
 * Make the model with these weights. It reads a word, and returns the numbers of its sounds, and
 * the weights of cross-attention: a row for each sound and for the end, a column for each letter
 * and for the end.
 * @param {Weights} weights @param {number} n_heads
 * @returns {(word: string) => { sounds: number[], weights: Matrix }}
 */
export function makePronouncer(weights, n_heads) {
  const parts = [...new Set(Object.keys(weights).map((name) => name.split(".")[0]))];
  const encoders = parts.filter((name) => name.startsWith("encoder_")).sort();
  const [own, cross] = [partOf(weights, "decoder"), partOf(weights, "cross")];
  const end = weights["sounds.embedding"].rows - 1;
  const start = end - 1;
  const longest = weights["sounds.places"].rows;

  /** @param {string} name @param {Matrix} x */
  const norm = (name, x) => layerNorm(x, weights[`${name}.norm_gain`], weights[`${name}.norm_shift`]);

  /**
   * Return the vector of each token plus that of its position.
   * @param {"letters" | "sounds"} side
   * @param {number[]} tokens
   */
  function enter(side, tokens) {
    const { cols, numbers } = weights[`${side}.embedding`];
    const rows = tokens.flatMap((token) => [...numbers.subarray(token * cols, (token + 1) * cols)]);
    const places = weights[`${side}.places`].numbers.subarray(0, rows.length);
    return plus(matrix(tokens.length, cols, rows), matrix(tokens.length, cols, places));
  }

  /**
   * Encode the letters once: return a vector for each that depends on its neighbours.
   * @param {number[]} spelt
   */
  function encode(spelt) {
    let x = enter("letters", spelt);
    for (const name of encoders) x = encoderBlock(x, partOf(weights, name), n_heads);
    return norm("memory", x);
  }

  /** After each sound so far, score every next one. @param {number[]} heard @param {Matrix} memory */
  function decode(heard, memory) {
    let x = enter("sounds", heard);
    const normed = norm("decoder", x);
    x = plus(x, attend(normed, normed, own, n_heads, causalMask(heard.length)).output);
    const looked = attend(norm("cross", x), memory, cross, 1);
    x = plus(x, looked.output);
    x = plus(x, feedForward(x, own));
    const logits = product(norm("spoken", x), weights.read_out);
    return { logits, alignment: looked.weights[0] };
  }

  return (word) => {
    const memory = encode([...word, "$"].map((letter) => LETTERS.indexOf(letter)));
    const said = [start];
    while (said.length < longest) {
      const { logits } = decode(said, memory);
      const last = logits.numbers.subarray(-logits.cols);
      const next = last.indexOf(Math.max(...last));
      if (next === end) break;
      said.push(next);
    }
    const sounds = said.filter((sound) => sound < start);
    return { sounds, weights: decode([start, ...sounds], memory).alignment };
  };
}
