import { followFinger, inFocus, make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { announcer, mount } from "../kit/page.js";
import { makeLocal } from "./local.js";
import { placeAt, put, without } from "./order.js";

/** @import { RenderProps } from "@anywidget/types" */

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
 */

const HELP =
  "Drag a line into the program, or press Enter on it. " +
  "In the program the up and down keys with Shift move a line, and Delete takes it out.";
const FAR = 4; // pixels after which a press is a drag

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const local = makeLocal(setup, model.get("state"));
  const { root, gate, ended, unmount } = mount(given, "lines", "Lines to put in order", show, {
    local,
  });
  const announce = announcer(root, ended);

  const pool = make("ul", { class: "lines-list" });
  const program = make("ol", { class: "lines-list lines-program" });
  const empty = make("p", { class: "lines-empty" }, "Your program is empty. Drag a line here.");
  const letters = make("output", { class: "lines-letters" });
  const clear = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button" }, "Start again")
  );
  const lines = new Map(
    setup.lines.map(([letter, code]) => {
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
      return [letter, { made, where, handle, item: make("li", {}, handle) }];
    }),
  );
  const places = make(
    "div",
    { class: "lines-places" },
    make("section", { "aria-label": "Lines" }, make("h3", {}, "Lines"), pool),
    make(
      "section",
      { "aria-label": "Your program" },
      make("h3", {}, "Your program, and the shape that each line makes"),
      program,
      empty,
    ),
  );
  root.prepend(
    places,
    make(
      "p",
      { class: "lines-foot" },
      make("span", {}, "Its letters: ", letters),
      clear,
      make("span", { class: "lines-help" }, HELP),
    ),
  );

  const order = () => model.get("state").order;

  /** @param {string} next @param {string} [said] */
  function change(next, said) {
    if (next === order()) return;
    gate.ask({ do: "order", choice: next });
    if (said) announce(said);
  }

  function show() {
    const { order: now, made } = model.get("state");
    const focused = inFocus(root);
    lay(program, [...now]);
    lay(
      pool,
      [...lines.keys()].filter((letter) => !now.includes(letter)),
    );
    for (const [letter, line] of lines) {
      const place = now.indexOf(letter);
      const result = place < 0 ? "" : (made[place] ?? "does not run");
      say(line.made, result);
      set(line.made, { "data-stops": place >= 0 && !result.startsWith("[") });
      say(line.where, place < 0 ? "" : `place ${place + 1} of ${now.length}`);
    }
    empty.hidden = now.length > 0;
    say(letters, now || "none yet");
    clear.disabled = !now;
    // A line that moves to the other list loses the focus on its way.
    if (focused instanceof HTMLElement && root.contains(focused)) focused.focus();
  }

  /** Only what stands wrong is moved. @param {HTMLElement} list @param {string[]} wanted */
  function lay(list, wanted) {
    for (const [i, letter] of wanted.entries()) {
      const { item } = /** @type {{ item: HTMLElement }} */ (lines.get(letter));
      if (list.children[i] !== item) list.insertBefore(item, list.children[i] ?? null);
    }
  }

  /** @param {EventTarget | null} target */
  const letterOf = (target) =>
    /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(".lines-line"))
      ?.dataset.letter;

  /** @param {string} letter */
  function toggle(letter) {
    const now = order();
    if (now.includes(letter)) change(without(now, letter), `Line ${letter} is out.`);
    else place(letter, now.length);
  }

  /** @param {string} letter @param {number} where */
  function place(letter, where) {
    const next = put(order(), letter, where);
    change(next, `Line ${letter} is in place ${next.indexOf(letter) + 1} of ${next.length}.`);
  }

  /** @type {{ letter: string, from: PointerEvent, far: boolean } | null} */
  let drag = null;
  let dragged = false; // a drag's end is no click
  places.addEventListener("pointerdown", (event) => {
    const letter = letterOf(event.target);
    dragged = false;
    if (!letter || event.button || drag) return;
    // A finger on a line may want to scroll the page: it drags by the grip.
    const grip = /** @type {Element} */ (event.target).closest(".lines-grip");
    if (event.pointerType !== "touch" || grip) drag = { letter, from: event, far: false };
  });
  places.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const { letter, from, far } = drag;
    const { handle } = /** @type {{ handle: HTMLElement }} */ (lines.get(letter));
    if (!far) {
      if (Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) <= FAR) return;
      drag.far = dragged = true;
      places.setPointerCapture(event.pointerId);
      set(handle, { "data-held": true });
    }
    const others = [...program.querySelectorAll(".lines-line")].filter((one) => one !== handle);
    const middles = others.map((one) => {
      const { top, height } = one.getBoundingClientRect();
      return top + height / 2;
    });
    if (isOverProgram(event)) change(put(order(), letter, placeAt(event.clientY, middles)));
    else change(without(order(), letter));
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"]) {
    places.addEventListener(end, () => {
      if (!drag) return;
      const { letter, far } = drag;
      drag = null;
      const { handle } = /** @type {{ handle: HTMLElement }} */ (lines.get(letter));
      set(handle, { "data-held": false });
      if (!far) return;
      handle.focus();
      announce(`The letters are ${order() || "none"}.`);
    });
  }
  places.addEventListener("click", (event) => {
    const letter = letterOf(event.target);
    if (letter && !(dragged && event.detail)) toggle(letter);
  });

  /** @param {PointerEvent} event */
  function isOverProgram({ clientX, clientY }) {
    const box = /** @type {HTMLElement} */ (program.parentElement).getBoundingClientRect();
    return (
      clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom
    );
  }

  root.addEventListener("keydown", (event) => {
    const letter = letterOf(event.target);
    if (!letter) return;
    const at = order().indexOf(letter);
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (["Delete", "Backspace"].includes(event.key) && at >= 0) toggle(letter);
    else if (by && event.shiftKey && at >= 0) place(letter, at + by);
    else if (by) step(letter, by);
    else return;
    event.preventDefault();
  });

  /** To the line above or below, in the same list. @param {string} letter @param {number} by */
  function step(letter, by) {
    const { item } = /** @type {{ item: HTMLElement }} */ (lines.get(letter));
    const next = by < 0 ? item.previousElementSibling : item.nextElementSibling;
    /** @type {HTMLElement | null} */ (next?.querySelector("button") ?? null)?.focus();
  }

  clear.addEventListener("click", () => change("", "The program is empty."));

  show();
  return unmount;
}

export default { initialize, render };
