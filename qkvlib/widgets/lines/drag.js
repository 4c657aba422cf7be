/* Drag lines with a pointer, or tap them. */

import { set } from "../kit/dom.js";
import { change, letterOf, placeAt, put, toggle, without } from "./moves.js";
import { lineOf } from "./parts.js";

/** @import { Parts } from "./parts.js" */

const FAR = 4; // pixels; a press that moves further is a drag

/** @param {Parts} parts */
export function listenToDrags(parts) {
  const { lists } = parts;
  /** @type {{ letter: string, from: PointerEvent, far: boolean } | null} */
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
    if (!drag) return;
    const { letter, from } = drag;
    if (!drag.far) {
      if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) <= FAR) return;
      drag.far = dragged = true;
      lists.setPointerCapture(event.pointerId);
      set(lineOf(parts, letter).handle, { "data-held": true });
    }
    move(parts, letter, event);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    lists.addEventListener(end, () => {
      if (drag?.far) letGo(parts, drag.letter);
      drag = null;
    });
  lists.addEventListener("click", (event) => {
    const letter = letterOf(event);
    if (letter && !(dragged && event.detail)) toggle(parts, letter);
  });
}

/** Put a line at the pointer. @param {Parts} parts @param {string} letter @param {PointerEvent} event */
function move(parts, letter, { clientX, clientY }) {
  const { program, model } = parts;
  const { order } = model.get("state");
  const { handle } = lineOf(parts, letter);
  const others = [...program.querySelectorAll(".lines-line")].filter((one) => one !== handle);
  const middles = others.map((one) => {
    const { top, height } = one.getBoundingClientRect();
    return top + height / 2;
  });
  const box = /** @type {HTMLElement} */ (program.parentElement).getBoundingClientRect();
  const over = clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
  change(parts, over ? put(order, letter, placeAt(clientY, middles)) : without(order, letter));
}

/** @param {Parts} parts @param {string} letter */
function letGo(parts, letter) {
  const { handle } = lineOf(parts, letter);
  set(handle, { "data-held": false });
  handle.focus();
  parts.announce(`The letters are ${parts.model.get("state").order || "none"}.`);
}
