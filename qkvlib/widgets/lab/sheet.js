/*
 * Paint the colours and numbers of a matrix on a canvas below its cells. The cells handle the
 * pointer, the keyboard and the screen reader. While the learner drags, no cell changes its style,
 * so the page is not laid out again.
 */

import { make } from "../kit/dom.js";
import { shade } from "../kit/maps.js";
import { arrowAt } from "../kit/pulls.js";

/** @import { Inks } from "../kit/maps.js" */
/** @import { Cell } from "./matrix.js" */

/**
 * @typedef {object} Look  the looks of a cell
 * @property {string} text
 * @property {number} at  the index of its colour
 * @property {boolean} dim  whether it is pale, because other cells are highlighted
 *
 * @typedef {object} Knob  the looks of a weight in the view Both
 * @property {string} text
 * @property {number} at  on its rail, from -1 to 1
 * @property {number} pull  of the loss, as a share of the strongest in the run
 * @property {number} was  the pull before the last move
 * @property {boolean} dim
 *
 * @typedef {{ x: number, y: number, width: number, height: number }} Box
 */

const KNOB = 4;
const [NUMBER, RAIL, BEFORE] = [7, 10, 3]; // from the top, and from the bottom

const PALE = 0.4;
const QUIET = 0.75; // the opacity of words in the background
const FAINT = 0.4; // the opacity of rails, and of the pull before the last move
const REACH = 0.45; // the longest arrow of a run, as a share of a cell's width

/** Make the canvas below a matrix's cells. @param {HTMLElement} grid @param {Cell[][]} cells */
export function makeSheet(grid, cells) {
  const canvas = make("canvas", { class: "lab-sheet", "aria-hidden": "true" });
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  grid.prepend(canvas);
  /** @type {Box[][]} */
  let boxes = [];
  /** @type {string[][]} */
  let drawn = [];
  let written = true;
  let inks = ["", ""]; // of numbers, and of knobs

  /** Measure where the cells are. */
  const measure = () => {
    const home = grid.getBoundingClientRect();
    const style = getComputedStyle(grid);
    const edge = Number.parseFloat(style.borderLeftWidth);
    boxes = home.width ? cells.map((row) => row.map((one) => boxOf(one, home, edge))) : [];
    written = style.getPropertyValue("--written") !== "0";
    inks = [style.color, style.borderLeftColor];
    return {
      width: home.width,
      height: home.height,
      font: `${style.fontSize} ${style.fontFamily}`,
    };
  };

  /** Give the canvas the cells' size. @param {ReturnType<typeof measure>} size */
  const lay = ({ width, height, font }) => {
    if (!width) return;
    const dense = devicePixelRatio;
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    [canvas.width, canvas.height] = [Math.round(width * dense), Math.round(height * dense)];
    pen.scale(dense, dense);
    Object.assign(pen, { font, textAlign: "center", textBaseline: "middle" });
    Object.assign(pen, { textRendering: "optimizeSpeed", fontKerning: "none", direction: "ltr" });
    drawn = cells.map(() => []);
  };

  /**
   * Paint a cell if it looks different now, and return the ink of its number.
   * @param {number} i @param {number} j @param {Look} look @param {() => Inks} theme
   */
  const show = (i, j, { text, at, dim }, theme) => {
    const looks = `${text} ${at} ${dim}`; // a number can change by less than is visible
    if (!boxes.length || drawn[i][j] === looks) return null;
    drawn[i][j] = looks;
    const now = theme();
    const ink = now.text[dim ? shade(0, "signed") : at];
    paint(pen, boxes[i][j], now.colours[at], written ? ink : "", text, dim);
    return ink;
  };

  /** Paint all weights, because an arrow can reach over its neighbour's. @param {Knob[][]} knobs */
  const turnAll = (knobs) => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    boxes.forEach((row, i) => row.forEach((box, j) => turn(pen, inks, box, knobs[i][j])));
    drawn = cells.map(() => []);
  };
  return { grid, measure, lay, show, turnAll };
}

/**
 * Paint a cell: its colour, and its number if there is an ink for it.
 * @param {CanvasRenderingContext2D} pen @param {Box} box @param {string} colour
 * @param {string} ink @param {string} text @param {boolean} dim
 */
function paint(pen, { x, y, width, height }, colour, ink, text, dim) {
  pen.clearRect(x, y, width, height);
  pen.globalAlpha = dim ? PALE : 1;
  pen.fillStyle = colour;
  pen.fillRect(x, y, width, height);
  if (!ink) return;
  pen.fillStyle = ink;
  if (text === "0") pen.globalAlpha *= QUIET;
  pen.fillText(text, x + width / 2, y + height / 2);
}

/**
 * Paint a weight on its rail, and the pull of the loss.
 * @param {CanvasRenderingContext2D} pen @param {string[]} inks  of the number, of the knob
 * @param {Box} box @param {Knob} knob
 */
function turn(pen, [ink, role], { x, y, width, height }, { text, at, pull, was, dim }) {
  const foot = y + height;
  const longest = width * REACH;
  const far = width / 2 - KNOB - 1;
  const knob = x + width / 2 + far * at;
  pen.globalAlpha = dim ? PALE : 1;
  pen.fillStyle = ink;
  pen.fillText(text, x + width / 2, y + NUMBER);
  pen.globalAlpha *= FAINT;
  pen.fillRect(x + 3, foot - RAIL - 1, width - 6, 2);
  pen.fillRect(x + width / 2 - 0.5, foot - RAIL - 3, 1, 6);
  pen.fill(new Path2D(arrowAt(knob, foot - BEFORE, was * longest, 2.5)));
  pen.globalAlpha = dim ? PALE : 1;
  pen.fillStyle = pen.strokeStyle = role;
  pen.beginPath();
  pen.arc(knob, foot - RAIL, KNOB, 0, 7);
  pen.lineWidth = 2;
  pen.stroke();
  pen.fill(new Path2D(arrowAt(knob + KNOB * Math.sign(pull), foot - RAIL, pull * longest, 4)));
}

/**
 * Return the box of a cell inside its border.
 * @param {Cell} one
 * @param {DOMRect} home
 * @param {number} edge  of the grid
 * @returns {Box}
 */
function boxOf({ cell }, home, edge) {
  const { left, top, width, height } = cell.getBoundingClientRect();
  const [x, y] = [left - home.left - edge + 1, top - home.top + 1];
  return { x, y, width: width - 2, height: height - 2 };
}
