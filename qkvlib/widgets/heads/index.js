import { watchSize } from "../kit/dom.js";
import { asking } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { makeInks } from "../kit/maps.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { layOut, makeHeads } from "./parts.js";
import { pick, show } from "./picture.js";
import { makeProgram } from "./program.js";

/** @import { Opening } from "../kit/kernel.js" */
/** @import { Given, Heads } from "./parts.js" */

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const label = "Attention, head by head";
  const shown = () => show(heads);
  /** @type {Opening} */
  const open = model.get("setup").film ? owning(makeProgram) : asking;
  const { root, gate, ended, unmount } = mount(given, "heads", label, shown, open);
  const announce = announcer(root, ended);
  const inks = makeInks(root, ended, shown);
  const heads = makeHeads({ model, root, gate, announce, inks });
  layOut(heads);
  listen(heads);
  watchSize(root, ended, shown);
  show(heads);
  return unmount;
}

/** @param {Heads} heads */
function listen(heads) {
  const { svg } = heads;
  svg.addEventListener("pointermove", (event) => {
    const node = /** @type {Element} */ (event.target).closest(".heads-node");
    if (!node) return;
    const side = /** @type {any} */ (node.getAttribute("data-side"));
    pick(heads, { side, index: Number(node.getAttribute("data-index")) });
  });
  svg.addEventListener("pointerleave", () => pick(heads, null));
  svg.addEventListener("blur", () => pick(heads, null));
  svg.addEventListener("keydown", (event) => pressKey(heads, /** @type {KeyboardEvent} */ (event)));
}

/** Move from word to word with the arrow keys. @param {Heads} heads @param {KeyboardEvent} event */
function pressKey(heads, event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const { kind, picked, setup, model } = heads;
  const [rows, columns] = setup.examples[model.get("state").example];
  const count = rows.length + (kind === "graph" ? 0 : columns.length);
  const before = by > 0 ? -1 : count;
  const at = picked ? picked.index + (picked.side === "row" ? 0 : rows.length) : before;
  const next = (at + by + count) % count;
  const isRow = next < rows.length;
  pick(heads, {
    side: isRow ? "row" : "column",
    index: isRow ? next : next - rows.length,
  });
}

export default { initialize, render };
