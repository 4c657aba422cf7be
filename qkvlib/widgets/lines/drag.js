/* Drag lines with a pointer, or tap them. */

import { set } from "../kit/dom.js";
import { change, letterOf, toggle } from "./moves.js";
import { placeAt, put, without } from "./order.js";
import { lineOf } from "./parts.js";

/** @import { Parts } from "./parts.js" */

const FAR = 4; // pixels; a press that moves further is a drag

/** @typedef {{ letter: string, from: PointerEvent, far: boolean }} Drag */

/** @param {Parts} parts */
export function listenToDrags(parts) {
  const { lists } = parts;
  /** @type {Drag | null} */
  let drag = null;
  let dragged = false; // the end of a drag is not a click
  lists.addEventListener("pointerdown", (event) => {
    const letter = letterOf(event);
    dragged = false;
    if (!letter || event.button || drag) return;
    // A finger on a line may want to scroll the page, so a finger drags by the grip.
    const grip = /** @type {Element} */ (event.target).closest(".lines-grip");
    if (event.pointerType !== "touch" || grip) drag = { letter, from: event, far: false };
  });
  lists.addEventListener("pointermove", (event) => {
    if (!drag || !isFar(drag, event)) return;
    if (!drag.far) {
      drag.far = dragged = true;
      lists.setPointerCapture(event.pointerId);
      set(lineOf(parts, drag.letter).handle, { "data-held": true });
    }
    move(parts, drag.letter, event);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    lists.addEventListener(end, () => {
      if (!drag) return;
      const { letter, far } = drag;
      drag = null;
      letGo(parts, letter, far);
    });
  lists.addEventListener("click", (event) => {
    const letter = letterOf(event);
    if (letter && !(dragged && event.detail)) toggle(parts, letter);
  });
}

/** @param {Drag} drag @param {PointerEvent} event */
const isFar = ({ from, far }, { clientX, clientY }) =>
  far || Math.hypot(clientX - from.clientX, clientY - from.clientY) > FAR;

/**
 * Put a line at the pointer.
 * @param {Parts} parts
 * @param {string} letter
 * @param {PointerEvent} event
 */
function move(parts, letter, event) {
  const { program, model } = parts;
  const { order } = model.get("state");
  const { handle } = lineOf(parts, letter);
  const others = [...program.querySelectorAll(".lines-line")].filter((one) => one !== handle);
  const middles = others.map((one) => {
    const { top, height } = one.getBoundingClientRect();
    return top + height / 2;
  });
  if (isOverProgram(program, event)) change(parts, put(order, letter, placeAt(event.clientY, middles)));
  else change(parts, without(order, letter));
}

/** @param {HTMLElement} program @param {PointerEvent} event */
function isOverProgram(program, { clientX, clientY }) {
  const box = /** @type {HTMLElement} */ (program.parentElement).getBoundingClientRect();
  return clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
}

/** @param {Parts} parts @param {string} letter @param {boolean} far */
function letGo(parts, letter, far) {
  const { handle } = lineOf(parts, letter);
  set(handle, { "data-held": false });
  if (!far) return;
  handle.focus();
  parts.announce(`The letters are ${parts.model.get("state").order || "none"}.`);
}
