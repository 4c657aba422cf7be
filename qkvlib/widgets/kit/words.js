/* Write numbers and names as they appear in a widget's sentences. */

import { make } from "./dom.js";

/**
 * Write a number as the page does: with a true minus sign, no "-0.00", and a dash where there is no
 * number.
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
export function fixed(value, digits = 2) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/**
 * Write a name within a sentence, in quotes so that "its" is not read as part of it; k₁ or t0 needs
 * none.
 * @param {string} name
 */
export const quoted = (name) => (/^\p{L}[\d₀-₉]+$/u.test(name) ? name : `“${name}”`);

/** Write a size that may be tiny in two digits: 0.21, 0.034, 0.0034, 2e-7. @param {number} value */
export const inTwoDigits = (value) =>
  value >= 0.001
    ? fixed(value, value >= 0.1 ? 2 : value >= 0.01 ? 3 : 4)
    : value.toExponential(0).replace("-", "−");

/** Write words, with those between asterisks in italics. @param {string} text */
export const emphasised = (text) => text.split("*").map((part, k) => (k % 2 ? make("em", {}, part) : part));

/** Write a name in the colour of its role. @param {string} text @param {string} role */
export const letter = (text, role) => make("span", { class: `qkv-letter qkv-${role}` }, text);
