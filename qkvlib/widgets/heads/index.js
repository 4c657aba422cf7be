import { draw, make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { goalStrip } from "../kit/goal.js";
import { keep } from "../kit/kernel.js";
import { makeMap, readInks, titleOf } from "../kit/maps.js";
import { announcer, mount } from "../kit/page.js";
import { fixed, quoted } from "../kit/words.js";
import { jobOf, makeChooser, makeSilence, sayOfSilence } from "./chooser.js";
import { drawEdges, howToRead, inWords } from "./edges.js";
import { makeLocal } from "./local.js";
import { wishedHeight } from "./places.js";
import { isSilent, placesOf, unpack, weightsOf } from "./weights.js";

/** @import { RenderProps } from "@anywidget/types" */
/** @import { Inks, NumberMap } from "../kit/maps.js" */
/** @import { Picked } from "./edges.js" */
/** @import { Frame, Look } from "./places.js" */
/** @import { Setup, State } from "./weights.js" */

const [NARROWEST, LOWEST] = [280, 200];
const TALLEST = 696; // of the whole widget: it is seen at once, also where a page is narrow
const SIDE_BY_SIDE = 760; // as in heads.css

/**
 * @param {RenderProps<{ setup: Setup, state: State, shown: { kind?: "lines" | "map" | "graph",
 * chosen?: number } }>} given
 */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const local = makeLocal(setup, model.get("state"));
  const { root, gate, ended, unmount } = mount(given, "heads", "Attention, head by head", show, {
    local,
  });
  const announce = announcer(root, ended);
  const places = placesOf(setup);
  const arrow = `arrow-${Math.random().toString(36).slice(2)}`;

  let { kind = "lines", chosen = 0 } = model.get("shown");
  /** A head that is only pointed at. @type {number | null} */
  let peeked = null;
  /** @type {Picked | null} */
  let picked = null;
  /** @type {Inks | null} */
  let inks = null;
  /** @type {Frame} */
  let frame = { wide: 0, tall: 0 };
  /** What the maps were laid for, what the small ones show, and what was unpacked. */
  const drawn = { laid: "", small: /** @type {any[]} */ ([]), packed: model.get("state").maps };
  let all = unpack(drawn.packed);
  /** @type {NumberMap | null} */
  let big = null;

  const strip = setup.goal && goalStrip(setup.goal, !local);
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
  const svg = draw("svg", { class: "heads-edges", role: "img", tabindex: 0 });
  const mapBox = make("div", { class: "heads-map" });
  const framed = make("div", { class: "heads-frame", "data-computed": true }, svg, mapBox);
  const words = make("p", { class: "heads-words" });
  const chooser = makeChooser(setup, places, {
    choose: (at) => {
      [chosen, peeked, picked] = [at, null, null];
      keep(model, { kind, chosen });
    },
    peek: (at) => {
      [peeked, picked] = [at, null];
      show();
    },
    silence: ({ layer, head }) => gate.ask({ do: "silence", choice: [layer, head] }),
  });
  const name = make("strong");
  const job = make("span", { class: "heads-job" });
  const silence = makeSilence(() => {
    const { layer, head } = places[chosen];
    gate.ask({ do: "silence", choice: [layer, head] });
  });
  const hear = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button" }, "Hear all heads")
  );
  hear.addEventListener("click", () => gate.ask({ do: "hear all" }));
  const answers = make("div", { class: "heads-answers", role: "status", "data-computed": true });
  const ofMany = chooser.many ? [job, ...(setup.can_silence ? [silence] : [])] : [];
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
      { class: "heads-body", "data-many": chooser.many },
      make(
        "div",
        { class: "heads-main" },
        make("div", { class: "heads-title" }, name, ...ofMany),
        framed,
        words,
      ),
      make(
        "div",
        { class: "heads-side" },
        ...(setup.can_silence ? [make("div", { class: "heads-tested" }, answers, hear)] : []),
        chooser.element,
      ),
    ),
  );

  const present = () => model.get("state");
  const inFront = () => peeked ?? chosen;

  /** @param {State} state @returns {Look} */
  function lookNow({ example, maps }) {
    if (drawn.packed !== maps) [drawn.packed, all] = [maps, unpack(maps)];
    const [rows, columns] = setup.examples[example];
    return { rows, columns, weights: weightsOf(all, inFront(), rows.length * columns.length) };
  }

  /** One height for every kind of picture, so that nothing below jumps. @param {Look} look */
  function measure(look) {
    const wide = Math.max(framed.clientWidth, NARROWEST);
    const others = root.offsetHeight - framed.offsetHeight;
    const beside = root.offsetWidth >= SIDE_BY_SIDE;
    const wish = wishedHeight(look, wide, setup.of_itself);
    const room = TALLEST - others;
    frame = { wide, tall: Math.round(beside ? wish : Math.max(Math.min(wish, room), LOWEST)) };
    framed.style.height = `${frame.tall}px`;
  }

  function show() {
    if (!root.isConnected) return;
    inks ??= readInks(root);
    const state = present();
    const look = lookNow(state);
    const place = places[inFront()];
    select.selectedIndex = state.example;
    for (const each of kinds) set(each.button, { "aria-pressed": String(each.name === kind) });
    say(name, `${place.name}${isSilent(state, place) ? ", silenced" : ""}`);
    say(job, jobOf(state, place));
    sayOfSilence(silence, place, isSilent(state, place));
    silence.hidden = place.head < 0;
    showAnswers(state);
    if (strip && state.goal) strip.show(state.goal);
    chooser.show(state, chosen);
    layMaps(state, look);
    showSmall(look, inks);
    mapBox.hidden = kind !== "map";
    svg.style.display = kind === "map" ? "none" : "";
    if (kind === "map") big?.show(look.weights, 0, inks, (share) => fixed(share));
    else showEdges(kind, look);
    if (picked && kind !== "map") say(words, inWords(look, picked));
    else if (!picked) say(words, restingWords(look));
  }

  /** @param {Look} look */
  const restingWords = (look) =>
    kind === "map"
      ? "Each row is a word that asks, each column a word that answers. Point at a cell to read it."
      : howToRead(kind, look, frame);

  /** @param {"lines" | "graph"} how @param {Look} look */
  function showEdges(how, look) {
    const { height, size, parts } = drawEdges(how, look, picked, arrow, frame);
    // As many units as pixels, so that words keep their size.
    set(svg, {
      viewBox: `0 0 ${frame.wide} ${height}`,
      height,
      style: `--size: ${size}px`,
      "aria-label": `${places[inFront()].name}, ${how}. Arrow keys go from word to word.`,
    });
    const tip = draw("path", { d: "M0 0L8 4L0 8Z" });
    const box = { viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 9, markerHeight: 9 };
    const head = { id: arrow, ...box, markerUnits: "userSpaceOnUse", orient: "auto" };
    svg.replaceChildren(draw("defs", {}, draw("marker", head, tip)), ...parts);
  }

  /** Maps for another example, or for another width. @param {State} state @param {Look} look */
  function layMaps({ example }, look) {
    const { rows, columns } = look;
    const key = `${example} ${root.offsetWidth}`;
    if (drawn.laid === key) return;
    drawn.laid = key;
    drawn.small = [];
    chooser.lay(rows.length, columns.length);
    measure(look);
    const beside = Math.max(...rows.map((word) => word.length)) * 7 + 6;
    big = makeMap({
      rows: rows.length,
      columns: columns.length,
      scale: "weight",
      rowNames: rows,
      columnNames: columns,
      room: frame.wide - beside,
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

  /** @param {Look} look @param {Inks} ink */
  function showSmall({ rows, columns }, ink) {
    const now = [drawn.laid, drawn.packed, ink];
    if (now.every((part, i) => part === drawn.small[i])) return;
    drawn.small = now;
    chooser.paint(all, rows.length * columns.length, ink);
  }

  /** @param {State} state */
  function showAnswers({ before, now, silenced }) {
    hear.disabled = !silenced.length;
    const lines = now.map((share, question) => {
      const asked = now.length > 1 ? `question ${question + 1}` : "Right answers";
      const change =
        Math.abs(share - before[question]) >= 0.005
          ? `${fixed(before[question])} → ${fixed(share)}`
          : fixed(share);
      return `${asked}: ${change}`;
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

export default { initialize, render };
