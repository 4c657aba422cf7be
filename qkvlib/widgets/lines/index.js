import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { listenToDrags } from "./drag.js";
import { change, letterOf, place, toggle } from "./moves.js";
import { layOut, lineOf, makeParts, show } from "./parts.js";
import { makeProgram } from "./program.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Parts, Setup, State } from "./parts.js" */

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const shown = () => show(parts);
  const { root, gate, ended, unmount } = mount(
    given,
    "lines",
    "Lines to put in order",
    shown,
    owning(makeProgram),
  );
  const parts = makeParts(model, root, gate, announcer(root, ended));
  layOut(parts);
  listenToDrags(parts);
  root.addEventListener("keydown", (event) => pressKey(parts, event));
  parts.clear.addEventListener("click", () => change(parts, "", "The program is empty."));
  show(parts);
  return unmount;
}

/** @param {Parts} parts @param {KeyboardEvent} event */
function pressKey(parts, event) {
  const letter = letterOf(event);
  if (!letter) return;
  const at = parts.model.get("state").order.indexOf(letter);
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (["Delete", "Backspace"].includes(event.key) && at >= 0) toggle(parts, letter);
  else if (by && event.shiftKey && at >= 0) place(parts, letter, at + by);
  else if (by) step(parts, letter, by);
  else return;
  event.preventDefault();
}

/**
 * Go to the line above or below, in the same list.
 * @param {Parts} parts
 * @param {string} letter
 * @param {number} by
 */
function step(parts, letter, by) {
  const { item } = lineOf(parts, letter);
  const next = by < 0 ? item.previousElementSibling : item.nextElementSibling;
  next?.querySelector("button")?.focus();
}

export default { initialize, render };
