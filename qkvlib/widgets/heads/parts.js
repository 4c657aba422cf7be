/* The parts of a Heads widget on the page, and its own variables. */

import { makeSelect, makeTabs } from "../kit/choice.js";
import { draw, make, makeButton } from "../kit/dom.js";
import { goalStrip } from "../kit/goal_strip.js";
import { keep } from "../kit/kernel.js";
import { titleOf } from "../kit/maps.js";
import { makeChooser, makeSilence } from "./chooser.js";
import { placesOf, unpack } from "./weights.js";

/** @import { Ask } from "../kit/kernel.js" */
/** @import { RenderProps } from "@anywidget/types" */
/** @import { makeInks, NumberMap } from "../kit/maps.js" */
/** @import { Picked } from "./edges.js" */
/** @import { Frame } from "./layout.js" */
/** @import { Setup, State } from "./weights.js" */

/**
 * @typedef {"lines" | "map" | "graph"} Kind
 *
 * @typedef {RenderProps<{ setup: Setup, state: State, shown: { kind?: Kind, chosen?: number } }>}
 * Given
 *
 * @typedef {object} Around  What the kit lends the widget.
 * @property {Given["model"]} model
 * @property {HTMLElement} root
 * @property {{ ask: (request: Ask) => void }} gate
 * @property {(text: string) => void} announce
 * @property {ReturnType<typeof makeInks>} inks
 *
 * @typedef {ReturnType<typeof makeHeads>} Heads
 */

/** @type {Kind[]} */
const KINDS = ["lines", "map", "graph"];

/** @param {Around} around */
export function makeHeads(around) {
  const { model, gate } = around;
  const setup = model.get("setup");
  const places = placesOf(setup);
  const { kind = "lines", chosen = 0 } = model.get("shown");
  const packed = model.get("state").maps;
  const heads = {
    ...{ ...around, setup, places, chosen },
    kind: /** @type {Kind} */ (kind),
    /** The id of the arrowhead: it has to be unique on the page. */
    arrow: `arrow-${Math.random().toString(36).slice(2)}`,
    /** @type {Picked | null} */
    picked: null,
    /** @type {Frame} */
    frame: { wide: 0, tall: 0 },
    /** What was drawn last: the layout of the maps, the small maps, and the unpacked weights. */
    drawn: { laid: "", small: /** @type {any[]} */ ([]), packed },
    all: unpack(packed),
    /** @type {NumberMap | null} */
    big: null,

    strip: setup.goal && goalStrip(setup.goal, !setup.film),
    kinds: makeTabs("How to show a head", setup.of_itself ? KINDS : KINDS.slice(0, 2), (name) => {
      [heads.kind, heads.picked] = [name, null];
      keep(model, { kind: name, chosen: heads.chosen });
    }),
    select: makeSelect("Example", setup.examples.map(titleOf), 0, (choice) => {
      heads.picked = null;
      gate.ask({ edit: { example: choice } });
    }),
    svg: draw("svg", { class: "heads-edges", role: "img", tabindex: 0 }),
    mapBox: make("div", { class: "heads-map" }),
    framed: make("div", { class: "heads-frame", "data-computed": true }),
    words: make("p", { class: "heads-words" }),
    chooser: makeChooser(setup, places, {
      choose: (at) => {
        [heads.chosen, heads.picked] = [at, null];
        keep(model, { kind: heads.kind, chosen: at });
      },
      silence: (at) => silence(heads, at),
    }),
    name: make("strong"),
    job: make("span", { class: "heads-job" }),
    silence: makeSilence(() => silence(heads, heads.chosen)),
    hear: makeButton("Hear all heads", () => gate.ask({ edit: { silenced: [] } })),
    answers: make("div", { class: "heads-answers", role: "status", "data-computed": true }),
  };
  return heads;
}

/** Silence a head, or stop silencing it. @param {Around} around @param {number} at */
function silence({ model, gate }, at) {
  const { silenced } = model.get("state");
  const others = silenced.filter((one) => one !== at);
  gate.ask({ edit: { silenced: silenced.includes(at) ? others : [...silenced, at] } });
}

/** Lay out the parts. @param {Heads} heads */
export function layOut(heads) {
  const { root, setup, strip, chooser, framed, svg, mapBox } = heads;
  framed.append(svg, mapBox);
  root.prepend(
    ...(strip ? [strip.strip] : []),
    layBar(heads),
    make(
      "div",
      { class: "heads-body", "data-many": chooser.many },
      make("div", {}, layTitle(heads), framed, heads.words),
      make(
        "div",
        {},
        ...(setup.can_silence ? [make("div", { class: "heads-tested" }, heads.answers, heads.hear)] : []),
        chooser.element,
      ),
    ),
  );
}

/** @param {Heads} heads */
function layBar({ setup, kinds, select }) {
  const examples = setup.examples.length > 1 ? [make("label", {}, "Example ", select)] : [];
  return make("div", { class: "qkv-tools heads-bar" }, kinds.element, ...examples);
}

/** @param {Heads} heads */
function layTitle({ setup, chooser, name, job, silence }) {
  const ofMany = chooser.many ? [job, ...(setup.can_silence ? [silence] : [])] : [];
  return make("div", { class: "heads-title" }, name, ...ofMany);
}
