/* The lines of a puzzle, their two lists, and how a program is shown. */

import { followFinger, inFocus, make, say, set } from "../kit/dom.js";

/** @import { Gate } from "../kit/owner.js" */
/** @import { AnyModel } from "@anywidget/types" */

/**
 * @typedef {object} Line  what a line reads and makes; `makes` has a shape's number, or what stops it
 * @property {string[]} reads
 * @property {string[]} writes
 * @property {Record<string, number | string>} makes
 *
 * @typedef {object} Setup
 * @property {[string, string][]} lines  each letter and its code
 * @property {{ shapes: string[], lines: Record<string, Line> }} table
 *
 * @typedef {{ order: string, made: string[] }} State  made: as far as the program runs
 *
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

const HELP =
  "Drag a line into the program, or press Enter on it. " +
  "In the program the up and down keys with Shift move a line, and Delete takes it out.";

/**
 * @param {AnyModel<{ setup: Setup, state: State, shown: {} }>} model @param {HTMLElement} root
 * @param {Gate} gate @param {(text: string) => void} announce
 */
export function makeParts(model, root, gate, announce) {
  const each = model.get("setup").lines;
  return {
    ...{ model, root, gate, announce },
    lines: new Map(each.map(([letter, code]) => [letter, makeLine(letter, code)])),
    pool: make("ul", { class: "lines-list" }),
    program: make("ol", { class: "lines-list lines-program" }),
    empty: make("p", { class: "lines-empty" }, "Your program is empty. Drag a line here."),
    letters: make("output", { class: "lines-letters" }),
    clear: make("button", { type: "button" }, "Start again"),
    /** Both lists with their titles. */
    lists: make("div", { class: "lines-places" }),
  };
}

/** @param {string} letter @param {string} code */
function makeLine(letter, code) {
  const made = make("span", { class: "lines-made" });
  const where = make("span", { class: "qkv-spoken" });
  const grip = make("span", { class: "lines-grip", "aria-hidden": "true" }, "⠿");
  followFinger(grip);
  const handle = make(
    "button",
    { type: "button", class: "lines-line", "data-letter": letter },
    grip,
    make("span", { class: "qkv-spoken" }, "Line"),
    make("b", {}, letter),
    make("code", {}, code),
    made,
    where,
  );
  return { made, where, handle, item: make("li", {}, handle) };
}

/** Lay out the parts. @param {Parts} parts */
export function layOut({ root, pool, program, empty, letters, clear, lists }) {
  lists.append(
    make("section", { "aria-label": "Lines" }, make("h3", {}, "Lines"), pool),
    make(
      "section",
      { "aria-label": "Your program" },
      make("h3", {}, "Your program, and the shape that each line makes"),
      program,
      empty,
    ),
  );
  const foot = make(
    "p",
    { class: "lines-foot" },
    make("span", {}, "Its letters: ", letters),
    clear,
    make("span", { class: "lines-help" }, HELP),
  );
  root.prepend(lists, foot);
}

/** @param {Parts} parts @param {string} letter */
export const lineOf = ({ lines }, letter) => /** @type {ReturnType<typeof makeLine>} */ (lines.get(letter));

/** @param {Parts} parts */
export function show(parts) {
  const { root, lines, program, pool } = parts;
  const { order, made } = parts.model.get("state");
  const focused = inFocus(root);
  fill(parts, program, [...order]);
  fill(
    parts,
    pool,
    [...lines.keys()].filter((letter) => !order.includes(letter)),
  );
  for (const [letter, line] of lines) {
    const place = order.indexOf(letter);
    const result = place < 0 ? "" : (made[place] ?? "does not run");
    say(line.made, result);
    set(line.made, { "data-stops": place >= 0 && !result.startsWith("[") });
    say(line.where, place < 0 ? "" : `number ${place + 1} of ${order.length}`);
  }
  parts.empty.hidden = order.length > 0;
  say(parts.letters, order || "none yet");
  parts.clear.disabled = !order;
  // A line that moves to the other list loses the focus.
  if (focused instanceof HTMLElement && root.contains(focused)) focused.focus();
}

/**
 * Move only the lines that are in the wrong place.
 * @param {Parts} parts
 * @param {HTMLElement} list
 * @param {string[]} wanted
 */
function fill(parts, list, wanted) {
  for (const [i, letter] of wanted.entries()) {
    const { item } = lineOf(parts, letter);
    if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
  }
}
