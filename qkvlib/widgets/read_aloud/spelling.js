/* Which words the model can read: `spelling` of tasks/pronunciation.py. */

const MOST_LETTERS = 16;
const MOST_QUOTED = 24;
/** @type {Record<string, string>} */
const SPELT_OUT = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ı: "i" };

const isLetter = (/** @type {string} */ sign) => /^[a-z]$/.test(sign);
const isFit = (/** @type {number} */ count) => 2 <= count && count <= MOST_LETTERS;

/**
 * Keep the letters a to z, and replace others by the letter without its accent, or by two letters.
 * @param {string[]} signs
 */
const plain = (signs) => {
  const letters = signs.map((sign) => SPELT_OUT[sign] ?? sign).join("");
  return letters.normalize("NFKD").replace(/[^a-z]/g, "");
};

/** Say why a word cannot be read and what to try instead, or nothing. @param {string} word */
export function refusal(word) {
  const signs = [...word];
  if (!signs.length) return "There is nothing to read: type a word or a name.";
  const cut = signs.length > MOST_QUOTED ? "…" : "";
  const quoted = `“${signs.slice(0, MOST_QUOTED).join("")}${cut}”`;
  const strange = signs.find((sign) => !isLetter(sign));
  if (strange && /\s/.test(strange)) return `${quoted} is more than one word: type one at a time.`;
  if (strange) {
    // Without its other strange letters it would hardly be the intended word.
    const near = signs.every((sign) => sign === strange || plain([sign]));
    const letters = plain(signs);
    const instead = near && isFit(letters.length) ? `“${letters}”` : "how it is written in English letters";
    return `The model knows the letters a to z, and “${strange}” is not one of them: try ${instead}.`;
  }
  if (isFit(signs.length)) return "";
  return (
    `${quoted} has ${signs.length} letter${signs.length > 1 ? "s" : ""}. The model has learned ` +
    `words of 2 to ${MOST_LETTERS}: try another one.`
  );
}
