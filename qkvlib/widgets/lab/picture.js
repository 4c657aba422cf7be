/*
 * Draw the picture: arrange the matrices, draw the wires between them, and paint and highlight their
 * cells.
 */

import { draw, hold, make, say, set } from "../kit/dom.js";
import {
  betweenTokens,
  covers,
  GRAPH,
  gradientSources,
  isTrained,
  partners,
  ROLES,
  reached,
  readers,
  sources,
  WIRES,
} from "./graph.js";
import { makeMatrix } from "./matrix.js";
import { NAMES, symbol } from "./names.js";
import { compact, decimalsFor, reachOf, reader, tint } from "./numbers.js";
import { showRings, wantedOf } from "./rings.js";
import { runOf, steepestOf } from "./run.js";

/** @import { Inks } from "../kit/maps.js" */
/** @import { Book, Lines, Place, Setup } from "./numbers.js" */
/** @import { Cell, Matrix } from "./matrix.js" */
/** @import { Walk } from "./walk.js" */
/** @import { Words } from "./words.js" */

/** @typedef {ReturnType<typeof makeMatrices>} Matrices  all of them by their names */

/** @typedef {ReturnType<typeof makeWires>} Wires  the lines between the matrices */

/** Return the words beside a matrix's letter. @param {string} name @param {Setup} setup */
function captionOf(name, setup) {
  const { of, turned, rooted, beside } = GRAPH[name];
  /** @type {Words} */
  let words = beside ? [name] : [];
  if (of && !ROLES.includes(name))
    words =
      of.length < 2
        ? ["= softmax(", symbol(of[0]), ")"]
        : ["= ", symbol(of[0]), turned ? "" : " ", symbol(of[1], turned)];
  if (rooted) words.push(` / √${setup.sizes.q[1]}`);
  return words.length ? [make("span", { class: "lab-says" }, ...words)] : [];
}

/** Make the matrices, in reading order. @param {Setup} setup @returns {Record<string, Matrix>} */
export const makeMatrices = (setup) =>
  Object.fromEntries(
    Object.keys(GRAPH)
      .filter((name) => name in setup.sizes)
      .map((name) => [name, makeMatrix(name, setup, captionOf(name, setup))]),
  );

/**
 * Make the two halves of the picture: X times the weights, then the scores and everything computed
 * from them.
 * @param {Matrices} matrices
 */
export function equation({ x, scores, weights, output, target, ...others }) {
  /** @param {string} text */
  const sign = (text) => make("span", { class: "lab-sign", "aria-hidden": "true" }, text);
  const products = ROLES.flatMap((role, row) => {
    const line = [sign("×"), others[`w_${role}`].box, sign("="), others[role].box];
    line.forEach((part, column) => (part.style.gridArea = `${row + 1} / ${column + 2}`));
    return line;
  });
  const left = make("div", { class: "lab-left" }, x.box, ...products);
  const right = make("div", { class: "lab-right" }, scores.box, weights.box, output.box);
  if (target) right.append(target.box);
  return [left, right];
}

/**
 * Make the wires between the matrices, drawn from their positions.
 * @param {HTMLElement} picture @param {Record<string, Matrix>} matrices
 */
export function makeWires(picture, matrices) {
  const svg = draw("svg", { class: "lab-wires", "aria-hidden": "true" });
  const wires = WIRES.map(([from, to]) => ({
    from,
    to,
    path: draw("path", { "data-role": NAMES[from].role ?? null }),
  }));
  svg.append(...wires.map(({ path }) => path));
  /** @param {boolean} backwards  whether arrows lead from the output to X */
  const place = (backwards) => {
    const home = picture.getBoundingClientRect();
    set(svg, { width: home.width, height: home.height });
    for (const { from, to, path } of wires) {
      const [a, b] = [gridBox(matrices[from], home), gridBox(matrices[to], home)];
      const ends = endsOf(a, b, from === "x", backwards);
      set(path, { d: ends ? arrow(ends, backwards) : "" });
    }
  };
  return { svg, wires, place };
}

/** @typedef {[number, number, number, number]} Ends  where a wire begins, and where it ends */

/**
 * Return the ends of a wire, or null if there is no space for it.
 * @param {ReturnType<typeof gridBox>} a @param {ReturnType<typeof gridBox>} b
 * @param {boolean} ofX @param {boolean} backwards @returns {Ends | null}
 */
function endsOf(a, b, ofX, backwards) {
  if (Math.abs(b.left - a.left) < 40 || b.left - a.right < 12) {
    const down = b.headTop - a.foot;
    return down > 4 && down < 60 ? [b.middle, a.foot + 1, b.middle, b.headTop - 1] : null;
  }
  // K's wire comes from below to the bottom of the scores. X's wires spread out to the signs in
  // front of the weights.
  const y = ofX ? b.centre : Math.min(Math.max(a.centre, b.top + 8), b.bottom - 8);
  return [a.right + 4, a.centre, b.left - (ofX && !backwards ? 24 : 4), y];
}

/** @param {Matrix} matrix @param {DOMRect} home */
function gridBox({ box, cells }, home) {
  const section = box.getBoundingClientRect();
  const first = cells[0][0].cell.getBoundingClientRect();
  const lastRow = cells[cells.length - 1];
  const last = lastRow[lastRow.length - 1].cell.getBoundingClientRect();
  return {
    left: section.left - home.left,
    right: last.right - home.left,
    top: first.top - home.top,
    bottom: last.bottom - home.top,
    centre: (first.top + last.bottom) / 2 - home.top,
    middle: (first.left + last.right) / 2 - home.left,
    headTop: section.top - home.top,
    foot: section.bottom - home.top,
  };
}

/**
 * Draw a curve with an arrowhead at its end, or at its start.
 * @param {Ends} ends @param {boolean} backwards
 */
function arrow([x, y, a, b], backwards) {
  const bend = (a - x) / 2;
  const [tipX, tipY, back] = backwards ? [x, y, 5] : [a, b, -5];
  const [[left, top], [right, bottom]] = bend
    ? [
        [back, -4],
        [back, 4],
      ]
    : [
        [-4, back],
        [4, back],
      ];
  return (
    `M${x} ${y}C${x + bend} ${y} ${a - bend} ${b} ${a} ${b}` +
    `M${tipX + left} ${tipY + top}L${tipX} ${tipY}L${tipX + right} ${tipY + bottom}`
  );
}

/**
 * @typedef {object} Shown  what the picture shows now
 * @property {string} view
 * @property {(name: string) => boolean} showsGradient
 * @property {(name: string) => boolean} movable
 * @property {boolean} quiet  true during a drag. The screen reader hears the result when the drag ends
 */

/** @param {Record<string, Matrix>} matrices @param {() => Inks} inks */
export function makePainter(matrices, inks) {
  /**
   * While the learner drags, the scales only grow, so that colours do not jump.
   * @type {Record<string, number>}
   */
  let reach = {};

  /** @param {Matrix} matrix @param {Book} book @param {Shown} look */
  function paint(matrix, book, look) {
    const { name, cells } = matrix;
    const gradient = look.showsGradient(name);
    const shown = gradient ? `d_${name}` : name;
    const now = reachOf(book, shown);
    reach[name] = Math.max(reach[name] ?? 1, gradient ? 0 : now);
    const digits = decimalsFor(gradient ? now : reach[name]);
    const scale = gradient ? (runOf(book.state).reach[shown] ?? now) : reach[name];
    matrix.entitle(gradient);
    cells.forEach((row, i) =>
      row.forEach((one, j) => {
        const value = book.at(shown, i, j);
        say(one.number, compact(value, digits));
        if (!look.quiet) describe(one, book, { name, i, j }, value, !look.movable(name));
      }),
    );
    if (look.view === "both" && isTrained(name)) paintKnobs(matrix, book, scale);
    else paintCells(matrix, book, shown, scale, inks);
  }

  return {
    /** @param {Book} book @param {Shown} look */
    paint(book, look) {
      for (const matrix of Object.values(matrices)) paint(matrix, book, look);
      showRings(matrices, book);
    },
    /**
     * Fix the cells at their places until the room or the view changes.
     * @param {(HTMLElement | SVGElement)[]} more  to be held
     */
    lay(more) {
      const sheets = Object.values(matrices).map(({ sheet }) => sheet);
      hold([...sheets.map(({ grid }) => grid), ...more]);
      const sizes = sheets.map(({ measure }) => measure());
      sheets.forEach(({ lay }, k) => lay(sizes[k]));
    },
    /** Scale the colours to the numbers again at the next painting. */
    refit() {
      reach = {};
    },
  };
}

/**
 * Paint the numbers of a matrix or of its gradient.
 * @param {Matrix} matrix @param {Book} book @param {string} shown  whose numbers they are
 * @param {number} scale  the number with the strongest colour @param {() => Inks} inks
 */
function paintCells({ cells, sheet }, book, shown, scale, inks) {
  cells.forEach((row, i) =>
    row.forEach(({ cell, number, dim }, j) => {
      const look = { text: number.textContent, at: tint(shown, book.at(shown, i, j), scale), dim };
      const ink = sheet.show(i, j, look, inks);
      if (ink) cell.style.color = ink;
    }),
  );
}

/**
 * Paint weights as knobs, with the pull of the loss on each.
 * @param {Matrix} matrix @param {Book} book @param {number} scale  the number at the end of a rail
 */
function paintKnobs({ name, cells, sheet }, { setup, state, head, at }, scale) {
  const run = runOf(state);
  const steepest = steepestOf(run) || 1;
  const before = run.before && reader(setup, run.before, head);
  const frozen = state.frozen.includes(name);
  const knobs = cells.map((row, i) =>
    row.map(({ number, dim }, j) => ({
      text: number.textContent,
      at: at(name, i, j) / scale,
      pull: frozen ? 0 : -at(`d_${name}`, i, j) / steepest,
      was: before ? -before(`d_${name}`, i, j) / steepest : 0,
      dim,
    })),
  );
  sheet.turnAll(knobs);
}

/**
 * Describe a cell to a screen reader, and say whether the mask hides it.
 * @param {Cell} one @param {Book} book @param {Place} place @param {number} value
 * @param {boolean} still  whether the learner cannot move it
 */
function describe({ cell, number, spoken }, { setup, head, allowed }, { name, i, j }, value, still) {
  // A weight announces its value by itself; any other cell is labelled with its name and value.
  if (isTrained(name))
    return set(cell, {
      "aria-valuenow": Number(value.toFixed(4)),
      "aria-valuemin": -setup.limit,
      "aria-valuemax": setup.limit,
      "aria-readonly": still ? "true" : null,
    });
  const wanted = name === "weights" ? wantedOf(setup, head, i, j) : "";
  const goal = wanted && `, the goal: ${wanted}`;
  set(cell, { "aria-label": `${spoken}: ${number.textContent}${goal}` });
  if (betweenTokens(name))
    set(cell, {
      "data-hidden": !allowed(i, j),
      "aria-checked": name === "scores" ? String(allowed(i, j)) : null,
    });
}

const LIGHTS = ["from", "to", "far"];

/**
 * Return what is highlighted for a cell: its sources, what it feeds, and what that affects.
 * @param {string} view @param {Place | null} place @returns {Lines[][]}
 */
function linesOf(view, place) {
  if (!place) return [[], [], []];
  if (view === "gradients" || view === "backward") return [gradientSources(place), [], []];
  return [[...sources(place), ...partners(place)], readers(place), reached(place)];
}

/**
 * Highlight what a cell comes from and what it feeds.
 * @param {HTMLElement} picture @param {Record<string, Matrix>} matrices
 * @param {Wires} wires @param {Walk} walk
 */
export function makeLights(picture, matrices, { wires }, walk) {
  let shown = "";
  /** @param {Book} book @param {string} view @param {Place | null} place */
  return (book, view, place) => {
    const backward = view === "backward"; // there, the walk also decides what is highlighted
    const now = backward ? "" : [view, place?.name, place?.i, place?.j].join();
    if (now && now === shown) return;
    shown = now;
    const spoken = backward ? walk.stage(book, place) : place;
    const [from, to, far] = linesOf(view, spoken);
    const lit = Boolean(place) && !backward;
    set(picture, { "data-lit": lit });
    for (const { name, cells, box } of Object.values(matrices)) {
      if (backward)
        set(box, {
          "data-found": walk.found(name),
          "data-reads": walk.reads(name),
          "data-result": walk.result() === name,
        });
      const aside = backward && !walk.found(name) && !walk.reads(name);
      cells.forEach((row, i) =>
        row.forEach((one, j) => {
          const here = { name, i, j };
          const self = spoken?.name === name && spoken.i === i && spoken.j === j;
          const k = [from, to, far].findIndex((lines) => covers(lines, here));
          const light = self ? "self" : LIGHTS[k];
          set(one.cell, { "data-light": light });
          one.dim = aside || (lit && !light);
        }),
      );
    }
    const touched = [place?.name, ...[...from, ...to, ...far].map(([name]) => name)];
    for (const { from: a, to: b, path } of wires) {
      const on = backward ? a === walk.result() : lit && touched.includes(a) && touched.includes(b);
      set(path, { "data-on": on });
    }
  };
}
