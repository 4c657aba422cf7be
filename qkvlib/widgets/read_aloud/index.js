import { make, say, set, watchSize } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { asking } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { makeInks, makeMap } from "../kit/maps.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { fixed, quoted } from "../kit/words.js";
import { makeProgram } from "./program.js";

/** @import { GoalSetup } from "../kit/goal_strip.js" */
/** @import { NumberMap } from "../kit/maps.js" */
/** @import { Opening } from "../kit/kernel.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {object} State
 * @property {string} word
 * @property {string[]} rows  the sounds, and the end
 * @property {string[]} columns  the letters, and the end
 * @property {number[]} weights
 * @property {string | null} verdict  what the dictionary says, once Python has told it
 * @property {string} refused  why the last word could not be read
 * @property {{ met: string, share: number, words: string }} [goal]  met: the word that met it
 *
 * @typedef {object} Setup
 * @property {Record<string, string>} as_in  a word with each sound
 * @property {{ weights: DataView, n_heads: number }} model  the one that ships; none, if another reads
 * @property {GoalSetup | null} goal
 */

const WRITTEN = 0.05; // a smaller weight shows its colour, but no number
const MOST_CELLS = 400;
const CELL = 29; // pixels, for a number; a narrower column shows only colours
const BESIDE = 44; // pixels, for the names of the sounds

const NO_DICTIONARY = "(The dictionary is not on this page.)";
const AT_REST =
  "Each row is a sound that asks, each column a letter that answers. Point at a cell to read it.";

/**
 * @typedef {RenderProps<{ setup: Setup, state: State, shown: {} }>} Given
 *
 * @typedef {ReturnType<typeof makeReading>} Reading
 */

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const shown = () => show(reading);
  /** @type {Opening} */
  const open = model.get("setup").model ? owning(makeProgram) : asking;
  const { root, gate, ended, unmount } = mount(given, "aloud", "Letters and sounds", shown, open);
  const announce = announcer(root, ended);
  const reading = makeReading({ model, root, announce, inks: makeInks(root, ended, shown) });
  const { strip, form, refused, sounds, box, words } = reading;
  root.prepend(...(strip ? [strip.strip] : []), form, refused, sounds, box, words);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    gate.ask({ edit: { word: reading.field.value } });
    reading.field.select();
  });
  watchSize(root, ended, shown);
  show(reading);
  return unmount;
}

/**
 * @param {{ model: Given["model"], root: HTMLElement, announce: (text: string) => void,
 * inks: ReturnType<typeof makeInks> }} lent  what the kit lends the widget
 */
function makeReading(lent) {
  const { goal } = lent.model.get("setup");
  const id = `qkv-${Math.random().toString(36).slice(2)}`;
  const typing = { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false" };
  const field = make("input", { class: "qkv-field", ...typing });
  return {
    ...{ ...lent, id, field },
    strip: goal && goalStrip(goal, false),
    refused: make("p", { class: "aloud-refused", id, role: "alert" }),
    form: make(
      "form",
      { class: "aloud-form" },
      make("label", {}, "A word, or a name: ", field),
      make("button", { class: "qkv-main" }, "Show its sounds"),
    ),
    sounds: make("p", { class: "aloud-said", role: "status", "data-computed": true }),
    box: make("div", { class: "aloud-map", "data-computed": true }),
    words: make("p", { class: "aloud-words" }),
    /** @type {NumberMap | null} */
    map: null,
    /** The word and the width that the map was made for. */
    drawn: "",
  };
}

/** @param {Reading} reading */
function show(reading) {
  const { root, refused, field, strip } = reading;
  if (!root.isConnected) return;
  const state = reading.model.get("state");
  const inks = reading.inks();
  const drawn = `${state.word} ${root.clientWidth}`;
  if (reading.drawn !== drawn) layMap(reading, state);
  if (!reading.drawn) field.value = state.word;
  reading.drawn = drawn;
  reading.map?.show(state.weights, 0, inks, (share) => (share >= WRITTEN ? fixed(share) : ""));
  say(refused, state.refused);
  refused.hidden = !state.refused;
  set(field, {
    "aria-invalid": state.refused ? "true" : null,
    "aria-describedby": state.refused ? reading.id : null,
  });
  const verdict = state.verdict ?? ("alone" in reading.model ? NO_DICTIONARY : "");
  say(reading.sounds, `${state.word}: ${state.rows.slice(0, -1).join(" ")}. ${verdict}`);
  if (strip && state.goal) strip.show({ ...state.goal, met: Boolean(state.goal.met) });
}

/** Make a new map for a new word or a new width. @param {Reading} reading @param {State} state */
function layMap(reading, { word, rows, columns }) {
  const { root, box, words } = reading;
  const map = makeMap({
    rows: rows.length,
    columns: columns.length,
    scale: "weight",
    label: `Cross-attention of ${word}: a row for each sound, a column for each letter`,
    rowNames: rows,
    columnNames: columns,
    most: MOST_CELLS,
    cell: CELL,
    room: root.clientWidth - BESIDE,
    point: (row, column) => point(reading, row, column),
    leave: () => {
      map.mark(null);
      say(words, AT_REST);
    },
  });
  reading.map = map;
  box.style.setProperty("--letters", String(columns.length));
  box.style.setProperty("--sounds", String(rows.length));
  box.replaceChildren(map.element);
  say(words, AT_REST);
}

/** @param {Reading} reading @param {number} row @param {number} column */
function point({ model, map, words, announce }, row, column) {
  const { rows, columns, weights } = model.get("state");
  const { as_in: examples } = model.get("setup");
  map?.mark(row, column);
  const share = fixed(weights[row * columns.length + column]);
  const sound = row === rows.length - 1 ? "The end" : `${rows[row]}, as in ${examples[rows[row]]},`;
  const letter =
    column === columns.length - 1 ? "the end of the word" : `the letter ${quoted(columns[column])}`;
  const text = `${sound} gives ${letter} the weight ${share}.`;
  say(words, text);
  announce(text);
}

export default { initialize, render };
