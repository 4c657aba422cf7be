/* Walk through the picture backwards, one step of the chain rule at a time. */

import { make, say, set } from "../kit/dom.js";
import { backwards, GRAPH, gradientProducts, gradientSources, isRooted, plain, valuesIn } from "./graph.js";
import { symbol } from "./names.js";
import { compact, decimalsFor, range, reachOf, tint } from "./numbers.js";
import { averageOf, countOf, gradientWords } from "./words.js";

/** @import { Inks } from "../kit/maps.js" */
/** @import { Factor, Product } from "./graph.js" */
/** @import { Book, Place, Setup } from "./numbers.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof makeWalk>} Walk  the walk and its present step */

/**
 * @typedef {object} Step
 * @property {string} result  the matrix whose gradient it computes
 * @property {Product[]} products  to be summed; empty for the two steps that are not matrix products
 * @property {string} why
 * @property {string} [shape]  explains the position of a transpose
 */

/** The words for each step. @type {Record<string, { why: string, shape?: string }>} */
const SAID = {
  output: {
    why: "It starts at the loss, the mean of (O − T)². The gradient of each number of the output is twice its own error, divided by how many numbers there are.",
  },
  v: {
    why: "A value went into the output of every word that looked at it, each time with the share A[i, j]. A gradient comes back from each of them with the same share, and these are added up.",
    shape:
      "One row of dV for each key. But A has its keys in columns: ᵀ turns them into rows, and the sum runs over the queries, which both have.",
  },
  weights: {
    why: "The share A[i, j] let value j into output i. More of it lowers the loss if that value points where the output should go: against dO[i].",
    shape:
      "Queries in rows, keys in columns. V has its keys in rows: ᵀ makes them columns, and the sum runs over d_v.",
  },
  scores: {
    why: "The shares of a row always sum to one: what one gains, the others lose. So each is compared with its row’s average, weighted by the shares. Every row of dS sums to zero.",
  },
  q: {
    why: "A query met every key. It is pulled along each key as much as that score’s gradient says, and the √d_k that divided the scores divides here too.",
    shape:
      "No transpose: dS has its keys in columns and K has them in rows, so they meet. The sum runs over the keys.",
  },
  k: {
    why: "The same from the other side: a key met every query, and gets a gradient back from each of them.",
    shape:
      "One row of dK for each key. dS has its keys in columns: ᵀ turns them into rows, and the sum runs over the queries.",
  },
  x: {
    why: "X was read three times: to ask, to be found, and to give. Three paths come back, and they are added. In a deeper model this is what the layer below receives.",
    shape:
      "W has its features in rows, dX wants them in columns: hence ᵀ, and each sum runs over d_k or d_v.",
  },
};

/** Return the words for a weight matrix. @param {string} letter  of its product with X */
const saidOfWeights = (letter) => ({
  why: `One matrix W_${letter} served every token, so every token contributes: its feature times its d${letter}, added up over all tokens. This is all that training needs: the same chain rule, and no separate network.`,
  shape: `W_${letter} has features in rows. X has them in columns: ᵀ turns them, and the sum runs over the tokens.`,
});

/** @type {Step[]} */
const STEPS = backwards().map((result) => ({
  result,
  products: gradientProducts(result),
  ...(SAID[result] ?? saidOfWeights(result.slice(2).toUpperCase())),
}));

/**
 * Say a factor's shape in words. X's tokens are queries to W_Q and keys to W_K; beside X they are
 * called tokens.
 * @param {Factor} factor @param {Step} step @param {Setup} setup
 */
function shapeOf({ name, turned }, step, setup) {
  const ofX = [step.result, ...valuesIn(step.result)].includes("x");
  const size = setup.sizes[name].map((count, k) => {
    const what = GRAPH[plain(name)].counts[k];
    return `${ofX && (what === "queries" || what === "keys") ? "tokens" : what} ${count}`;
  });
  return turned ? size.reverse() : size;
}

/** Write a factor's letter. @param {Factor} factor */
const factorSymbol = ({ name, turned }) => symbol(name, turned);

/** Write the formula of a step. @param {Step} step @param {Setup} setup @returns {Words} */
function formulaOf(step, setup) {
  const result = symbol(`d_${step.result}`);
  if (step.result === "output")
    return [result, " = 2 (", symbol("output"), " − ", symbol("target"), `) / ${countOf(setup)}`];
  if (step.result === "scores") {
    return [result, " = ", symbol("weights"), " ∗ (", symbol("d_weights"), " − its row’s average)"];
  }
  const terms = step.products.flatMap(([a, b], k) => [
    ...(k ? [" + "] : []),
    factorSymbol(a),
    " ",
    factorSymbol(b),
  ]);
  return [result, " = ", ...terms, ...(isRooted(step.result) ? [` / √${setup.sizes.q[1]}`] : [])];
}

/**
 * Draw a small matrix with its shape in words; `lit` says which cells to highlight.
 * @param {Book} book
 * @param {Inks} inks
 * @param {Step} step
 * @param {Factor} factor
 * @param {object} options
 * @param {(i: number, j: number) => string | null} options.lit
 * @param {boolean} [options.picks]
 * @param {boolean} [options.averages]  whether to draw only the average of each row
 */
function miniature(book, inks, step, factor, { lit, picks = false, averages = false }) {
  const { name, turned } = factor;
  const [h, w] = book.setup.sizes[name];
  const [rows, cols] = averages ? [h, 1] : turned ? [w, h] : [h, w];
  const reach = reachOf(book, name);
  const digits = decimalsFor(reach);
  const grid = make("div", { class: "lab-mini" });
  grid.style.setProperty("--n", String(cols));
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const value = averages ? averageOf(book, i) : turned ? book.at(name, j, i) : book.at(name, i, j);
      const looks = {
        class: "lab-mini-cell",
        "data-light": lit(i, j),
        "data-pick": picks ? `${i} ${j}` : null,
      };
      const cell = make("div", looks, compact(value, digits));
      const at = tint(name, value, reach);
      Object.assign(cell.style, { backgroundColor: inks.colours[at], color: inks.text[at] });
      grid.append(cell);
    }
  }
  // If several products are summed, their matrices leave no space for words.
  const [down, across] = step.products.length > 1 ? [rows, cols] : shapeOf(factor, step, book.setup);
  const title = averages
    ? [make("span", { class: "lab-says" }, "row’s average")]
    : [factorSymbol(factor), make("span", { class: "lab-mini-size" }, `${down} × ${across}`)];
  return make("div", { class: "lab-mini-box" }, make("div", { class: "lab-mini-title" }, ...title), grid);
}

/**
 * Draw the matrices of a step side by side, in the order of the formula.
 * @param {Book} book
 * @param {Inks} inks
 * @param {Step} step
 * @param {Place} pick
 */
function laidOut(book, inks, step, { i, j }) {
  const { setup } = book;
  /** @param {string} text */
  const sign = (text) => make("span", { class: "lab-mini-sign", "aria-hidden": "true" }, text);
  /** @param {number} a @param {number} b */
  const here = (a, b) => (a === i && b === j ? "self" : null);
  /** @param {number} a */
  const row = (a) => (a === i ? "from" : null);
  /** @param {Factor} factor @param {Parameters<typeof miniature>[4]} options */
  const draw = (factor, options) => miniature(book, inks, step, factor, options);
  const result = draw({ name: `d_${step.result}` }, { lit: here, picks: true });
  const equal = make("div", { class: "lab-term" }, sign("="), result); // on a new line it keeps its sign
  if (step.result === "output") {
    return [
      sign(`2 / ${countOf(setup)}  · (`),
      draw({ name: "output" }, { lit: here }),
      sign("−"),
      draw({ name: "target" }, { lit: here }),
      sign(")"),
      equal,
    ];
  }
  if (step.result === "scores") {
    return [
      draw({ name: "weights" }, { lit: here }),
      sign("∗ ("),
      draw({ name: "d_weights" }, { lit: here }),
      sign("−"),
      draw({ name: "d_weights" }, { lit: row, averages: true }),
      sign(")"),
      equal,
    ];
  }
  const terms = step.products.flatMap(([a, b], k) => [
    ...(k ? [sign("+")] : []),
    make(
      "div",
      { class: "lab-term" },
      draw(a, { lit: row }),
      sign("·"),
      draw(b, { lit: (_, col) => (col === j ? "from" : null) }),
    ),
  ]);
  return [...terms, ...(isRooted(step.result) ? [sign(`/ √${setup.sizes.q[1]}`)] : []), equal];
}

/**
 * Write the shapes of a product in words and numbers, and mark the dimension that is summed over.
 * @param {Step} step
 * @param {Setup} setup
 * @returns {Words}
 */
function shapeWords(step, setup) {
  if (!step.products.length) return ["Number by number: all have the same shape, and nothing is transposed."];
  const [a, b] = step.products[0];
  const [outer, inner] = shapeOf(a, step, setup);
  const [met, last] = shapeOf(b, step, setup);
  const words = [
    `[${outer} × `,
    make("u", {}, inner),
    "] · [",
    make("u", {}, met),
    ` × ${last}] = [${outer} × ${last}], the shape of `,
    symbol(step.result),
    ". ",
  ];
  return [...words, step.shape ?? ""];
}

/** Make the panel that explains a step, and the buttons that go from step to step. */
function makePanel() {
  const back = make("button", { type: "button" }, "◂ Back");
  const next = make("button", { type: "button", class: "qkv-main" }, "Next ▸");
  const chips = STEPS.map(({ result }) =>
    make("button", { type: "button", class: "lab-chip" }, symbol(`d_${result}`)),
  );
  const formula = make("p", { class: "lab-formula" });
  const why = make("p", { class: "lab-why" });
  const shape = make("p", { class: "lab-shape" });
  const layout = make("div", { class: "lab-product", role: "img" });
  const sums = make("p", { class: "lab-sum", "aria-live": "polite" });
  const count = make("span", { class: "lab-count" });
  const steps = make(
    "div",
    { class: "lab-steps", role: "group", "aria-label": "Backwards, step by step" },
    make("div", { class: "lab-turn" }, back, next, count),
    make("div", { class: "lab-chips", role: "group", "aria-label": "steps" }, ...chips),
    formula,
    why,
  );
  const box = make("section", { class: "lab-walk", "aria-label": "This step" }, layout, shape);
  return { back, next, chips, formula, why, shape, layout, sums, count, steps, box };
}

/**
 * Show a step. @param {ReturnType<typeof makePanel>} panel @param {number} at  the step
 * @param {Book} book @param {Inks} inks @param {Place} pick  the result's cell whose arithmetic is shown
 */
function showStep(panel, at, book, inks, pick) {
  const step = STEPS[at];
  panel.chips.forEach((chip, k) =>
    set(chip, { "aria-current": k === at ? "step" : null, "data-done": k < at }),
  );
  panel.back.disabled = at === 0;
  panel.next.disabled = at === STEPS.length - 1;
  say(panel.count, `${at + 1} of ${STEPS.length}`);
  panel.formula.replaceChildren(...formulaOf(step, book.setup));
  say(panel.why, step.why);
  panel.layout.replaceChildren(...laidOut(book, inks, step, pick));
  set(panel.layout, { "aria-label": panel.formula.textContent });
  panel.shape.replaceChildren(...shapeWords(step, book.setup));
  panel.sums.replaceChildren(...gradientWords(book, pick));
}

/**
 * Return the cell of a matrix with the largest gradient.
 * @param {Book} book
 * @param {string} name
 * @returns {Place}
 */
function steepest(book, name) {
  const [rows, cols] = book.setup.sizes[name];
  const cells = range(rows * cols).map((k) => ({ name, i: Math.floor(k / cols), j: k % cols }));
  const slope = (/** @type {Place} */ { i, j }) => Math.abs(book.at(`d_${name}`, i, j));
  return cells.reduce((most, cell) => (slope(cell) > slope(most) ? cell : most));
}

/** Make the walk: its current step, and the panel that explains it. @param {() => void} moved */
export function makeWalk(moved) {
  let at = 0;
  /** The cell of the result whose arithmetic is shown. @type {Place | null} */
  let pick = null;
  const panel = makePanel();
  /** @param {number} step */
  const go = (step) => {
    at = Math.min(Math.max(step, 0), STEPS.length - 1);
    pick = null;
    moved();
  };
  panel.back.addEventListener("click", () => go(at - 1));
  panel.next.addEventListener("click", () => go(at + 1));
  panel.chips.forEach((chip, step) => chip.addEventListener("click", () => go(step)));
  panel.layout.addEventListener("pointerover", ({ target }) => {
    const spot = target instanceof Element && target.getAttribute("data-pick")?.split(" ");
    if (!spot) return;
    pick = { name: STEPS[at].result, i: Number(spot[0]), j: Number(spot[1]) };
    moved();
  });
  /** The current cell. @param {Book} book @param {Place | null} place @returns {Place} */
  const stage = (book, place) => {
    if (place && place.name === STEPS[at].result) pick = place;
    pick ??= steepest(book, STEPS[at].result);
    return pick;
  };
  return {
    ...{ steps: panel.steps, box: panel.box, sums: panel.sums, stage },
    /**
     * Whether the walk has reached a matrix's gradient, and the current step does not need its
     * value.
     * @param {string} name
     */
    found: (name) =>
      !valuesIn(STEPS[at].result).includes(name) &&
      STEPS.findIndex(({ result }) => result === name) <= at &&
      name !== "target",
    /** Whether the current step reads a matrix, its value or its gradient. @param {string} name */
    reads: (/** @type {string} */ name) =>
      gradientSources({ name: STEPS[at].result, i: 0, j: 0 }).some(([read]) => read === name),
    result: () => STEPS[at].result,
    /** @param {Book} book @param {Inks} inks */
    show: (book, inks) => showStep(panel, at, book, inks, stage(book, null)),
  };
}
