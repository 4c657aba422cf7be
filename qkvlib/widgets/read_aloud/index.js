import { make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { makeMap, readInks } from "../kit/maps.js";
import { announcer, mount } from "../kit/page.js";
import { fixed, quoted } from "../kit/words.js";
import { makeLocal } from "./local.js";

/** @import { GoalSetup, Standing } from "../kit/goal.js" */

/** @import { Inks, NumberMap } from "../kit/maps.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {object} State
 * @property {string} word
 * @property {string[]} rows  the sounds, and the end
 * @property {string[]} columns  the letters, and the end
 * @property {number[]} weights
 * @property {string} verdict  what the dictionary says
 * @property {string} refused  why the last word could not be read
 * @property {Standing} [goal]
 *
 * @typedef {object} Setup
 * @property {Record<string, string>} as_in  a word with each sound
 * @property {{ weights: DataView, n_heads: number } | false} model  the one that ships, if it reads
 * @property {GoalSetup | null} goal
 */

const WRITTEN = 0.05; // smaller weights are seen by their colour, without a number
const MOST_CELLS = 400;
const CELL = 29; // of a number; where a column has less room, colours alone are shown
const BESIDE = 44; // the sounds' names

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const local = makeLocal(setup, model.get("state"));
  const { root, gate, ended, unmount } = mount(given, "aloud", "Letters and sounds", show, {
    local,
    spare: true, // Python has the dictionary, too
  });
  const announce = announcer(root, ended);
  /** @type {Inks | null} */
  let inks = null;
  /** @type {NumberMap | null} */
  let map = null;
  let drawn = "";

  const strip = setup.goal && goalStrip(setup.goal);
  const id = `qkv-${Math.random().toString(36).slice(2)}`;
  const refused = make("p", { class: "aloud-refused", id, role: "alert" });
  const field = /** @type {HTMLInputElement} */ (
    make("input", {
      type: "text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    })
  );
  const form = make(
    "form",
    { class: "aloud-form" },
    make("label", {}, "A word, or a name: ", field),
    make("button", { class: "qkv-main" }, "Show its sounds"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    gate.ask({ do: "read", choice: field.value });
    field.select();
  });
  const said = make("p", { class: "aloud-said", role: "status", "data-computed": true });
  const box = make("div", { class: "aloud-map", "data-computed": true });
  const words = make("p", { class: "aloud-words" });
  root.prepend(...(strip ? [strip.strip] : []), form, refused, said, box, words);

  const present = () => model.get("state");
  /** What a map is made for. @param {string} word */
  const keyOf = (word) => `${word} ${root.clientWidth}`;

  function show() {
    if (!root.isConnected) return;
    const state = present();
    inks ??= readInks(root);
    if (drawn !== keyOf(state.word)) lay(state);
    map?.show(state.weights, 0, inks, (share) => (share >= WRITTEN ? fixed(share) : ""));
    say(refused, state.refused);
    refused.hidden = !state.refused;
    set(field, {
      "aria-invalid": state.refused ? "true" : null,
      "aria-describedby": state.refused ? id : null,
    });
    say(said, `${state.word}: ${state.rows.slice(0, -1).join(" ")}. ${state.verdict}`);
    if (strip && state.goal) strip.show(state.goal);
  }

  /** A new word, or another width: another map. @param {State} state */
  function lay({ word, rows, columns }) {
    if (!drawn) field.value = word;
    drawn = keyOf(word);
    map = makeMap({
      rows: rows.length,
      columns: columns.length,
      scale: "weight",
      label: `Cross-attention of ${word}: a row for each sound, a column for each letter`,
      rowNames: rows,
      columnNames: columns,
      most: MOST_CELLS,
      cell: CELL,
      room: root.clientWidth - BESIDE,
      point,
      leave: () => {
        map?.mark(null);
        rest();
      },
    });
    box.style.setProperty("--letters", String(columns.length));
    box.style.setProperty("--sounds", String(rows.length));
    box.replaceChildren(map.element);
    rest();
  }

  function rest() {
    say(
      words,
      "Each row is a sound that asks, each column a letter that answers. Point at a cell to read it.",
    );
  }

  /** @param {number} row @param {number} column */
  function point(row, column) {
    const { rows, columns, weights } = present();
    map?.mark(row, column);
    const share = fixed(weights[row * columns.length + column]);
    const sound =
      row === rows.length - 1 ? "The end" : `${rows[row]}, as in ${setup.as_in[rows[row]]},`;
    const letter =
      column === columns.length - 1
        ? "the end of the word"
        : `the letter ${quoted(columns[column])}`;
    const text = `${sound} gives ${letter} the weight ${share}.`;
    say(words, text);
    announce(text);
  }

  const watcher = new MutationObserver(() => {
    inks = null;
    show();
  });
  watcher.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  const sizer = new ResizeObserver(show);
  sizer.observe(root);
  ended.addEventListener("abort", () => {
    watcher.disconnect();
    sizer.disconnect();
  });
  show();
  return unmount;
}

export default { initialize, render };
