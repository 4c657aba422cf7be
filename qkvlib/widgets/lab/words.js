/* Explain in one line how the number in a cell is computed. */

import { make } from "../kit/dom.js";
import { fixed, quoted } from "../kit/words.js";
import {
  betweenTokens,
  GRAPH,
  gradientProducts,
  isRooted,
  isTrained,
  meeting,
  productOf,
  WEIGHT_NAMES,
} from "./graph.js";
import { columnSaid, indices, rowNames, symbol } from "./names.js";
import { decimalsFor, range, reachOf } from "./numbers.js";

/** @import { Product } from "./graph.js" */
/** @import { Book, Lines, Place, Setup } from "./numbers.js" */

const MOST_TERMS = 5;

/** @typedef {(Node | string)[]} Words */

/** Name a cell by its letter: Q[its, 1]. @param {Place} place @param {Setup} setup @returns {Words} */
const called = (place, setup) => [symbol(place.name), `[${indices(place, setup)}]`];

/**
 * Write a sum of products with its numbers; a long one ends in an ellipsis.
 * @param {[number, number][]} pairs @param {number} digits
 */
export function products(pairs, digits = 2) {
  const shown = pairs.slice(0, pairs.length > MOST_TERMS ? MOST_TERMS - 1 : MOST_TERMS);
  const terms = shown.map(([a, b]) => `${fixed(a, digits)} × ${fixed(b, digits)}`);
  return terms.join(" + ") + (shown.length < pairs.length ? " + …" : "");
}

/**
 * Tell whether two numbers are equal, apart from rounding.
 * @param {number} shown
 * @param {number} value
 * @param {number} digits
 */
export const same = (shown, value, digits = 2) =>
  fixed(shown, digits) === fixed(value, digits) ? " = " : " ≈ ";

/** @param {[number, number][]} pairs @param {number} [digits] */
const summed = (pairs, digits = 2) =>
  pairs.reduce((sum, [a, b]) => sum + Number(a.toFixed(digits)) * Number(b.toFixed(digits)), 0);

/**
 * Describe a line of numbers in words: a token's row, or a column.
 * @param {Lines} line @param {Setup} setup @returns {Words}
 */
function lineWords([name, row, column], setup) {
  if (row !== null) return [symbol(name), `[${rowNames(name, setup)?.[row] ?? row + 1}]`];
  const which = columnSaid(name, Number(column), setup);
  if (name === "x") return [`${which} of every token`];
  if (name === "weights") return [`what every token gave ${which}`];
  return [betweenTokens(name) ? `column ${which} of ` : `${which} of `, symbol(name)];
}

/**
 * Write what a number is a row times a column of: Q[its, 1] = X[its] · column 1 of W_Q.
 * @param {Place} place @param {[Lines, Lines]} lines @param {Setup} setup @returns {Words}
 */
const dotWords = (place, [row, column], setup) => [
  ...called(place, setup),
  " = ",
  ...lineWords(row, setup),
  " · ",
  ...lineWords(column, setup),
];

/** Pair up the numbers of two lines that meet. @param {Book} book @param {[Lines, Lines]} lines */
function pairsOf({ at, setup }, lines) {
  const [[name, row]] = lines;
  return range(setup.sizes[name][row === null ? 0 : 1]).map(
    (t) => /** @type {[number, number]} */ (lines.map(([m, i, j]) => at(m, i ?? t, j ?? t))),
  );
}

/** Explain how the value in a cell is computed. @param {Book} book @param {Place} place @returns {Words} */
export function valueWords(book, place) {
  const { setup } = book;
  const { name, i, j } = place;
  const value = book.at(name, i, j);
  const me = called(place, setup);
  const mine = [...me, " = ", strong(value)];
  if (name === "scores") return [...productWords(book, place), ...hiddenWords(book, place)];
  if (name === "weights") return weightWords(book, place);
  if (name === "output") {
    const words = [...productWords(book, place), "."];
    if (setup.sizes.target) words.push(" The target is ", fixed(book.at("target", i, j)), ".");
    return words;
  }
  if (name === "target") return [...mine, ", what the output should be. It is given."];
  if (name === "x")
    return [
      ...mine,
      `. It is given: ${columnSaid("x", j, setup)} of ${quoted(setup.tokens[i])}, and all three W’s read it.`,
    ];
  if (isTrained(name))
    return [
      ...mine,
      `. It multiplies ${columnSaid("x", i, setup)} of every token and adds to column ${j + 1} of `,
      symbol(name.slice(2)),
      ".",
    ];
  return [...productWords(book, place), "."];
}

/**
 * Write a value that is a row times a column, term by term.
 * @param {Book} book @param {Place} place @returns {Words}
 */
function productWords(book, place) {
  const { name, i, j } = place;
  const value = book.at(name, i, j);
  const lines = meeting(/** @type {Product} */ (productOf(name)), i, j);
  const pairs = pairsOf(book, lines);
  const words = dotWords(place, lines, book.setup);
  if (!GRAPH[name].rooted)
    return [...words, " = ", products(pairs), same(summed(pairs), value), strong(value)];
  const root = fixed(Math.sqrt(pairs.length));
  return [
    ...words,
    ` / √${pairs.length} = (${products(pairs)}) / ${root}`,
    same(summed(pairs) / Number(root), value),
    strong(value),
  ];
}

/** Say whether the mask hides a score. @param {Book} book @param {Place} place */
function hiddenWords({ allowed, setup: { tokens } }, { i, j }) {
  if (allowed(i, j)) return ["."];
  return [
    `. The mask hides it: ${quoted(tokens[i])} may not look at ${quoted(tokens[j])}, so softmax sees −∞.`,
  ];
}

/** @param {Book} book @param {Place} place @returns {Words} */
function weightWords({ at, setup, allowed }, place) {
  const { i, j } = place;
  const { tokens } = setup;
  const value = at("weights", i, j);
  const me = called(place, setup);
  if (!allowed(i, j))
    return [
      ...me,
      " = ",
      strong(value),
      `: the mask keeps ${quoted(tokens[i])} from looking at ${quoted(tokens[j])}.`,
    ];
  const open = range(tokens.length).filter((t) => allowed(i, t));
  // A common factor in numerator and denominator changes nothing, and this one keeps the numbers
  // small.
  const most = Math.max(...open.map((t) => at("scores", i, t)));
  const powers = open.map((t) => Math.exp(at("scores", i, t) - most));
  const mine = powers[open.indexOf(j)];
  const shift = most > 4 ? ` − ${fixed(most)}` : "";
  const factor = shift ? 1 : Math.exp(most);
  return [
    ...me,
    " = exp(",
    symbol("scores"),
    `[${tokens[i]}, ${tokens[j]}]${shift}) / their sum over the row = `,
    fixed(mine * factor),
    ` / (${powers.map((power) => fixed(power * factor)).join(" + ")}) = `,
    strong(value),
    `. ${quoted(tokens[i])} gives ${Math.round(100 * value)}% of its attention to ${quoted(tokens[j])}.`,
  ];
}

/**
 * Say in which direction the loss pulls a weight, and where a step takes it.
 * @param {Book} book
 * @param {Place} place
 * @returns {Words}
 */
export function stepWords({ at, setup, state }, { name, i, j }) {
  if (!setup.sizes.target || !isTrained(name)) return [];
  const gradient = at(`d_${name}`, i, j);
  const digits = Math.max(3, decimalsFor(Math.abs(gradient)));
  const slope = [" dloss/d", symbol(name), " = ", strong(gradient, digits), ": "];
  if (state.frozen.includes(name)) return [...slope, "but it is frozen, and a step leaves it as it is."];
  if (Number(gradient.toFixed(digits)) === 0)
    return [...slope, "a small change makes no difference to the loss now."];
  const next = at(name, i, j) - state.rate * gradient;
  const [more, way] = gradient > 0 ? ["raises", "down"] : ["lowers", "up"];
  return [...slope, `raising it ${more} the loss, so the next step takes it ${way} to `, fixed(next, 3), "."];
}

/**
 * Explain how the gradient in a cell is computed.
 * @param {Book} book
 * @param {Place} place
 * @returns {Words}
 */
export function gradientWords(book, place) {
  const { at, setup } = book;
  const { name, i, j } = place;
  const value = at(`d_${name}`, i, j);
  const digits = Math.max(2, decimalsFor(reachOf(book, `d_${name}`)));
  const gradient = { name: `d_${name}`, i, j };
  const me = called(gradient, setup);
  const end = [" = ", strong(value, digits), "."];
  if (name === "output") {
    const count = countOf(setup);
    return [
      ...me,
      " = 2 × (",
      symbol(name),
      " − ",
      symbol("target"),
      `) / ${count} = 2 × (${fixed(at(name, i, j))} − ${fixed(at("target", i, j))}) / ${count}`,
      ...end,
    ];
  }
  if (name === "scores")
    return [
      ...me,
      " = ",
      symbol("weights"),
      " × (",
      symbol("d_weights"),
      " − its row’s average) = ",
      `${fixed(at("weights", i, j))} × (${fixed(at("d_weights", i, j), digits)} − ${fixed(averageOf(book, i), digits)})`,
      ...end,
    ];
  const meetings = gradientProducts(name).map((product) => meeting(product, i, j));
  if (name === "x") {
    if (setup.heads > 1) return [...me, ", three paths in each head, all added up,", ...end];
    const parts = meetings.map((lines) => {
      const part = pairsOf(book, lines).reduce((sum, [a, b]) => sum + a * b, 0);
      return fixed(part, digits);
    });
    const sum = parts.join(" + ").replaceAll("+ −", "− ");
    return [...me, ` = ${sum}, the paths through Q, K and V,`, ...end];
  }
  const [lines] = meetings;
  return [
    ...dotWords(gradient, lines, setup),
    ` = ${products(pairsOf(book, lines), digits)}`,
    isRooted(name) ? `, divided by √${setup.sizes.q[1]},` : "",
    ...end,
  ];
}

/**
 * Explain how the number that a view shows in a cell is computed.
 * @param {Book} book @param {Place} place @param {string} view @returns {Words}
 */
export const explained = (book, place, view) =>
  view === "gradients" && place.name !== "target"
    ? gradientWords(book, place)
    : [...valueWords(book, place), ...stepWords(book, place)];

/**
 * Say what the learner can do, while nothing is happening.
 * @param {string} view @param {(name: string) => boolean} movable @returns {Words}
 */
export function hintWords(view, movable) {
  if (view === "gradients")
    return [
      "Point at any cell, or reach it with Tab and the arrow keys, to see how its gradient comes about. Each matrix keeps one scale until Reset, so its colours fade as its gradient does.",
    ];
  const next =
    view === "both"
      ? "Each arrow is the pull of the loss on a weight, against its gradient. All arrows keep one scale until Reset. Grey: the pull before your last move. "
      : "";
  const loose = WEIGHT_NAMES.filter(movable);
  const which = loose.flatMap((name, k) => [k ? " or " : " of ", symbol(name)]);
  return [
    next,
    ...(loose.length
      ? [
          "Drag a weight",
          ...(loose.length < WEIGHT_NAMES.length ? which : []),
          next ? " left or right" : " up or down",
          // Next to the words about the steps there is space only for the short form.
          next ? ", or use ↑ ↓. " : ", or focus it and use ↑ ↓ or digits. ",
        ]
      : ["The goal locks all weights. "]),
    movable("mask") ? "Click a score to mask it. " : "",
    "Point at any cell to see its arithmetic.",
  ];
}

/** Say why something cannot be moved. @param {string} view @param {string} name @returns {Words} */
export function heldWords(view, name) {
  const what = name === "mask" ? "The mask" : symbol(name);
  return view === "weights" || view === "both"
    ? [what, " is locked until the goal is met."]
    : ["This view shows gradients. ", what, " can be moved in the view of the weights."];
}

/** Say why a weight is not what was typed. @param {string} typed @param {number} limit @returns {Words} */
export const typedWords = (typed, limit) => [
  `“${typed}” is no number from −${limit} to ${limit}. The weight is as it was.`,
];

/** Return how many numbers the loss is the mean of. @param {Setup} setup */
export const countOf = ({ tokens, sizes, heads }) => tokens.length * sizes.target[1] * heads;

/** Return the average gradient of a row's weights, weighted by them. @param {Book} book @param {number} i */
export const averageOf = ({ at, setup }, i) =>
  range(setup.tokens.length).reduce((sum, t) => sum + at("weights", i, t) * at("d_weights", i, t), 0);

/** Write a number in bold. @param {number} value @param {number} [digits] */
const strong = (value, digits = 2) => make("strong", {}, fixed(value, digits));
