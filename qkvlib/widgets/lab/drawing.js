/* The lab drawn as it is now: its state, the view, and the cell in hand. */

import { make, say, set, tell } from "../kit/dom.js";
import { fixed } from "../kit/words.js";
import { isTrained, valuesIn } from "./graph.js";
import { keepLosses, withAhead } from "./numbers.js";
import { explained, heldWords, hintWords, inside, stepWords, waitingWords } from "./words.js";

/** @import { Lab } from "./index.js" */
/** @import { Place } from "./numbers.js" */
/** @import { Words } from "./words.js" */

const REST_MS = 1000;

/** Every number of one head as the kernel has answered it: what follows from it is true. @param {Lab} lab */
const answeredBook = (lab, head = lab.head) => lab.read(lab.model.get("state"), head);

/** The same, with what the hand has set already. @param {Lab} lab */
const bookOf = (lab, head = lab.head) => withAhead(answeredBook(lab, head), lab.ahead);

/** @param {Lab} lab @param {Place} place */
export const numberIn = (lab, { name, i, j }) => bookOf(lab).at(name, i, j);

/** @param {Lab} lab @param {Place} place */
export const cellOf = ({ matrices }, { name, i, j }) => matrices[name].cells[i][j].cell;

/** The cell that is dragged, pointed at or focused. @param {Lab} lab */
const inHand = (lab) => lab.drag?.place ?? lab.pointed ?? lab.focused;

/** Whether no goal holds a matrix still. @param {Lab} lab @param {string} name */
const free = ({ model, setup }, name) =>
  !setup.goal || Boolean(model.get("state").goal?.met) || setup.goal.touch.includes(name);

/** Whether a matrix may be moved by hand. @param {Lab} lab @param {string} name */
export function movable(lab, name) {
  const taken = name !== "mask" || lab.setup.maskable;
  return (lab.view === "weights" || lab.view === "both") && free(lab, name) && taken;
}

/** Whether a matrix shows its gradient now. @param {Lab} lab @param {string} name */
function showsGradient(lab, name) {
  if (name === "target") return false;
  if (lab.view === "gradients") {
    // What the gradient in hand is computed with shows the numbers that its words name.
    const place = inHand(lab);
    return !place || inside(lab.setup, place.name) || !valuesIn(place.name).includes(name);
  }
  return lab.view === "backward" && lab.walk.found(name);
}

/** @param {Lab} lab */
const paint = (lab) =>
  lab.painter.paint(bookOf(lab), {
    view: lab.view,
    showsGradient: (name) => showsGradient(lab, name),
    movable: (name) => movable(lab, name),
  });

/** Light what the cell in hand comes from and feeds, and say its arithmetic. @param {Lab} lab */
function showLights(lab) {
  const { view, words } = lab;
  const book = answeredBook(lab);
  const place = inHand(lab);
  lab.light(book, view, place);
  words.hidden = view === "backward" && !lab.refused;
  lab.walk.sums.hidden = !words.hidden;
  if (words.hidden) return;
  tell(
    words,
    lab.refused
      ? heldWords(view, lab.refused, lab.setup)
      : place
        ? wordsOn(lab, place)
        : hintWords(view, (name) => movable(lab, name)),
  );
}

/** Say why the hand cannot move something, until it does something else. @param {Lab} lab @param {string | null} name */
export function refuse(lab, name) {
  if (lab.refused === name) return;
  lab.refused = name;
  showLights(lab);
  if (name) lab.announce(aloud(heldWords(lab.view, name, lab.setup)));
}

/** What is said of a cell: its arithmetic, or that it waits. @param {Lab} lab @param {Place} place */
function wordsOn(lab, place) {
  const book = answeredBook(lab);
  const number = numberIn(lab, place);
  return lab.gate.late && number !== book.at(place.name, place.i, place.j)
    ? waitingWords(book, place, number)
    : explained(book, place, lab.view);
}

/** After another cell came into hand, which moves no number. @param {Lab} lab */
export function lookAgain(lab) {
  if (lab.view === "gradients") paint(lab);
  showLights(lab);
}

/** @param {Lab} lab */
export function showWalk(lab) {
  if (lab.view === "backward") lab.walk.show(answeredBook(lab));
}

/** Draw everything. @param {Lab} lab */
export function show(lab) {
  const { view, walk, trouble } = lab;
  const state = lab.model.get("state");
  keepLosses(state);
  set(lab.root, { "data-view": view, "data-stale": lab.trained && !state.gradients });
  paint(lab);
  showLights(lab);
  lab.locks.show(
    state.frozen,
    (name) => movable(lab, name),
    (name) => free(lab, name),
    lab.trained,
  );
  set(lab.matrices.scores.box, { "data-still": !movable(lab, "mask") });
  lab.lossCard.show(state);
  if (lab.setup.heads > 1) lab.headMaps.show((head) => bookOf(lab, head), lab.head);
  if (state.goal) lab.strip?.show(state.goal);
  lab.bar.show(state, view, lab.player.playing, lab.gate.can({ do: "undo" }));
  say(trouble, [state.error, state.note].filter(Boolean).join(" "));
  trouble.hidden = !trouble.textContent;
  walk.steps.hidden = walk.box.hidden = view !== "backward";
  showWalk(lab);
}

/** Draw the wires from where the matrices stand. @param {Lab} lab */
export const placeWires = ({ wires, view }) =>
  wires.place(view === "gradients" || view === "backward");

/** Say the cell in hand to a screen reader. @param {Lab} lab */
export function speak(lab) {
  const place = lab.focused ?? lab.pointed;
  lab.owed = Boolean(place) && lab.gate.busy;
  if (!place) return;
  const value = fixed(numberIn(lab, place));
  if (lab.owed) return set(cellOf(lab, place), { "aria-valuetext": value });
  if (isTrained(place.name)) {
    const step = aloud(stepWords(answeredBook(lab), place));
    set(cellOf(lab, place), { "aria-valuetext": `${value}. ${step}` });
  }
  lab.announce(aloud(wordsOn(lab, place)));
}

/** @param {Words} words */
const aloud = (words) => make("p", {}, ...words).textContent ?? "";

/** When the state has moved, and when it will not. @param {Lab} lab */
export function answered(lab) {
  const { gate, player } = lab;
  const { note, error, gradients } = lab.model.get("state");
  if (gate.leads || (!gate.busy && !lab.drag)) lab.ahead = {};
  if (gate.lost || note || error) player.pause();
  if (lab.loose && !gate.busy) {
    lab.painter.refit();
    lab.loose = false;
  }
  show(lab);
  if (lab.owed && !gate.busy) speak(lab);
  // A kernel's answers to a moving hand are short. When it rests, the page asks for what they left out, so
  // that a notebook saved then has everything.
  clearTimeout(lab.resting);
  if (lab.trained && !gate.busy && !gate.lost && !gradients)
    lab.resting = window.setTimeout(() => gate.ask({ do: "look", quiet: true }), REST_MS);
}
