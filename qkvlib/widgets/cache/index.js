import { makeChoice } from "../kit/choice.js";
import { make, makeButton, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { initialize } from "../kit/late_models.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { quoted } from "../kit/words.js";
import { costs, fateOf, makeProgram } from "./compute.js";

/** @import { Setup, State } from "./compute.js" */
/** @import { RenderProps } from "@anywidget/types" */

/**
 * @typedef {"query" | "key" | "value"} Role
 *
 * @typedef {ReturnType<typeof makeParts>} Parts
 */

/**
 * The names for many heads, some heads and one head of keys and values.
 * @param {number} shared
 * @param {number} heads
 */
const nameOf = (shared, heads) =>
  `${shared} ${shared === heads ? "(MHA)" : shared === 1 ? "(MQA)" : "(GQA)"}`;

/** @param {RenderProps<{ setup: Setup, state: State, shown: {} }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const label = "What is computed and what is held while words arrive";
  let moved = false;
  const shown = () => {
    const state = model.get("state");
    show(setup, parts, state);
    if (moved) announce(spoken(setup, state));
  };
  const { root, gate, ended, unmount } = mount(given, "cache", label, shown, owning(makeProgram));
  const announce = announcer(root, ended);
  const parts = makeParts(
    setup,
    (edit) => {
      moved = true;
      gate.ask({ edit });
    },
    () => model.get("state").arrived,
  );
  layOut(parts, root);
  shown();
  return unmount;
}

/**
 * @param {Setup} setup @param {(change: Partial<State>) => void} edit
 * @param {() => number} arrived  how many words have
 */
function makeParts(setup, edit, arrived) {
  const { words, n_heads: heads, keeps, shares, goal } = setup;
  const most = { arrived: words.length, kv_heads: heads };
  return {
    strip: goal && goalStrip(goal, false),
    keep: makeChoice("Kept from round to round", keeps, (i) => edit({ keeps: i })),
    share: makeChoice(
      "Heads of keys and values",
      shares.map((shared) => nameOf(shared, heads)),
      (i) => edit({ kv_heads: shares[i] }),
    ),
    next: makeButton("Next word", () => edit({ arrived: arrived() + 1 }), { class: "qkv-main" }),
    all: makeButton("All words", () => edit({ arrived: words.length })),
    anew: makeButton("Start anew", () => edit({ arrived: 1 })),
    grid: make("div", { class: "cache-grid", role: "img", style: `--words: ${words.length}` }),
    held: makeMeter("numbers held", costs(setup, { ...most, keeps: keeps.length - 1 }).held, goal?.most_held),
    computed: makeMeter(
      "rows of K and V computed in all rounds",
      costs(setup, { ...most, keeps: 0 }).computed,
      goal?.most_computed,
    ),
  };
}

/** Lay out the parts. @param {Parts} parts @param {HTMLElement} root */
function layOut({ strip, keep, share, next, all, anew, grid, held, computed }, root) {
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "cache-tools" },
      make("span", { class: "cache-tool" }, "kept from round to round ", keep.element),
      make("span", { class: "cache-tool" }, "heads of K and V ", share.element),
      make("span", { class: "cache-tool" }, next, all, anew),
    ),
    grid,
    make(
      "p",
      { class: "cache-legend" },
      make("span", { class: "cache-cell", "data-computed-now": true }, " "),
      " computed in this round ",
      make("span", { class: "cache-cell", "data-held": true }, "■"),
      " held for the next one",
      make("span", { class: "cache-cell" }, "·"),
      " not held",
    ),
    held.element,
    computed.element,
  );
}

/** @param {Setup} setup @param {Parts} parts @param {State} state */
function show(setup, parts, state) {
  const { words, n_heads: heads, shares } = setup;
  /** @param {Role} role @param {number} count */
  const rows = (role, count) =>
    Array.from({ length: count }, (_, head) => makeRow(setup, state, role, head)).flat();
  parts.grid.replaceChildren(
    make("span", { class: "cache-name" }),
    ...words.map((word, i) => make("span", { class: "cache-word", "data-arrived": i < state.arrived }, word)),
    ...rows("query", heads),
    ...rows("key", state.kv_heads),
    ...rows("value", state.kv_heads),
  );
  set(parts.grid, { "aria-label": spoken(setup, state) });
  parts.keep.show(state.keeps);
  parts.share.show(shares.indexOf(state.kv_heads));
  parts.next.disabled = parts.all.disabled = state.arrived === words.length;
  parts.anew.disabled = state.arrived === 1;
  parts.held.show(state.held);
  parts.computed.show(state.computed);
  if (parts.strip && state.goal) parts.strip.show(state.goal);
}

/** @param {Setup} setup @param {State} state @param {Role} role @param {number} head */
function makeRow({ words, n_heads: heads }, state, role, head) {
  const at = Math.floor((head * state.kv_heads) / heads) + 1;
  const name = make(
    "span",
    { class: "cache-name" },
    make("span", { class: `qkv-letter qkv-${role}` }, role[0]),
    ` ${head + 1}`,
    ...(role === "query" ? [make("small", {}, ` asks k ${at}`)] : []),
  );
  const cells = words.map((_, word) => {
    const fate = fateOf(state, role, word);
    const past = word < state.arrived;
    return make(
      "span",
      {
        class: "cache-cell",
        "data-role": role,
        "data-computed-now": fate.computed,
        "data-held": fate.held,
      },
      fate.held ? "■" : past ? "·" : "",
    );
  });
  return [name, ...cells];
}

/** @param {Setup} setup @param {State} state */
function spoken({ words, keeps }, state) {
  const again = keeps[state.keeps] === keeps[0] && state.arrived > 1;
  const newest = quoted(words[state.arrived - 1]);
  const round = again
    ? `In this round the rows of all ${state.arrived} words so far are computed.`
    : `In this round only the rows of ${newest} are computed.`;
  return (
    `${state.arrived} of ${words.length} words have arrived. ${round} ` +
    `${keeps[state.keeps]} kept: ${state.held} numbers held, ` +
    `${state.computed} rows of K and V computed in all.`
  );
}

/**
 * Make a bar with its number, and a mark at the limit.
 * @param {string} what @param {number} whole @param {number} [bound]
 */
function makeMeter(what, whole, bound) {
  const bar = make("i");
  const number = make("b");
  const mark = bound === undefined ? [] : [make("u", { style: `left: ${(100 * bound) / whole}%` })];
  const element = make(
    "div",
    { class: "cache-meter" },
    make("span", { class: "cache-amount" }, number, ` ${what}`),
    make("span", { class: "cache-bar", "aria-hidden": "true" }, bar, ...mark),
  );
  /** @param {number} amount */
  const show = (amount) => {
    const over = bound !== undefined && amount > bound;
    say(number, String(amount));
    bar.style.width = `${(100 * amount) / whole}%`;
    set(element, { "data-over": over });
  };
  return { element, show };
}

export default { initialize, render };
