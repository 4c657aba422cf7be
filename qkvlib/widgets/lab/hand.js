/* A hand on the weights: it drags, turns the wheel, presses keys and types. */

import { make, set } from "../kit/dom.js";
import { isTrained } from "./graph.js";
import { spokenName } from "./names.js";

/** @import { Place, Setup } from "./numbers.js" */

const STEP_SIZE = 0.05;
const DRAG_PIXELS = 100; // a hand's way for a change of 1

/**
 * @typedef {object} Table  what a hand moves, and whom it tells
 * @property {Setup} setup
 * @property {(name: string) => boolean} movable
 * @property {(place: Place) => HTMLElement} cellOf
 * @property {(place: Place) => number} numberIn
 * @property {() => void} begin  a new gesture, which Undo takes back as one
 * @property {(place: Place, wish: number) => void} move
 * @property {(place: Place) => void} toggleMask
 * @property {() => void} show
 * @property {() => void} speak
 * @property {() => void} rest  the hand has let go
 */

/** @param {EventTarget | null} target @returns {Place | null} */
export function placeOf(target) {
  const at =
    target instanceof Element && target.closest("[data-at]")?.getAttribute("data-at")?.split(" ");
  return at ? { name: at[0], i: Number(at[1]), j: Number(at[2]) } : null;
}

/** @param {HTMLElement} picture @param {Table} table */
export function makeHands(
  picture,
  { setup, movable, cellOf, numberIn, begin, move, toggleMask, show, speak, rest },
) {
  /** @type {null | { place: Place, value: number, x: number, y: number, moved: boolean }} */
  let dragging = null;
  let lastWheel = -Infinity;

  /** @param {Place} place @param {string} [text] */
  function typeInto(place, text) {
    if (!movable(place.name)) return;
    const cell = cellOf(place);
    const input = /** @type {HTMLInputElement} */ (
      make("input", {
        class: "lab-input",
        type: "text",
        inputmode: "decimal",
        "aria-label": `new value of ${spokenName(place, setup)}`,
      })
    );
    input.value = text ?? String(Number(numberIn(place).toFixed(4)));
    cell.append(input);
    input.focus();
    if (text === undefined) input.select();
    let open = true;
    /** @param {boolean} keep */
    const close = (keep) => {
      if (!open) return;
      open = false;
      const wish = Number(input.value.trim().replace(",", ".").replace("−", "-"));
      const had = document.activeElement === input;
      input.remove();
      if (keep && input.value.trim() && Number.isFinite(wish)) {
        begin();
        move(place, wish);
        show();
      }
      if (had) cell.focus();
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

  /**
   * Where an arrow key leads within a matrix.
   * @param {Place} place
   * @param {string} key
   * @returns {Place | null}
   */
  function beside({ name, i, j }, key) {
    const [rows, cols] = setup.sizes[name];
    const by = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      PageUp: [-1, 0],
      PageDown: [1, 0],
      ...(isTrained(name) && movable(name) ? {} : { ArrowUp: [-1, 0], ArrowDown: [1, 0] }),
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

  picture.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0 || event.target instanceof HTMLInputElement) return;
    const cell = cellOf(place);
    if (isTrained(place.name) && movable(place.name)) {
      event.preventDefault();
      cell.focus({ preventScroll: true });
      cell.setPointerCapture(event.pointerId);
      begin();
      dragging = {
        place,
        value: numberIn(place),
        x: event.clientX,
        y: event.clientY,
        moved: false,
      };
      set(cell, { "data-dragging": true });
    }
  });
  picture.addEventListener("pointermove", (event) => {
    if (!dragging) return;
    const way = event.clientX - dragging.x - (event.clientY - dragging.y);
    if (!dragging.moved && Math.abs(way) < 3) return;
    dragging.moved = true;
    const value = dragging.value + ((event.shiftKey ? 10 : 1) * way) / DRAG_PIXELS;
    move(dragging.place, Math.round(100 * value) / 100);
  });
  picture.addEventListener("lostpointercapture", () => {
    if (!dragging) return;
    set(cellOf(dragging.place), { "data-dragging": null });
    dragging = null;
    rest();
    speak();
  });
  picture.addEventListener("dblclick", (event) => {
    const place = placeOf(event.target);
    if (place && isTrained(place.name) && !(event.target instanceof HTMLInputElement))
      typeInto(place);
  });
  picture.addEventListener(
    "wheel",
    (event) => {
      const place = placeOf(event.target);
      if (!place || cellOf(place) !== document.activeElement || !isTrained(place.name)) return;
      event.preventDefault();
      if (event.timeStamp - lastWheel > 600) begin();
      lastWheel = event.timeStamp;
      nudge(place, (event.deltaY < 0 ? 1 : -1) * (event.shiftKey ? 10 : 1));
    },
    { passive: false },
  );

  /** @param {Place} place @param {number} steps */
  function nudge(place, steps) {
    move(place, Math.round(1000 * (numberIn(place) + STEP_SIZE * steps)) / 1000);
    show();
    speak();
  }

  picture.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    if (
      !place ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target instanceof HTMLInputElement
    )
      return;
    const next = beside(place, event.key);
    const weight = isTrained(place.name);
    if (next) {
      cellOf(next).focus();
    } else if (weight && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (!event.repeat) begin();
      nudge(place, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
    } else if (weight && event.key === "0") {
      begin();
      move(place, 0);
      show();
      speak();
    } else if (weight && /^[1-9.,+-]$/.test(event.key)) {
      typeInto(place, event.key === "." || event.key === "," ? "0." : event.key);
    } else if (weight && event.key === "Enter" && !event.shiftKey) {
      typeInto(place);
    } else if (
      place.name === "scores" &&
      (event.key === " " || (event.key === "Enter" && !event.shiftKey))
    ) {
      toggleMask(place);
    } else return;
    event.preventDefault();
  });

  return {
    /** The cell that is being dragged, if there is one. */
    held: () => dragging?.place ?? null,
  };
}
