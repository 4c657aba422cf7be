/*
 * Turn what someone typed into a word that the model can read: `spelling` of
 * tasks/pronunciation.py.
 */

const MOST_LETTERS = 16;
const MOST_QUOTED = 24;
const SPELT_OUT = new Map(
  Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ı: "i" }),
);

const isLetter = (/** @type {string} */ sign) => /^[a-z]$/.test(sign);
const isFit = (/** @type {number} */ count) => 2 <= count && count <= MOST_LETTERS;

/**
 * Keep the letters a to z, and replace others by the letter without its accent, or by two letters.
 * @param {string[]} signs
 */
const plain = (signs) =>
  [
    ...signs
      .map((sign) => SPELT_OUT.get(sign) ?? sign)
      .join("")
      .normalize("NFKD"),
  ]
    .filter(isLetter)
    .join("");

/**
 * Return the word, or why it cannot be read and what to try instead.
 * @param {string} typed @returns {{ word: string, refused: "" } | { word: null, refused: string }}
 */
export function spelling(typed) {
  const word = typed.trim().toLowerCase();
  const signs = [...word];
  const refused = why(signs);
  return refused ? { word: null, refused } : { word, refused: "" };
}

/** @param {string[]} signs */
function why(signs) {
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
