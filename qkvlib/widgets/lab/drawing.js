/* Draw the lab's present state, view and current cell. */

import { make, say, set, tell } from "../kit/dom.js";
import { fixed } from "../kit/words.js";
import { isTrained, valuesIn } from "./graph.js";
import { bookOf } from "./numbers.js";
import { runOf } from "./run.js";
import { explained, hintWords, stepWords } from "./words.js";

/** @import { Lab } from "./index.js" */
/** @import { Place } from "./numbers.js" */
/** @import { Words } from "./words.js" */

/** Return every number of one head. @param {Lab} lab @param {number} [head] */
const book = (lab, head = lab.head) => bookOf(lab.setup, lab.model.get("state"), head);

/** Return the number in a cell. @param {Lab} lab @param {Place} place */
export const numberIn = (lab, { name, i, j }) => book(lab).at(name, i, j);

/** Return the cell at a place. @param {Lab} lab @param {Place} place */
export const cellOf = ({ matrices }, { name, i, j }) => matrices[name].cells[i][j].cell;

/** The current cell: the one that is dragged, pointed at or focused. @param {Lab} lab */
const inHand = (lab) => lab.drag?.place ?? lab.pointed ?? lab.focused;

/** Tell whether a matrix is not locked by a goal. @param {Lab} lab @param {string} name */
const free = ({ model, setup }, name) =>
  !setup.goal || Boolean(model.get("state").goal?.met) || setup.goal.touch.includes(name);

/** Tell whether a learner may move a matrix. @param {Lab} lab @param {string} name */
export function movable(lab, name) {
  return (lab.view === "weights" || lab.view === "both") && free(lab, name);
}

/** Tell whether a matrix shows its gradient now. @param {Lab} lab @param {string} name */
function showsGradient(lab, name) {
  if (name === "target") return false;
  if (lab.view === "gradients") {
    // A matrix that the current gradient is computed from shows its values, because the words name
    // them.
    const place = inHand(lab);
    return !place || !valuesIn(place.name).includes(name);
  }
  return lab.view === "backward" && lab.walk.found(name);
}

/** Paint the matrices and the goal's rings. @param {Lab} lab */
const paint = (lab) =>
  lab.painter.paint(book(lab), {
    view: lab.view,
    showsGradient: (name) => showsGradient(lab, name),
    movable: (name) => movable(lab, name),
    quiet: Boolean(lab.drag?.moved),
  });

/**
 * Highlight what the current cell comes from and what it affects, and write out its arithmetic.
 * @param {Lab} lab
 */
function showLights(lab) {
  const { view, words } = lab;
  const place = inHand(lab);
  lab.light(book(lab), view, place);
  const silent = view === "backward" && !lab.refused;
  set(words, { hidden: silent });
  set(lab.walk.sums, { hidden: !silent });
  if (silent) return;
  tell(
    words,
    lab.refused?.() ??
      (place ? explained(book(lab), place, view) : hintWords(view, (name) => movable(lab, name))),
  );
}

/**
 * Say why something cannot be done, until the learner does something else.
 * @param {Lab} lab
 * @param {() => Words} why
 */
export function refuse(lab, why) {
  if (lab.refused && aloud(lab.refused()) === aloud(why())) return;
  lab.refused = why;
  showLights(lab);
  lab.announce(aloud(why()));
}

/** Update after a different cell has become the current one; no number has moved. @param {Lab} lab */
export function lookAgain(lab) {
  showLights(lab);
  paint(lab);
}

/** Show the current step of the walk. @param {Lab} lab */
export function showWalk(lab) {
  if (lab.view === "backward" && lab.root.isConnected) lab.walk.show(book(lab), lab.inks());
}

/** Show the small maps of all heads. @param {Lab} lab */
function showHeads(lab) {
  if (lab.setup.heads > 1 && lab.root.isConnected)
    lab.headMaps.show((head) => book(lab, head), lab.head, lab.inks());
}

/** Draw everything. @param {Lab} lab */
export function show(lab) {
  const { view, walk, trouble } = lab;
  const state = lab.model.get("state");
  set(lab.root, { "data-view": view });
  showLights(lab);
  paint(lab);
  lab.locks.show(
    state.frozen,
    (name) => movable(lab, name),
    (name) => free(lab, name),
  );
  set(lab.matrices.scores.box, { "data-still": !movable(lab, "mask") });
  lab.lossCard.show(state);
  if (view === "both") lab.traces.show(runOf(state));
  showHeads(lab);
  if (state.goal) lab.strip?.show(state.goal);
  lab.bar.show(state, view, lab.player.playing);
  say(trouble, state.note);
  set(trouble, { hidden: !state.note });
  for (const part of [walk.steps, walk.box]) set(part, { hidden: view !== "backward" });
  showWalk(lab);
}

/** Fix the cells' positions, and draw the wires between the matrices. @param {Lab} lab */
export function settle(lab) {
  lab.painter.lay(lab.lossCard.parts);
  lab.wires.place(lab.view === "gradients" || lab.view === "backward");
  paint(lab);
  showHeads(lab);
  showWalk(lab);
}

/** Read the current cell out to a screen reader. @param {Lab} lab */
export function speak(lab) {
  const place = lab.focused ?? lab.pointed;
  if (!place) return;
  const now = book(lab);
  if (isTrained(place.name)) {
    const value = fixed(numberIn(lab, place));
    set(cellOf(lab, place), { "aria-valuetext": `${value}. ${aloud(stepWords(now, place))}` });
  }
  lab.announce(aloud(explained(now, place, lab.view)));
}

/** Return words as plain text for a screen reader. @param {Words} words */
const aloud = (words) => make("p", {}, ...words).textContent ?? "";

/** Update after the state has moved, or the learner has let go. @param {Lab} lab */
export function moved(lab) {
  if (lab.model.get("state").note) lab.player.pause();
  if (lab.loose) {
    lab.painter.refit();
    lab.loose = false;
  }
  show(lab);
  if (lab.drag) return;
  const changed = changedCells(lab);
  if (!lab.player.playing) lab.flash(changed);
}

/** Return the cells whose numbers have changed since the hand last rested. @param {Lab} lab */
export const changedCells = ({ matrices, head }) =>
  Object.values(matrices).flatMap(({ box, cells }) => {
    const kind = `${head} ${box.hasAttribute("data-gradient")}`;
    const changed = cells.flat().filter((one) => {
      const [was, before] = one.rested;
      one.rested = [kind, one.number.textContent];
      return was === kind && before !== one.number.textContent;
    });
    return changed.map(({ cell }) => cell);
  });
