/* What a cell comes from, what it feeds, and its arithmetic in one line. */

import { make } from "../kit/dom.js";
import { fixed, quoted } from "../kit/words.js";
import { indices, symbol } from "./names.js";
import { decimalsFor, range, reachOf } from "./numbers.js";

/** @import { Book, Lines, Place, Setup } from "./numbers.js" */

const MOST_TERMS = 5;

/** What a value is computed from. @param {Place} place @returns {Lines[]} */
export function sources({ name, i, j }) {
  switch (name) {
    case "q":
    case "k":
    case "v":
      return [
        ["x", i, null],
        [`w_${name}`, null, j],
      ];
    case "scores":
      return [
        ["q", i, null],
        ["k", j, null],
      ];
    case "weights":
      return [["scores", i, null]];
    case "output":
      return [
        ["weights", i, null],
        ["v", null, j],
      ];
    default:
      return [];
  }
}

/** What is computed from a value, at once. @param {Place} place @returns {Lines[]} */
export function readers({ name, i, j }) {
  switch (name) {
    case "x":
      return [
        ["q", i, null],
        ["k", i, null],
        ["v", i, null],
      ];
    case "w_q":
    case "w_k":
    case "w_v":
      return [[name.slice(2), null, j]];
    case "q":
      return [["scores", i, null]];
    case "k":
      return [["scores", null, i]];
    case "v":
      return [["output", null, j]];
    case "scores":
      return [["weights", i, null]];
    case "weights":
      return [["output", i, null]];
    case "output":
      return [["target", i, j]];
    default:
      return [];
  }
}

/**
 * What a value meets on its way: its partner in the product.
 * @param {Place} place
 * @returns {Lines[]}
 */
export function partners({ name, i, j }) {
  if (name.startsWith("w_")) return [["x", null, i]];
  if (name === "weights") return [["v", j, null]];
  if (name === "target") return [["output", i, j]];
  return [];
}

/** What a gradient is computed from. @param {Place} place @returns {Lines[]} */
export function gradientSources({ name, i, j }) {
  switch (name) {
    case "output":
      return [["target", i, j]];
    case "v":
      return [
        ["weights", null, i],
        ["output", null, j],
      ];
    case "weights":
      return [
        ["output", i, null],
        ["v", j, null],
      ];
    case "scores":
      return [["weights", i, null]];
    case "q":
      return [
        ["scores", i, null],
        ["k", null, j],
      ];
    case "k":
      return [
        ["scores", null, i],
        ["q", null, j],
      ];
    case "w_q":
    case "w_k":
    case "w_v":
      return [
        ["x", null, i],
        [name.slice(2), null, j],
      ];
    case "x":
      return ["q", "k", "v"].flatMap(
        (role) =>
          /** @type {Lines[]} */ ([
            [role, i, null],
            [`w_${role}`, j, null],
          ]),
      );
    default:
      return [];
  }
}

/** Everything later that a change here reaches. @param {Place} place @returns {Lines[]} */
export function reached(place) {
  /** @type {Lines[]} */
  const found = readers(place);
  for (let at = 0; at < found.length && found.length < 40; at++) {
    const [name, i, j] = found[at];
    // A whole row or column stands for its cells: what one of them reaches, all reach alike.
    for (const [next, a, b] of readers({ name, i: i ?? -1, j: j ?? -1 })) {
      const line = /** @type {Lines} */ ([next, a === -1 ? null : a, b === -1 ? null : b]);
      if (!found.some((other) => other.join() === line.join())) found.push(line);
    }
  }
  return found;
}

/** @param {Lines[]} lines @param {Place} place */
export const covers = (lines, { name, i, j }) =>
  lines.some(
    ([matrix, row, col]) =>
      matrix === name && (row === null || row === i) && (col === null || col === j),
  );

/** @typedef {(Node | string)[]} Words */

/**
 * A cell's name, lettered: Q[its, 1].
 * @param {Place} place
 * @param {Setup} setup
 * @returns {Words}
 */
const called = (place, setup) => [symbol(place.name), `[${indices(place, setup)}]`];

/**
 * A sum of products with its numbers; long ones end in dots.
 * @param {[number, number][]} pairs @param {number} digits
 */
export function products(pairs, digits = 2) {
  const shown = pairs.slice(0, pairs.length > MOST_TERMS ? MOST_TERMS - 1 : MOST_TERMS);
  const terms = shown.map(([a, b]) => `${fixed(a, digits)} × ${fixed(b, digits)}`);
  return terms.join(" + ") + (shown.length < pairs.length ? " + …" : "");
}

/**
 * Equal, or equal but for rounding.
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
 * A number that the hand has set, and that the kernel has not taken yet.
 * @param {Book} book @param {Place} place @param {number} set @returns {Words}
 */
export function waitingWords({ at, setup }, place, set) {
  const old = fixed(at(place.name, place.i, place.j));
  return [
    ...called(place, setup),
    " = ",
    strong(set),
    ` waits for the kernel. Until then all that follows from it is as it was at ${old}.`,
  ];
}

/** How the value in a cell comes about. @param {Book} book @param {Place} place @returns {Words} */
export function valueWords(book, place) {
  const { at, setup } = book;
  const { name, i, j } = place;
  const { tokens, sizes } = setup;
  const value = at(name, i, j);
  const me = called(place, setup);
  const inside = setup.function;
  if (Number.isNaN(value) && !inside) return [...me, " is no number."];
  if (name === "q" || name === "k" || name === "v") {
    const w = `w_${name}`;
    const pairs = range(sizes.x[1]).map(
      (t) => /** @type {[number, number]} */ ([at("x", i, t), at(w, t, j)]),
    );
    return [
      ...me,
      " = ",
      symbol("x"),
      `[${tokens[i]}] · column ${j} of `,
      symbol(w),
      " = ",
      products(pairs),
      same(summed(pairs), value),
      strong(value),
      ".",
    ];
  }
  if (name === "scores") {
    if (inside) return [...me, ` is inside ${inside}: the lab cannot see it.`];
    const pairs = range(sizes.q[1]).map(
      (t) => /** @type {[number, number]} */ ([at("q", i, t), at("k", j, t)]),
    );
    const root = Math.sqrt(sizes.q[1]);
    const masked = book.allowed(i, j)
      ? "."
      : `. The mask hides it: ${quoted(tokens[i])} may not look at ${quoted(tokens[j])}, so softmax sees −∞.`;
    return [
      ...me,
      " = ",
      symbol("q"),
      `[${tokens[i]}] · `,
      symbol("k"),
      `[${tokens[j]}] / √${sizes.q[1]} = (`,
      products(pairs),
      ") / ",
      fixed(root),
      same(summed(pairs) / Number(root.toFixed(2)), value),
      strong(value),
      masked,
    ];
  }
  if (name === "weights") return weightWords(book, place);
  if (name === "output") {
    const pairs = range(tokens.length).map(
      (t) => /** @type {[number, number]} */ ([at("weights", i, t), at("v", t, j)]),
    );
    const words = [
      ...me,
      " = ",
      symbol("weights"),
      `[${tokens[i]}] · column ${j} of `,
      symbol("v"),
      " = ",
      products(pairs),
      same(summed(pairs), value),
      strong(value),
      ".",
    ];
    if (inside)
      words.splice(2, words.length - 2, " comes out of ", inside, ": ", strong(value), ".");
    if (sizes.target) words.push(" The target is ", fixed(at("target", i, j)), ".");
    return words;
  }
  if (name === "target")
    return [...me, " = ", strong(value), ", what the output should be. It is given."];
  if (name === "x") {
    return [
      ...me,
      " = ",
      strong(value),
      ". It is given: feature ",
      String(j),
      " of ",
      quoted(tokens[i]),
      ", and all three W’s read it.",
    ];
  }
  return [
    ...me,
    " = ",
    strong(value),
    ". It multiplies feature ",
    String(i),
    " of every token and adds to column ",
    String(j),
    " of ",
    symbol(name.slice(2)),
    ".",
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
  if (setup.function) return [...me, ` comes out of ${setup.function}: `, strong(value), "."];
  const open = range(tokens.length).filter((t) => allowed(i, t));
  // The same factor above and below changes nothing; this one keeps the numbers small.
  const most = Math.max(...open.map((t) => at("scores", i, t)));
  const powers = open.map((t) => Math.exp(at("scores", i, t) - most));
  const mine = powers[open.indexOf(j)];
  const shift = most > 4 ? ` − ${fixed(most)}` : "";
  const factor = shift ? 1 : Math.exp(most);
  return [
    ...me,
    " = exp(",
    symbol("scores"),
    `[${tokens[i]}, ${tokens[j]}]${shift}) / the same over the row = `,
    fixed(mine * factor),
    ` / (${powers.map((power) => fixed(power * factor)).join(" + ")}) = `,
    strong(value),
    `. ${quoted(tokens[i])} gives ${Math.round(100 * value)}% of its attention to ${quoted(tokens[j])}.`,
  ];
}

/**
 * What the loss wants of a weight, and where a step goes.
 * @param {Book} book
 * @param {Place} place
 * @returns {Words}
 */
export function stepWords({ at, setup, state }, { name, i, j }) {
  if (!setup.sizes.target || !name.startsWith("w_")) return [];
  const gradient = at(`d_${name}`, i, j);
  if (Number.isNaN(gradient)) return [];
  const digits = Math.max(3, decimalsFor(Math.abs(gradient)));
  const slope = [" dloss/d", symbol(name), " = ", strong(gradient, digits), ": "];
  if (state.frozen.includes(name))
    return [...slope, "but it is frozen, and a step leaves it as it is."];
  if (Number(gradient.toFixed(digits)) === 0) return [...slope, "the loss does not feel it now."];
  const next = at(name, i, j) - state.rate * gradient;
  const [more, way] = gradient > 0 ? ["raises", "down"] : ["lowers", "up"];
  if (Math.abs(next) > setup.limit)
    return [
      ...slope,
      `raising it ${more} the loss, but the next step would take it beyond ${setup.limit}: try a smaller learning rate.`,
    ];
  return [
    ...slope,
    `raising it ${more} the loss, so the next step takes it ${way} to `,
    fixed(next, 3),
    ".",
  ];
}

/**
 * Whether the learner's own function keeps to itself how a gradient comes about.
 * @param {Setup} setup
 * @param {string} name
 */
export const inside = (setup, name) =>
  Boolean(setup.function) && !name.startsWith("w_") && name !== "x";

/**
 * How the gradient in a cell comes about.
 * @param {Book} book
 * @param {Place} place
 * @returns {Words}
 */
export function gradientWords(book, place) {
  const { at, setup } = book;
  const { name, i, j } = place;
  const { tokens, sizes } = setup;
  const n = tokens.length;
  const value = at(`d_${name}`, i, j);
  const digits = Math.max(2, decimalsFor(reachOf(book, `d_${name}`)));
  const me = called({ name: `d_${name}`, i, j }, setup);
  const end = [" = ", strong(value, digits), "."];
  if (Number.isNaN(value))
    return [...me, setup.function ? " is hidden inside your function." : " is no number."];
  /**
   * @param {Words} left
   * @param {Words} right
   * @param {(t: number) => [number, number]} pair
   * @param {number} count
   * @param {Words} [after]
   */
  const product = (left, right, pair, count, after = []) => [
    ...me,
    " = ",
    ...left,
    " · ",
    ...right,
    " = ",
    products(range(count).map(pair), digits),
    ...after,
    ...end,
  ];
  const root = [`, divided by √${sizes.q[1]},`];
  if (inside(setup, name)) {
    return [...me, " = ", strong(value, digits), `, found by autograd through ${setup.function}.`];
  }
  switch (name) {
    case "output": {
      const count = n * sizes.target[1] * setup.heads;
      return [
        ...me,
        " = 2 × (",
        symbol("output"),
        " − ",
        symbol("target"),
        `) / ${count} = 2 × (${fixed(at("output", i, j))} − ${fixed(at("target", i, j))}) / ${count}`,
        ...end,
      ];
    }
    case "v":
      return product(
        [`what everybody gave ${quoted(tokens[i])}`],
        [`column ${j} of `, symbol("d_output")],
        (t) => [at("weights", t, i), at("d_output", t, j)],
        n,
      );
    case "weights":
      return product(
        [symbol("d_output"), `[${tokens[i]}]`],
        [symbol("v"), `[${tokens[j]}]`],
        (t) => [at("d_output", i, t), at("v", j, t)],
        sizes.v[1],
      );
    case "scores": {
      const mean = range(n).reduce(
        (sum, t) => sum + at("weights", i, t) * at("d_weights", i, t),
        0,
      );
      return [
        ...me,
        " = ",
        symbol("weights"),
        " × (",
        symbol("d_weights"),
        " − its row’s average) = ",
        `${fixed(at("weights", i, j))} × (${fixed(at("d_weights", i, j), digits)} − ${fixed(mean, digits)})`,
        ...end,
      ];
    }
    case "q":
      return product(
        [symbol("d_scores"), `[${tokens[i]}]`],
        [`column ${j} of `, symbol("k")],
        (t) => [at("d_scores", i, t), at("k", t, j)],
        n,
        root,
      );
    case "k":
      return product(
        [`column ${quoted(tokens[i])} of `, symbol("d_scores")],
        [`column ${j} of `, symbol("q")],
        (t) => [at("d_scores", t, i), at("q", t, j)],
        n,
        root,
      );
    case "x": {
      const parts = ["q", "k", "v"].map((role) =>
        range(sizes[role][1]).reduce(
          (sum, t) => sum + at(`d_${role}`, i, t) * at(`w_${role}`, j, t),
          0,
        ),
      );
      if (setup.heads > 1) return [...me, ", three paths in each head, all added up,", ...end];
      return [
        ...me,
        ` = ${parts
          .map((part) => fixed(part, digits))
          .join(" + ")
          .replaceAll("+ −", "− ")}, the paths through Q, K and V,`,
        ...end,
      ];
    }
    default: {
      const role = name.slice(2);
      return product(
        [`feature ${i} of every token`],
        [`column ${j} of `, symbol(`d_${role}`)],
        (t) => [at("x", t, i), at(`d_${role}`, t, j)],
        n,
      );
    }
  }
}

/** @param {number} value @param {number} [digits] */
const strong = (value, digits = 2) => make("strong", {}, fixed(value, digits));
