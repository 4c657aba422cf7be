import { draw, make, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal.js";
import { keep } from "../kit/kernel.js";
import { makeMap, readInks, titleOf } from "../kit/maps.js";
import { announcer, mount } from "../kit/page.js";
import { fixed, quoted } from "../kit/words.js";
import { drawEdges, howToRead, inWords } from "./edges.js";
import { placesOf, unpack, weightsOf } from "./weights.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Inks, NumberMap, Scale } from "../kit/maps.js" */
/** @import { Look, Picked } from "./edges.js" */
/** @import { Place, Setup, State } from "./weights.js" */

const [NARROWEST, WIDEST] = [320, 640];

/**
 * @param {RenderProps<{ setup: Setup, state: State, shown: { kind?: "lines" | "map" | "graph",
 * chosen?: number } }>} given
 */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { root, gate, ended, unmount } = mount(given, "heads", "Attention, head by head", show);
  const announce = announcer(root, ended);
  const places = placesOf(setup);
  const arrow = `arrow-${Math.random().toString(36).slice(2)}`;

  let { kind = "lines", chosen = 0 } = model.get("shown");
  /** @type {Picked | null} */
  let picked = null;
  /** @type {Inks | null} */
  let inks = null;
  /** What the maps were made for. */
  let made = "";
  /** @type {NumberMap | null} */
  let big = null;
  /** @type {NumberMap[]} */
  let small = [];

  const strip = setup.goal && goalStrip(setup.goal);
  const kinds = /** @type {const} */ (["lines", "map", ...(setup.of_itself ? ["graph"] : [])]).map(
    (name) => {
      const button = make("button", { type: "button" }, name[0].toUpperCase() + name.slice(1));
      button.addEventListener("click", () => {
        kind = /** @type {typeof kind} */ (name);
        picked = null;
        keep(model, { kind, chosen });
      });
      return { name, button };
    },
  );
  const select = /** @type {HTMLSelectElement} */ (
    make(
      "select",
      { "aria-label": "Example" },
      ...setup.examples.map((example) => make("option", {}, titleOf(example))),
    )
  );
  select.addEventListener("change", () => {
    picked = null;
    gate.ask({ do: "example", choice: select.selectedIndex });
  });
  const title = make("div", { class: "heads-title" });
  const svg = draw("svg", {
    class: "heads-edges",
    role: "img",
    tabindex: 0,
    "data-computed": true,
  });
  const mapBox = make("div", { class: "heads-map", "data-computed": true });
  const words = make("p", { class: "heads-words" });
  const cards = places.map(makeCard);
  const hear = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button" }, "Hear all heads")
  );
  hear.addEventListener("click", () => gate.ask({ do: "hear all" }));
  const answers = make("div", { class: "heads-answers", role: "status", "data-computed": true });
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "heads-bar" },
      make(
        "span",
        { class: "heads-kinds", role: "group", "aria-label": "How to show a head" },
        ...kinds.map(({ button }) => button),
      ),
      ...(setup.examples.length > 1 ? [make("label", {}, "Example ", select)] : []),
    ),
    make(
      "div",
      { class: "heads-body" },
      make("div", { class: "heads-main" }, title, svg, mapBox, words),
      make(
        "div",
        { class: "heads-side" },
        ...(setup.can_silence ? [make("div", { class: "heads-tested" }, answers, hear)] : []),
        make("div", { class: "heads-cards" }, ...cards.map(({ card }) => card)),
      ),
    ),
  );

  /** @param {Place} place @param {number} at */
  function makeCard(place, at) {
    const box = make("span", { class: "heads-small" });
    const job = make("span", { class: "heads-job" });
    const pick = make(
      "button",
      { type: "button", class: "heads-pick" },
      box,
      make("span", {}, make("strong", {}, place.name), job),
    );
    pick.addEventListener("click", () => {
      chosen = at;
      keep(model, { kind, chosen });
    });
    const silence = /** @type {HTMLButtonElement} */ (
      make("button", { type: "button", class: "heads-silence" }, "Silence")
    );
    silence.addEventListener("click", () =>
      gate.ask({ do: "silence", choice: [place.layer, place.head] }),
    );
    const can = setup.can_silence && place.head >= 0;
    const card = make("div", { class: "heads-card" }, pick, ...(can ? [silence] : []));
    return { card, box, job, pick, silence };
  }

  function present() {
    return model.get("state");
  }
  /** @param {State} state @returns {Look} */
  function lookNow(state) {
    const [rows, columns] = setup.examples[state.example];
    return {
      rows,
      columns,
      weights: weightsOf(setup, unpack(state), places[chosen], rows.length * columns.length),
    };
  }

  function show() {
    if (!root.isConnected) return;
    inks ??= readInks(root);
    const state = present();
    const look = lookNow(state);
    select.selectedIndex = state.example;
    showCards(state, look, inks);
    for (const { name, button } of kinds) set(button, { "aria-pressed": String(name === kind) });
    const silent = state.silenced.some(
      ([layer, head]) => layer === places[chosen].layer && head === places[chosen].head,
    );
    say(title, `${places[chosen].name}${silent ? ", silenced" : ""}`);
    mapBox.hidden = kind !== "map";
    svg.style.display = kind === "map" ? "none" : "";
    if (kind === "map") big?.show(look.weights, 0, inks, (share) => fixed(share));
    else {
      // As many units as pixels, so that words keep their size.
      const wide = Math.min(Math.max(svg.clientWidth, NARROWEST), WIDEST);
      const { height, parts } = drawEdges(kind, look, picked, arrow, wide);
      set(svg, {
        viewBox: `0 0 ${wide} ${height}`,
        "aria-label": `${places[chosen].name}, ${kind}. Arrow keys go from word to word.`,
      });
      svg.replaceChildren(
        draw(
          "defs",
          {},
          draw(
            "marker",
            {
              id: arrow,
              viewBox: "0 0 8 8",
              refX: 4,
              refY: 4,
              markerWidth: 9,
              markerHeight: 9,
              markerUnits: "userSpaceOnUse",
              orient: "auto",
            },
            draw("path", { d: "M0 0L8 4L0 8Z" }),
          ),
        ),
        ...parts,
      );
      say(words, picked ? inWords(look, picked) : howToRead(kind, look, wide));
    }
    if (!picked && kind === "map")
      say(
        words,
        "Each row is a word that asks, each column a word that answers. Point at a cell to read it.",
      );
    showAnswers(state);
    if (strip && state.goal) strip.show(state.goal);
  }

  /** @param {State} state @param {Look} look @param {Inks} ink */
  function showCards(state, { rows, columns }, ink) {
    if (made !== `${state.example}`) {
      made = `${state.example}`;
      const options = {
        rows: rows.length,
        columns: columns.length,
        scale: /** @type {Scale} */ ("weight"),
      };
      small = places.map(({ name }) => makeMap({ ...options, most: 0, label: name }));
      small.forEach(({ element }, i) => cards[i].box.replaceChildren(element));
      big = makeMap({
        ...options,
        rowNames: rows,
        columnNames: columns,
        room: 560,
        masked: true,
        label: "attention",
        point: pointCell,
        leave: () => {
          picked = null;
          big?.mark(null);
          show();
        },
      });
      mapBox.replaceChildren(big.element);
    }
    const all = unpack(state);
    places.forEach((place, i) => {
      const { card, job, pick, silence } = cards[i];
      small[i].show(weightsOf(setup, all, place, rows.length * columns.length), 0, ink, String);
      const silent = state.silenced.some(
        ([layer, head]) => layer === place.layer && head === place.head,
      );
      set(card, { "data-silent": silent, "data-chosen": i === chosen });
      set(pick, { "aria-pressed": String(i === chosen) });
      say(silence, silent ? "Hear" : "Silence");
      set(silence, { "aria-label": `${silent ? "Hear" : "Silence"} ${place.name}` });
      if (place.job !== null) say(job, state.jobs[place.job]);
    });
  }

  /** @param {State} state */
  function showAnswers({ before, now, silenced }) {
    hear.disabled = !silenced.length;
    const lines = now.map((share, question) => {
      const name = now.length > 1 ? `question ${question + 1}` : "Right answers";
      const change =
        Math.abs(share - before[question]) >= 0.005
          ? `${fixed(before[question])} → ${fixed(share)}`
          : fixed(share);
      return `${name}: ${change}`;
    });
    say(answers, (now.length > 1 ? "Right answers: " : "") + lines.join(" · "));
    set(answers, { "data-lost": now.some((share, question) => share < before[question] - 0.05) });
  }

  /** @param {number} row @param {number} column */
  function pointCell(row, column) {
    const { rows, columns, weights } = lookNow(present());
    picked = { side: "row", index: row };
    big?.mark(row, column);
    const share = weights[row * columns.length + column];
    const text = `${quoted(rows[row])} gives ${quoted(columns[column])} the weight ${share ? fixed(share) : "0: it is hidden"}.`;
    say(words, text);
    announce(text);
  }
  /** @param {Picked | null} next */
  function pick(next) {
    if (next?.side === picked?.side && next?.index === picked?.index) return;
    picked = next;
    show();
    if (picked) announce(inWords(lookNow(present()), picked));
  }
  svg.addEventListener("pointermove", (event) => {
    const node = /** @type {Element} */ (event.target).closest(".heads-node");
    if (node)
      pick({
        side: /** @type {any} */ (node.getAttribute("data-side")),
        index: Number(node.getAttribute("data-index")),
      });
  });
  svg.addEventListener("pointerleave", () => pick(null));
  svg.addEventListener("blur", () => pick(null));
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[
      /** @type {KeyboardEvent} */ (event).key
    ];
    if (!by) return;
    event.preventDefault();
    const [rows, columns] = setup.examples[present().example];
    const count = rows.length + (kind === "graph" ? 0 : columns.length);
    const at = picked
      ? picked.index + (picked.side === "row" ? 0 : rows.length)
      : by > 0
        ? -1
        : count;
    const next = (at + by + count) % count;
    pick(
      next < rows.length
        ? { side: "row", index: next }
        : { side: "column", index: next - rows.length },
    );
  });

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

export default { render };
