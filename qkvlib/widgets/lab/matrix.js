/**
 * @typedef {object} Setup
 * @property {string[]} tokens
 * @property {number} heads
 * @property {Record<string, [number, number]>} sizes  rows and columns of each matrix, in one head
 * @property {Record<string, string[]>} groups  the names in each packed group of numbers
 * @property {string} function  the learner's own attention, or ""
 * @property {boolean} maskable  whether a mask can be given to it
 * @property {number} limit
 * @property {null | { words: string, touch: string[], met_before: boolean }} goal
 *
 * @typedef {object} State
 * @property {string} given
 * @property {string} moving
 * @property {string} [gradients]  empty where an answer left them out
 * @property {string} mask  a "1" where a token may attend
 * @property {(number | null)[]} losses
 * @property {number | null} loss
 * @property {number} moves
 * @property {number} undo
 * @property {number} rate
 * @property {string[]} frozen
 * @property {string} view
 * @property {string} error
 * @property {string} note
 * @property {{ met: boolean, share: number, words: string }} [goal]
 *
 * @typedef {{ name: string, i: number, j: number }} Place  one cell of one matrix
 * @typedef {[string, number | null, number | null]} Lines  cells of a matrix: a row, a column, all
 *
 * @typedef {object} Book  every number of one head, as it is now
 * @property {(name: string, i: number, j: number) => number} at
 * @property {(i: number, j: number) => boolean} allowed
 * @property {Setup} setup
 * @property {State} state
 * @property {number} head
 */

/** @type {Record<string, { letter: string, sub?: string, role?: string, spoken: string }>} */
const NAMES = {
  x: { letter: "X", spoken: "X" },
  w_q: { letter: "W", sub: "Q", role: "query", spoken: "W Q" },
  w_k: { letter: "W", sub: "K", role: "key", spoken: "W K" },
  w_v: { letter: "W", sub: "V", role: "value", spoken: "W V" },
  q: { letter: "Q", role: "query", spoken: "Q" },
  k: { letter: "K", role: "key", spoken: "K" },
  v: { letter: "V", role: "value", spoken: "V" },
  scores: { letter: "S", spoken: "scores" },
  weights: { letter: "A", role: "weight", spoken: "attention" },
  output: { letter: "O", spoken: "output" },
  target: { letter: "T", spoken: "target" },
};
const WEIGHT_NAMES = ["w_q", "w_k", "w_v"];
const OF_TOKENS = ["x", "q", "k", "v", "scores", "weights", "output", "target"];
const BETWEEN_TOKENS = ["scores", "weights"];

/** @param {string} name  as in "q", or "d_q" for its gradient */
const plain = (name) => name.replace(/^d_/, "");

/** The letter of a matrix, in its role's colour. @param {string} name @param {boolean} [turned] */
function symbol(name, turned = false) {
  const { letter, sub, role } = NAMES[plain(name)];
  const text = make("span", { class: `qkv-letter${role ? ` qkv-${role}` : ""}` });
  if (name !== plain(name)) text.append(make("span", { class: "lab-d" }, "d"));
  text.append(letter);
  if (sub) text.append(make("sub", {}, sub));
  if (turned) text.append(make("sup", {}, "T"));
  return text;
}

/** How a cell is called: tokens by their words. @param {Place} place @param {Setup} setup */
function indices({ name, i, j }, { tokens }) {
  const row = OF_TOKENS.includes(plain(name)) ? tokens[i] : String(i);
  return `${row}, ${BETWEEN_TOKENS.includes(plain(name)) ? tokens[j] : j}`;
}

/** What a screen reader calls a cell. @param {Place} place @param {Setup} setup */
function spokenName({ name, i, j }, { tokens }) {
  const base = plain(name);
  if (BETWEEN_TOKENS.includes(base)) return `${NAMES[base].spoken}, ${quoted(tokens[i])} looks at ${quoted(tokens[j])}`;
  const row = OF_TOKENS.includes(base) ? quoted(tokens[i]) : `row ${i}`;
  return `${NAMES[base].spoken} ${row} column ${j}`;
}

/** A number as a cell has room for it: three decimals go without their zero. @param {number} value @param {number} digits */
function compact(value, digits) {
  if (Number.isNaN(value)) return "·";
  if (Math.abs(value) >= 1e4) return value.toExponential(0).replace("e+", "e").replace("-", "−"); // a cell holds five signs
  const text = fixed(value, digits);
  return digits > 2 ? text.replace(/^(−?)0\./, "$1.") : text;
}

/** Decimals enough to see the largest of some numbers. @param {number} most */
function decimalsFor(most) {
  if (!(most > 0) || most >= 0.1) return most >= 99.5 ? 0 : most >= 9.95 ? 1 : 2;
  return Math.min(1 - Math.floor(Math.log10(most)), 5);
}

/**
 * Unpack the numbers of a state. Groups that did not change are kept.
 * @param {Setup} setup
 */
function makeReader(setup) {
  /** @type {Record<string, string>} */
  const seen = {};
  /** @type {Record<string, Float32Array>} */
  const found = {};
  const shared = ["x", "d_x"]; // the same for every head

  /** @param {State} state @param {number} head @returns {Book} */
  return (state, head) => {
    for (const [group, names] of Object.entries(setup.groups)) {
      const packed = /** @type {any} */ (state)[group];
      if (packed === seen[group]) continue;
      seen[group] = packed;
      if (!packed) {
        for (const name of names) delete found[name];
        continue;
      }
      const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
      const numbers = new Float32Array(bytes.buffer);
      let start = 0;
      for (const name of names) {
        const [rows, cols] = setup.sizes[name];
        const length = rows * cols * (shared.includes(name) ? 1 : setup.heads);
        found[name] = numbers.subarray(start, start + length);
        start += length;
      }
    }
    const { mask } = state;
    return {
      setup,
      state,
      head,
      at(name, i, j) {
        const [rows, cols] = setup.sizes[name];
        const numbers = found[name];
        return numbers ? numbers[((shared.includes(name) ? 0 : head) * rows + i) * cols + j] : NaN;
      },
      allowed: (i, j) => mask[i * setup.tokens.length + j] === "1",
    };
  };
}

/** The largest size among a matrix's numbers. @param {Book} book @param {string} name */
function reachOf(book, name) {
  const [rows, cols] = book.setup.sizes[name];
  let most = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const size = Math.abs(book.at(name, i, j));
      if (size > most) most = size;
    }
  }
  return most;
}

/**
 * One matrix on the page: a caption, names of rows and columns, and cells.
 * @param {string} name
 * @param {Setup} setup
 * @param {{ rowNames?: string[], colNames?: string[], cellRole: string, caption?: (Node | string)[] }} options
 */
function makeMatrix(name, setup, { rowNames, colNames, cellRole, caption = [] }) {
  const [rows, cols] = setup.sizes[name];
  const title = make("span", { class: "lab-title" });
  const size = make("span", { class: "lab-size" }, `${rows}×${cols}`);
  const head = make("div", { class: "lab-head" }, title, size, ...caption);
  const inGrid = cellRole === "gridcell";
  const grid = make("div", {
    class: "lab-grid",
    role: inGrid ? "grid" : "group",
    "aria-label": `${NAMES[name].spoken}, ${rows} by ${cols}`,
  });
  grid.style.setProperty("--n", String(cols));
  /** @type {{ cell: HTMLElement, number: HTMLElement, strip: HTMLElement }[][]} */
  const cells = [];
  for (let i = 0; i < rows; i++) {
    const line = make("div", { class: "lab-row", role: inGrid ? "row" : null });
    if (rowNames) {
      const row = make("div", { class: "lab-name", role: inGrid ? "rowheader" : null }, rowNames[i]);
      row.title = rowNames[i];
      line.append(row);
    }
    cells.push(
      Array.from({ length: cols }, (_, j) => {
        const number = make("b");
        const strip = make("i");
        const cell = make("div", {
          class: "lab-cell",
          role: cellRole,
          tabindex: i + j ? -1 : 0,
          "data-at": `${name} ${i} ${j}`,
          "aria-label": spokenName({ name, i, j }, setup),
        }, number, strip);
        line.append(cell);
        return { cell, number, strip };
      }),
    );
    grid.append(line);
  }
  if (colNames) {
    const line = make("div", { class: "lab-row lab-colnames", "aria-hidden": true });
    if (rowNames) line.append(make("div"));
    for (const text of colNames) {
      const col = make("div", { class: "lab-name" }, make("span", {}, text));
      col.title = text;
      line.append(col);
    }
    grid.append(line);
  }
  const box = make("section", {
    class: `lab-m lab-m-${name}`,
    "data-names": Boolean(rowNames),
    "data-role": NAMES[name].role ?? null,
  }, head, grid);
  box.style.gridArea = name;
  let shownTitle = "";

  return {
    name,
    box,
    cells,
    /** Show a value's letter, or a gradient's. @param {boolean} gradient */
    entitle(gradient) {
      const wanted = gradient ? `d_${name}` : name;
      if (shownTitle === wanted) return;
      shownTitle = wanted;
      title.replaceChildren(symbol(wanted));
      set(box, { "data-gradient": gradient });
    },
    /** Make one cell the matrix's tab stop. @param {number} i @param {number} j */
    stopAt(i, j) {
      cells.forEach((row, a) => row.forEach(({ cell }, b) => set(cell, { tabindex: a === i && b === j ? 0 : -1 })));
    },
  };
}

/** From where on black is easier to read than white on a dark page; and white on a light one. */
const DEEP = { plus: 0.52, minus: 0.61, weight: 0.725 };
const DEEP_ON_LIGHT = 0.815;

/**
 * Colour a cell: a share of a tone on the paper, as a whole percentage.
 * @param {HTMLElement} cell @param {"plus" | "minus" | "weight"} tone @param {number} share
 */
function tint(cell, tone, share) {
  const percent = String(Math.round(100 * Math.min(Math.max(share || 0, 0), 1)));
  if (cell.style.getPropertyValue("--t") !== percent) cell.style.setProperty("--t", percent);
  set(cell, { "data-tone": tone, "data-deep": share > DEEP_ON_LIGHT ? "both" : share > DEEP[tone] && "dark" });
}

/** @param {HTMLElement} cell @param {number} value @param {number} reach */
function tintSigned(cell, value, reach) {
  tint(cell, value < 0 ? "minus" : "plus", (0.8 * Math.abs(value)) / (reach || 1));
}
