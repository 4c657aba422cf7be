/*
 * Define the graph of attention in one place: which matrix is computed from which, and how. The
 * highlighting, the wires, the arithmetic in words and the walk backwards are all derived from it.
 * The sizes of the matrices are in the setup.
 */

/** @import { Lines, Place } from "./numbers.js" */

/**
 * @typedef {object} Made  how a matrix is computed; without `of` and `weighs` it is an input
 * @property {[string, string]} counts  what its rows and columns stand for
 * @property {string[]} [of]  the two factors of a product, or the matrix whose rows go through softmax
 * @property {boolean} [turned]  whether the second factor is transposed
 * @property {boolean} [rooted]  whether the product is divided by the root of d_k
 * @property {boolean} [weighs]  whether its numbers are the weights of a weighted sum
 * @property {string} [beside]  the matrix with which the loss compares it, cell by cell
 *
 * @typedef {{ name: string, turned?: boolean }} Factor  a matrix of a product, transposed or not
 * @typedef {[Factor, Factor]} Product
 * @typedef {{ name: string, i: number | null, j: number | null }} Cells  null: all of them
 */

/** In reading order. @type {Record<string, Made>} */
export const GRAPH = {
  x: { counts: ["tokens", "features"] },
  w_q: { counts: ["features", "d_k"], weighs: true },
  w_k: { counts: ["features", "d_k"], weighs: true },
  w_v: { counts: ["features", "d_v"], weighs: true },
  q: { counts: ["queries", "d_k"], of: ["x", "w_q"] },
  k: { counts: ["keys", "d_k"], of: ["x", "w_k"] },
  v: { counts: ["keys", "d_v"], of: ["x", "w_v"] },
  scores: { counts: ["queries", "keys"], of: ["q", "k"], turned: true, rooted: true },
  weights: { counts: ["queries", "keys"], of: ["scores"], weighs: true },
  output: { counts: ["queries", "d_v"], of: ["weights", "v"] },
  target: { counts: ["queries", "d_v"], beside: "output" },
};
const RESULTS = Object.entries(GRAPH).map(([result, made]) => ({ result, of: [], ...made }));

/** The weights, which are moved and trained. */
export const WEIGHT_NAMES = RESULTS.filter(({ of, weighs }) => weighs && !of.length).map(
  ({ result }) => result,
);
/** Tell whether a matrix is trained. @param {string} name */
export const isTrained = (name) => WEIGHT_NAMES.includes(name);

/** The weights that X is multiplied by. */
export const ROLES = RESULTS.filter(({ of }) => of[0] === "x").map(({ result }) => result);

/** The wires of the picture. A product with trained weights is drawn as X × W = Q: X leads to W. */
export const WIRES = RESULTS.flatMap(({ result, of }) =>
  isTrained(of[1]) ? [of] : of.map((factor) => [factor, result]),
);

/** Return a matrix's name without "d_". @param {string} name  as in "q", or "d_q" for its gradient */
export const plain = (name) => name.replace(/^d_/, "");

/** Tell whether the rows of a matrix are tokens. @param {string} name */
export const ofTokens = (name) => GRAPH[plain(name)].counts[0] !== "features";
/** Tell whether the columns of a matrix are tokens as well. @param {string} name */
export const betweenTokens = (name) => GRAPH[plain(name)].counts[1] === "keys";

/** Return the product that gives a matrix, or null. @param {string} name @returns {Product | null} */
export function productOf(name) {
  const { of = [], turned } = GRAPH[name];
  return of.length > 1 ? [{ name: of[0] }, { name: of[1], turned }] : null;
}

/**
 * Return the products whose sum is a matrix's gradient. With R = A B: dA = dR Bᵀ, dB = Aᵀ dR. With
 * R = A Bᵀ: dA = dR B, dB = dRᵀ A. Softmax and the loss are not matrix products, so they have none.
 * @param {string} name
 * @returns {Product[]}
 */
export const gradientProducts = (name) =>
  RESULTS.filter(({ of }) => of.length > 1 && of.includes(name)).map(({ result, of: [a, b], turned }) => {
    const slope = { name: `d_${result}`, turned: turned && b === name };
    const other = { name: a === name ? b : a, turned: !turned };
    return a === name || turned ? [slope, other] : [other, slope];
  });

/** Tell whether a matrix's gradient is divided by the root of d_k. @param {string} name */
export const isRooted = (name) => RESULTS.some(({ of, rooted }) => Boolean(rooted) && of.includes(name));

/** Return the matrices whose values, not gradients, a gradient is computed from. @param {string} name */
export const valuesIn = (name) =>
  gradientProducts(name)
    .flat()
    .map((factor) => factor.name)
    .filter((factor) => factor === plain(factor));

/**
 * Return the two lines of numbers that meet in a cell of a product: a row and a column, before any
 * transpose.
 * @param {Product} product @param {number | null} i @param {number | null} j
 * @returns {[Lines, Lines]}
 */
export const meeting = ([a, b], i, j) => [
  a.turned ? [a.name, null, i] : [a.name, i, null],
  b.turned ? [b.name, j, null] : [b.name, null, j],
];

/** Return what a value is computed from. @param {Cells} cells @returns {Lines[]} */
export function sources({ name, i, j }) {
  const product = productOf(name);
  if (product) return meeting(product, i, j);
  return (GRAPH[name].of ?? []).map((row) => [row, i, null]);
}

/** Return what is computed directly from a value. @param {Cells} cells @returns {Lines[]} */
export const readers = ({ name, i, j }) =>
  RESULTS.flatMap(({ result, of, turned, beside }) => {
    if (beside === name) return [/** @type {Lines} */ ([result, i, j])];
    if (of[0] === name) return [/** @type {Lines} */ ([result, i, null])];
    return of[1] === name ? [/** @type {Lines} */ ([result, null, turned ? i : j])] : [];
  });

/** Return what a gradient is computed from. @param {Cells} cells @returns {Lines[]} */
export function gradientSources({ name, i, j }) {
  const products = gradientProducts(name);
  if (!products.length) return readers({ name, i, j });
  return products.flatMap((product) => meeting(product, i, j)).map(([factor, a, b]) => [plain(factor), a, b]);
}

/**
 * Return what a weight is multiplied by, and what a target is compared with.
 * @param {Place} place
 * @returns {Lines[]}
 */
export function partners({ name, i, j }) {
  const { weighs, beside } = GRAPH[name];
  if (beside) return [[beside, i, j]];
  const met = weighs ? gradientSources({ name, i, j }) : [];
  return met.filter(([factor]) => valuesIn(name).includes(factor));
}

/** Return everything that a change here affects later. @param {Place} place */
export function reached(place) {
  const found = readers(place);
  // One cell stands for its whole row or column, because they all affect the same cells.
  for (const [name, i, j] of found)
    for (const line of readers({ name, i, j }))
      if (!found.some((other) => other.join() === line.join())) found.push(line);
  return found;
}

/** Tell whether lines contain a cell. @param {Lines[]} lines @param {Place} place */
export const covers = (lines, { name, i, j }) =>
  lines.some(
    ([matrix, row, col]) => matrix === name && (row === null || row === i) && (col === null || col === j),
  );

/** Return everything that a matrix is computed from. @param {string} name @returns {string[]} */
const before = (name) => (GRAPH[name].of ?? []).flatMap((factor) => [factor, ...before(factor)]);

/**
 * List the steps from the loss back to X: first the computed matrices, those on shorter paths first,
 * then the trained weights, then the inputs. No gradient comes before the gradients that it is
 * computed from.
 */
export function backwards() {
  const found = ["output"];
  for (const name of found) {
    const next = [...(GRAPH[name].of ?? [])].sort((a, b) => before(a).length - before(b).length);
    found.push(...next.filter((factor) => !found.includes(factor)));
  }
  /** @param {string} name */
  const rank = (name) => (GRAPH[name].of ? 0 : isTrained(name) ? 1 : 2);
  return found.sort((a, b) => rank(a) - rank(b));
}
