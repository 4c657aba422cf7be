/*
 * Find the course's questions, chapters, sections, words and exercises that match what a reader
 * types. Rare words count more, and words in a title count three times as much as in the text below
 * it. `search.py` makes the entries.
 */

/** @typedef {[kind: string, title: string, address: string, where: string, text: string]} Entry */

/** What a word counts in a title, if it counts 1 in the text. */
const TITLE = 3;
/** The bonus when a title contains everything that was typed. */
const WHOLE = 1;
/** The share of the query, by weight, that an entry has to contain. */
const ENOUGH = 0.25;
/** A question counts more than a section with the same words. */
const KINDS = { question: 1.4, chapter: 1.1, word: 1, section: 1, exercise: 0.9 };
const MOST = 12;

const STOPS = new Set(
  (
    "a about an and any are as at be been being become but by can could do does doing for from get gets had has have " +
    "how i if in into is it its just me my of on one or our really should so than that the their them " +
    "then there these they this to up was we what when where which who why will with would you your"
  ).split(" "),
);

/** Words that people use for the same thing, as stems; the course's own word comes first. */
const SAME = [
  "matrix matric table tabl projection project",
  "root sqrt",
  "divid scal scaling norm",
  "train learn optimis optimiz updat learnabl trainabl",
  "gradient backprop backpropagation backward deriv",
  "mask hid hidden ignor",
  "word token",
  "position plac order",
  "rotat turn rope rotary",
  "cach kvcach",
  "q query",
  "k key",
  "v valu",
  "embed vector",
  "same equal identical similar alik",
  "each every per",
  "creat comput calculat made mak produc com",
  "x input",
  "piec part cut split",
  "keep stor sav",
  "separat extra",
  "weight param",
  "zero 0",
  "nan infinity inf",
  "generat writ infer inferenc decod",
  "pad padd",
  "head multihead mha",
  "layer block",
  "intuition mean understand",
  "length long longer number",
  "first bos cls begin",
  "network net",
];
const CANON = new Map(
  SAME.flatMap((line) => {
    const [first, ...others] = line.split(" ");
    return others.map((each) => /** @type {const} */ ([each, first]));
  }),
);

/** Return the stem of a word, so that "trained" finds "training". @param {string} word */
export function stem(word) {
  let short = word;
  if (short.length > 3) {
    short = short.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
    short = short.replace(/(?<=\w{3})(ing|ed)$/, "").replace(/(?<=\w{2})e$/, "");
    short = short.replace(/(\w)\1$/, "$1");
  }
  return CANON.get(short) ?? short;
}

/** Return the stems of the meaningful words in a text. @param {string} text */
export function wordsOf(text) {
  const plain = text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll("√", " root ")
    .replace(/\bqkv\b/g, "q k v")
    .replace(/\bqkt\b/g, "q k")
    .replace(/\bkv\b/g, "k v")
    .replace(/\b([wd])[_ ]([a-z])\b/g, "$1$2")
    .replace(/\b(\w+)['’]s?\b/g, "$1");
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((one) => !STOPS.has(one)).map(stem);
}

/**
 * Make a function that searches these entries.
 * @param {Entry[]} entries
 * @returns {(asked: string) => Entry[]}
 */
export function makeSearch(entries) {
  const known = entries.map((entry) => ({
    entry,
    title: new Set(wordsOf(entry[1])),
    text: new Set(wordsOf(`${entry[3]} ${entry[4]}`)),
  }));
  /** Return how rare a word is. @param {string} word @param {boolean} far */
  const rare = (word, far) => {
    const having = known.filter(({ title, text }) => has(title, word, far) || has(text, word, far)).length;
    return having ? Math.log(1 + entries.length / having) : 0; // no entry has it
  };
  return (asked) => {
    const wanted = [...new Set(wordsOf(asked))];
    const last = /\w$/.test(asked) ? wanted.at(-1) : undefined; // the reader may still be typing it
    const isBegun = (/** @type {string} */ word) => word === last && word.length > 2;
    const weights = new Map(wanted.map((word) => [word, rare(word, isBegun(word))]));
    const whole = sum(weights.values());
    const found = known.map(({ entry, title, text }) => {
      let score = 0;
      let had = 0;
      let covered = 0;
      for (const [word, weight] of weights) {
        const far = isBegun(word);
        const inTitle = has(title, word, far);
        const times = inTitle ? TITLE : has(text, word, far) ? 1 : 0;
        covered += inTitle ? 1 / title.size : 0;
        score += times * weight;
        had += times ? weight : 0;
      }
      const kind = KINDS[/** @type {keyof typeof KINDS} */ (entry[0])];
      return { entry, score: had >= ENOUGH * whole ? score * kind * (1 + WHOLE * covered) : 0 };
    });
    return found
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, MOST)
      .map(({ entry }) => entry);
  };
}

/**
 * Tell whether an entry has a word, or one that begins with it.
 * @param {Set<string>} words
 * @param {string} word
 * @param {boolean} far
 */
const has = (words, word, far) =>
  words.has(word) || (far && [...words].some((each) => each.startsWith(word)));

/** @param {Iterable<number>} numbers */
const sum = (numbers) => [...numbers].reduce((one, other) => one + other, 0);
