/* Make one matrix on the page. */

import { followFinger, make, set } from "../kit/dom.js";
import { isTrained } from "./graph.js";
import { columnNames, NAMES, rowNames, spokenName, symbol } from "./names.js";
import { makeSheet } from "./sheet.js";

/** @import { Place, Setup } from "./numbers.js" */

/**
 * @typedef {ReturnType<typeof makeMatrix>} Matrix  what `makeMatrix` puts on the page
 *
 * @typedef {object} Cell
 * @property {HTMLElement} cell
 * @property {HTMLElement} number  the sheet's text, shown if a sheet has no space for it
 * @property {string} spoken
 * @property {boolean} dim  whether other cells are highlighted and this one is not
 * @property {(string | null)[]} rested  whose number it showed when the hand last rested, and its text
 */

/**
 * Make one matrix: a caption, names of rows and columns, and cells.
 * @param {string} name @param {Setup} setup @param {(Node | string)[]} caption
 */
export function makeMatrix(name, setup, caption) {
  // T is next to O, which has the names of its rows.
  const names = name === "target" ? null : rowNames(name, setup);
  const [rows, cols] = setup.sizes[name];
  const cellRole = roleOf(name);
  const title = make("span", { class: "lab-title" });
  const size = make("span", { class: "lab-size" }, `${rows}×${cols}`);
  const head = make("div", { class: "lab-head" }, title, size, ...caption);
  const inGrid = cellRole === "gridcell";
  const grid = make("div", {
    class: "lab-grid",
    role: inGrid ? "grid" : "group",
    "aria-label": `${NAMES[name].spoken}, ${rows} by ${cols}`,
  });
  const cells = Array.from({ length: rows }, (_, i) => {
    const line = make("div", { class: "lab-row", role: inGrid ? "row" : null });
    if (names) {
      const header = { class: "lab-name", role: inGrid ? "rowheader" : null, title: names[i] };
      line.append(make("div", header, names[i]));
    }
    const row = Array.from({ length: cols }, (_cell, j) => makeCell({ name, i, j }, setup));
    line.append(...row.map(({ cell }) => cell));
    grid.append(line);
    return row;
  });
  const box = make(
    "section",
    {
      class: `lab-m lab-m-${name}`,
      "data-names": Boolean(names),
      "data-role": NAMES[name].role ?? null,
    },
    head,
    grid,
    ...layColumnNames(columnNames(name, setup) ?? []),
  );
  box.style.gridArea = name;
  let shownTitle = "";

  return {
    name,
    box,
    cells,
    sheet: makeSheet(grid, cells),
    /** Show the letter of the value or of the gradient. @param {boolean} gradient */
    entitle(gradient) {
      const wanted = gradient ? `d_${name}` : name;
      if (shownTitle === wanted) return;
      shownTitle = wanted;
      title.replaceChildren(symbol(wanted));
      set(box, { "data-gradient": gradient });
    },
    /** Make one cell the matrix's tab stop. @param {number} i @param {number} j */
    stopAt(i, j) {
      cells.forEach((row, a) =>
        row.forEach(({ cell }, b) => set(cell, { tabindex: a === i && b === j ? 0 : -1 })),
      );
    },
  };
}

/** Make the row of column names, if there are any. @param {string[]} names */
function layColumnNames(names) {
  if (!names.length) return [];
  const each = names.map((text) => make("div", { class: "lab-name", title: text }, make("span", {}, text)));
  const below = { class: "lab-row lab-colnames", "aria-hidden": "true" };
  return [make("div", below, make("div"), ...each)];
}

/** The role that a matrix's cells have for a screen reader. @param {string} name */
const roleOf = (name) => (isTrained(name) ? "spinbutton" : name === "scores" ? "checkbox" : "gridcell");

/** @param {Place} place @param {Setup} setup @returns {Cell} */
function makeCell({ name, i, j }, setup) {
  const number = make("b");
  const spoken = spokenName({ name, i, j }, setup);
  const cell = make(
    "div",
    {
      class: "lab-cell",
      role: roleOf(name),
      tabindex: i + j ? -1 : 0,
      "data-at": `${name} ${i} ${j}`,
      "aria-label": spoken,
    },
    number,
  );
  if (isTrained(name)) followFinger(cell);
  return { cell, number, spoken, dim: false, rested: [] };
}
