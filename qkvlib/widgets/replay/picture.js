/* Draw a replay: the maps of its step, and the words for the cell under the pointer. */

import { say, set } from "../kit/dom.js";

/** @import { Replay } from "./parts.js" */

const WIDE = 800; // pixels, from which two runs are side by side; as in replay.css
const ROOMY = 960; // pixels, from which two runs need not save room
const BETWEEN_RUNS = 28;
const BELOW = 0.385; // of a single run's width: what is free beside the matrices

/**
 * Choose how high a matrix and how wide attention may be, so that a replay fits one window.
 * @param {number} width  of the whole widget @param {number} runs
 */
function roomFor(width, runs) {
  if (width < WIDE) return { matrix: runs > 1 ? 64 : 54, looks: width };
  const looks = (width - BETWEEN_RUNS) * (runs > 1 ? 0.5 : BELOW);
  return { matrix: runs === 1 ? 112 : width < ROOMY ? 76 : 84, looks };
}

/** @param {Replay} replay */
export function show(replay) {
  const { root, views, step, last } = replay;
  if (!root.isConnected) return;
  replay.width ||= root.offsetWidth;
  layMaps(replay);
  const inks = replay.inks();
  views.forEach((view, i) => {
    view.show(replay.played[i], step, replay.layer, inks);
  });
  replay.parts.show(replay.part);
  set(root, { "data-bare": isBare(replay) });
  set(replay.box, { "data-part": isBare(replay) ? "attention" : replay.part });
  replay.curve.show(step);
  replay.scrubber.value = String(replay.axis.along(step));
  set(replay.scrubber, { "aria-valuetext": `step ${Math.round(step)} of ${last}` });
  say(replay.where, `step ${Math.round(step)} of ${last}`);
  showWords(replay);
}

/** Lay out the maps for a different layer, example or width. @param {Replay} replay */
function layMaps(replay) {
  const { root, setup, example, views } = replay;
  const at = Math.min(replay.layer, setup.runs[0].layers.length - 1);
  const room = roomFor(replay.width, views.length);
  const key = JSON.stringify([at, example, room]);
  if (key === replay.laid) return;
  replay.laid = key;
  point(replay, "", null);
  root.style.setProperty("--matrix", `${room.matrix}px`);
  for (const view of views) view.lay(at, example, room.looks);
}

/**
 * Tell whether there are no matrices to show, because those of a large model are not saved.
 * @param {Replay} replay
 */
export const isBare = ({ played }) => played.every(({ numbers }) => !numbers.length);

/**
 * Point at a cell of a run's map, or at none.
 * @param {Replay} replay @param {string} key @param {number | null} row @param {number} [column]
 */
export function point(replay, key, row, column = 0) {
  replay.pointed = row === null ? null : [key, row, column];
  showWords(replay);
  if (replay.pointed && !replay.playing) replay.announce(wordsNow(replay).join(" "));
}

/** @param {Replay} replay */
function showWords(replay) {
  const { pointed, views, words } = replay;
  const [key, row, column] = pointed ?? ["", null, 0];
  for (const view of views) view.mark(key, row, column);
  say(words, pointed ? wordsNow(replay).join(" ") : "Point at a cell to read it.");
}

/** Return the words for the cell under the pointer, in each run. @param {Replay} replay */
function wordsNow({ pointed, views }) {
  if (!pointed) return [];
  const [key, row, column] = pointed;
  return views.map((view) => {
    const name = views.length > 1 ? `${view.name}: ` : "";
    return `${name}${view.wordsOf(key, row, column)}.`;
  });
}
