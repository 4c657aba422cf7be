/* Choose a head: from a card for each of a few heads, or from a grid of small maps of many. */

import { make, makeButton, say, set } from "../kit/dom.js";
import { makeMap } from "../kit/maps.js";

/** @import { Inks, NumberMap } from "../kit/maps.js" */
/** @import { Place, Setup, State } from "./weights.js" */

const MOST_CARDS = 6;
const UNTOLD = "You see its job when you silence a head.";

/**
 * Return a head's job in words. If a goal asks for it, it is hidden until the first try.
 * @param {State} state @param {number} at
 */
export const jobOf = ({ jobs }, at) => (jobs ? jobs[at] : UNTOLD);

/**
 * @param {Setup} setup @param {Place[]} places
 * @param {{ choose: (at: number) => void, silence: (at: number) => void }} hand
 */
export function makeChooser(setup, places, hand) {
  /** @type {NumberMap[]} */
  let small = [];
  const boxes = places.map(() => make("span", { class: "heads-small" }));
  const many = places.length > MOST_CARDS;
  const { element, show } = (many ? makeGrid : makeCards)(setup, places, boxes, hand);

  /** Make new small maps for a different example. @param {number} rows @param {number} columns */
  const lay = (rows, columns) => {
    const options = { rows, columns, scale: /** @type {const} */ ("weight"), most: 0 };
    small = places.map(({ name }) => makeMap({ ...options, label: name }));
    small.forEach((map, i) => boxes[i].replaceChildren(map.element));
  };
  /** @param {Float32Array} all @param {number} size @param {Inks} inks */
  const paint = (all, size, inks) => small.forEach((map, i) => map.show(all, i * size, inks, String));
  return { element, many, show, lay, paint };
}

/**
 * @param {Setup} setup @param {Place[]} places @param {HTMLElement[]} boxes
 * @param {Parameters<typeof makeChooser>[2]} hand
 */
function makeCards(setup, places, boxes, { choose, silence }) {
  const cards = places.map(({ name }, at) => {
    const job = make("span", { class: "heads-job" });
    const words = make("span", {}, make("strong", {}, name), job);
    const pick = make("button", { type: "button", class: "heads-pick" }, boxes[at], words);
    pick.addEventListener("click", () => choose(at));
    const button = makeSilence(() => silence(at));
    const card = make("div", { class: "heads-card" }, pick, ...(setup.can_silence ? [button] : []));
    return { card, job, pick, button };
  });
  /** @param {State} state @param {number} chosen */
  const show = (state, chosen) =>
    cards.forEach(({ card, job, pick, button }, i) => {
      const silent = state.silenced.includes(i);
      set(card, { "data-silent": silent, "data-chosen": i === chosen });
      set(pick, { "aria-pressed": String(i === chosen) });
      sayOfSilence(button, places[i].name, silent);
      say(job, jobOf(state, i));
    });
  const element = make("div", { class: "heads-cards" }, ...cards.map(({ card }) => card));
  return { element, show };
}

/**
 * Make a grid with a row for each layer and a column for each head; the arrow keys move through it.
 * @param {Setup} setup @param {Place[]} places @param {HTMLElement[]} boxes
 * @param {Parameters<typeof makeChooser>[2]} hand
 */
function makeGrid({ layers, count_from }, places, boxes, { choose }) {
  const most = Math.max(...layers.map(({ heads }) => heads.length));
  const buttons = places.map(({ head, layer }, at) => {
    const button = make("button", { type: "button", role: "radio", class: "heads-cell" });
    button.append(boxes[at]);
    button.style.gridArea = `${layer + 2} / ${head + 2}`;
    button.addEventListener("click", () => choose(at));
    return button;
  });
  /** @param {string} text @param {number} row @param {number} column */
  const heading = (text, row, column) => {
    const beside = column === 1;
    const about = { class: "heads-heading", "data-beside": beside, "aria-hidden": "true" };
    const element = make("span", { ...about, title: beside ? text : null }, text);
    element.style.gridArea = `${row} / ${column}`;
    return element;
  };
  const element = make(
    "div",
    {
      class: "heads-grid",
      role: "radiogroup",
      "aria-label": "Heads, a row for each layer",
    },
    ...Array.from({ length: most }, (_, i) => heading(String(i + count_from), 1, i + 2)),
    ...layers.map(({ name }, layer) => heading(name, layer + 2, 1)),
    ...buttons,
  );
  element.style.setProperty("--across", String(most));
  element.addEventListener("keydown", (event) => {
    const at = buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (at < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = neighbour(places, at, event.key);
    if (next === null) return;
    event.preventDefault();
    if (!buttons[next]) return;
    choose(next);
    buttons[next].focus();
  });
  /** @param {State} state @param {number} chosen */
  const show = (state, chosen) =>
    places.forEach(({ name }, i) => {
      const silent = state.silenced.includes(i);
      const said = [name, silent ? "silenced" : "", jobOf(state, i)];
      set(buttons[i], {
        "aria-checked": String(i === chosen),
        "aria-label": said.filter(Boolean).join(", "),
        "data-silent": silent,
        tabindex: i === chosen ? 0 : -1,
      });
    });
  return { element, show };
}

/**
 * Return the place that an arrow key leads to, which may not exist; null for other keys.
 * @param {Place[]} places @param {number} at @param {string} key
 */
function neighbour(places, at, key) {
  const by = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[key];
  if (!by) return null;
  const { layer, head } = places[at];
  if (!by[0]) return at + by[1];
  return places.findIndex((one) => one.layer === layer + by[0] && one.head === head);
}

/** @param {() => void} act */
export const makeSilence = (act) => makeButton("Silence", act, { class: "heads-silence" });

/** @param {HTMLElement} button @param {string} name  the head's @param {boolean} silent */
export function sayOfSilence(button, name, silent) {
  say(button, silent ? "Hear" : "Silence");
  set(button, { "aria-label": `${silent ? "Hear" : "Silence"} ${name}` });
}
