/* Move the weights: by dragging, with keys and by typing. */

import { inFocus, make, set } from "../kit/dom.js";
import { cellOf, lookAgain, movable, moved, numberIn, refuse, showWalk, speak } from "./drawing.js";
import { isTrained } from "./graph.js";
import { spokenName } from "./names.js";
import { heldWords, typedWords } from "./words.js";

/** @import { Lab } from "./index.js" */
/** @import { Place } from "./numbers.js" */

const STEP_SIZE = 0.05;
const DRAG_PIXELS = 100; // how many pixels change a weight by 1

/** Return the place of an event's cell. @param {EventTarget | null} target @returns {Place | null} */
function placeOf(target) {
  const at = target instanceof Element && target.closest("[data-at]")?.getAttribute("data-at")?.split(" ");
  return at ? { name: at[0], i: Number(at[1]), j: Number(at[2]) } : null;
}

/** Tell whether the learner may move a matrix; if not, say why. @param {Lab} lab @param {string} name */
function mayMove(lab, name) {
  const may = movable(lab, name);
  if (!may) refuse(lab, () => heldWords(lab.view, name));
  return may;
}

/** Set a weight. @param {Lab} lab @param {Place} place @param {number} wish */
function move(lab, place, wish) {
  if (!mayMove(lab, place.name)) return;
  lab.player.pause();
  const { limit } = lab.setup;
  const value = Math.round(10000 * Math.min(Math.max(wish, -limit), limit)) / 10000;
  const key = `${place.name} ${lab.head} ${place.i} ${place.j}`;
  lab.gate.edit({ [key]: value }, lab.gesture);
}

/** The learner has let go: the colours may be scaled to the numbers again. @param {Lab} lab */
export function rest(lab) {
  lab.loose = true;
  moved(lab);
}

/** Hide a score, or show it again. @param {Lab} lab @param {Place} place */
function toggleMask(lab, { name, i, j }) {
  if (name === "scores" && mayMove(lab, "mask")) lab.gate.ask({ do: "mask", choice: [i, j] });
}

/**
 * The picture's reactions to pointing, dragging and typing.
 * @type {Record<string, (lab: Lab, event: any, place: Place | null) => void>}
 */
const HAND = {
  pointerover(lab, { buttons }, place) {
    if (lab.drag || (!place && !lab.pointed)) return;
    if (!buttons) lab.refused = null;
    lab.pointed = place;
    lookAgain(lab);
    showWalk(lab);
  },
  pointerleave(lab) {
    lab.pointed = lab.refused = null;
    if (!lab.drag) lookAgain(lab);
  },
  focusin(lab, _, place) {
    if (!place) return;
    lab.focused = place;
    lab.pointed = lab.refused = null;
    lab.matrices[place.name].stopAt(place.i, place.j);
    lookAgain(lab);
    showWalk(lab);
    speak(lab);
  },
  focusout(lab) {
    lab.focused = lab.refused = null;
    lookAgain(lab);
  },
  click(lab, _, place) {
    if (place) toggleMask(lab, place);
  },
  pointerdown(lab, event, place) {
    if (!isWeight(event, place) || event.button !== 0) return;
    const cell = cellOf(lab, place);
    event.preventDefault();
    cell.focus({ preventScroll: true });
    if (!mayMove(lab, place.name)) return;
    lab.refused = null;
    lab.flash([]);
    cell.setPointerCapture(event.pointerId);
    lab.gesture++;
    lab.drag = { place, value: numberIn(lab, place), way: wayOf(lab, event), moved: false };
    set(cell, { "data-dragging": true });
  },
  pointermove(lab, event) {
    const { drag } = lab;
    if (!drag) return;
    const way = wayOf(lab, event) - drag.way;
    if (!drag.moved && Math.abs(way) < 3) return;
    drag.moved = true;
    const value = drag.value + ((event.shiftKey ? 10 : 1) * way) / DRAG_PIXELS;
    move(lab, drag.place, Math.round(100 * value) / 100);
  },
  lostpointercapture(lab) {
    if (!lab.drag) return;
    set(cellOf(lab, lab.drag.place), { "data-dragging": null });
    lab.drag = null;
    rest(lab);
    speak(lab);
  },
  dblclick(lab, event, place) {
    if (isWeight(event, place)) typeInto(lab, place);
  },
  keydown(lab, event, place) {
    const command = event.ctrlKey || event.metaKey || event.altKey;
    if (!place || command || event.target instanceof HTMLInputElement) return;
    if (!event.repeat) lab.refused = null;
    if (press(lab, place, event)) event.preventDefault();
  },
  keyup(lab, _, place) {
    if (place && isTrained(place.name)) rest(lab);
  },
};

/** Listen to everything that a learner can do. @param {Lab} lab */
export function listen(lab) {
  for (const [name, react] of Object.entries(HAND))
    lab.picture.addEventListener(name, (event) => react(lab, event, placeOf(event.target)), {
      passive: false,
    });
}

/**
 * Return how far the pointer has moved: upwards, or along the rail in the view Both.
 * @param {Lab} lab
 * @param {PointerEvent} event
 */
const wayOf = ({ view }, event) => (view === "both" ? event.clientX : -event.clientY);

/**
 * Tell whether an event is about a weight, and not about the number that is being typed into it.
 * @param {Event} event @param {Place | null} place @returns {place is Place}
 */
const isWeight = ({ target }, place) =>
  place !== null && isTrained(place.name) && !(target instanceof HTMLInputElement);

/**
 * Set a weight by a key, and announce the result.
 * @param {Lab} lab @param {Place} place @param {number} wish
 */
function jump(lab, place, wish) {
  move(lab, place, wish);
  speak(lab);
}

/**
 * Do what a key stands for, if it has a meaning here.
 * @param {Lab} lab @param {Place} place @param {KeyboardEvent} event
 */
function press(lab, place, event) {
  const { key, shiftKey } = event;
  const next = beside(lab, place, key);
  const weight = isTrained(place.name);
  const enter = key === "Enter" && !shiftKey;
  const up = { ArrowUp: 1, ArrowDown: -1 }[key];
  if (next) {
    cellOf(lab, next).focus();
  } else if (weight && up) {
    if (!event.repeat) lab.gesture++;
    const step = up * (shiftKey ? 10 : 1) * STEP_SIZE;
    jump(lab, place, Math.round(1000 * (numberIn(lab, place) + step)) / 1000);
  } else if (weight && key === "0") {
    lab.gesture++;
    jump(lab, place, 0);
  } else if (weight && /^[1-9.,+-]$/.test(key)) {
    typeInto(lab, place, key === "." || key === "," ? "0." : key);
  } else if (weight && enter) {
    typeInto(lab, place);
  } else if (place.name === "scores" && (key === " " || enter)) {
    toggleMask(lab, place);
  } else return false;
  return true;
}

/**
 * Return where an arrow key leads within a matrix.
 * @param {Lab} lab @param {Place} place @param {string} key
 * @returns {Place | null}
 */
function beside(lab, { name, i, j }, key) {
  const [rows, cols] = lab.setup.sizes[name];
  const by = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-1, 0],
    PageDown: [1, 0],
    ...(isTrained(name) && movable(lab, name) ? {} : { ArrowUp: [-1, 0], ArrowDown: [1, 0] }),
    Home: [0, -j],
    End: [0, cols - 1 - j],
  }[key];
  if (!by) return null;
  return {
    name,
    i: Math.min(Math.max(i + by[0], 0), rows - 1),
    j: Math.min(Math.max(j + by[1], 0), cols - 1),
  };
}

/** Type a number over a weight. @param {Lab} lab @param {Place} place @param {string} [text] */
function typeInto(lab, place, text) {
  if (!mayMove(lab, place.name)) return;
  const cell = cellOf(lab, place);
  const input = make("input", {
    class: "lab-input",
    type: "text",
    inputmode: "decimal",
    "aria-label": `new value of ${spokenName(place, lab.setup)}`,
  });
  input.value = text ?? String(Number(numberIn(lab, place).toFixed(4)));
  cell.append(input);
  input.focus();
  if (text === undefined) input.select();
  let open = true;
  /** @param {boolean} keep */
  const close = (keep) => {
    if (!open) return;
    open = false;
    const typed = input.value.trim();
    const wish = Number(typed.replace(",", ".").replace("−", "-"));
    const had = inFocus(input) === input;
    input.remove();
    const { limit } = lab.setup;
    const fits = Math.abs(wish) <= limit;
    if (keep && typed && fits) {
      lab.gesture++;
      move(lab, place, wish);
      rest(lab);
    }
    if (had) cell.focus();
    if (keep && typed && !fits) refuse(lab, () => typedWords(typed, limit));
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === "Escape") {
      event.preventDefault();
      close(event.key === "Enter");
    }
    if (event.key !== "Tab") event.stopPropagation();
  });
  input.addEventListener("blur", () => close(true));
}
