/* Make everything around the picture: views, lists, the loss, and small maps of the heads. */

import { makeTabs } from "../kit/choice.js";
import { draw, inFocus, make, say, set } from "../kit/dom.js";
import { WEIGHT_NAMES } from "./graph.js";
import { tint } from "./matrix.js";
import { NAMES } from "./names.js";
import { range } from "./numbers.js";

/** @import { Ask } from "../kit/kernel.js" */
/** @import { Book, Setup, State } from "./numbers.js" */
/** @import { Matrices } from "./picture.js" */

const SPEEDS = [1, 4, 12, 30, 60];
/**
 * How much time a player catches up after slow frames. After a page was hidden, it catches up no
 * more than this.
 */
const MOST_BEHIND_MS = 250;
const RATES = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const VIEWS = /** @type {const} */ (["weights", "both", "gradients", "backward"]);
const TOOLTIPS = {
  weights: "Every number as it is",
  both: "Each weight on a rail, and how the loss pulls at it",
  gradients: "The gradient of every number",
  backward: "From the loss back to X, one step of the chain rule at a time",
};

/** @param {string} label @param {number[]} choices @param {(value: number) => string} text */
function makeSelect(label, choices, text) {
  const select = /** @type {HTMLSelectElement} */ (
    make("select", { "aria-label": label }, ...choices.map((value) => make("option", { value }, text(value))))
  );
  return { box: make("span", { class: "lab-select" }, `${label} `, select), select };
}

/** Make a button. @param {string} text @param {string} [kind] */
const button = (text, kind) =>
  /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: kind ?? null }, text));

/**
 * Make the bar above the picture: views, training, Undo and Reset.
 * @param {Setup} setup @param {(view: string) => void} look
 */
export function makeBar(setup, look) {
  const tabs = makeTabs("view", VIEWS, look, TOOLTIPS);
  const step = button("Step", "qkv-main");
  const play = button("Play");
  const undo = button("Undo");
  const reset = button("Reset");
  const speed = makeSelect("speed", SPEEDS, (value) => `${value} a second`);
  speed.select.value = "12";
  const rate = makeSelect("learning rate", RATES, String);
  const training = [tabs.element, make("span", { class: "lab-group" }, step, play, speed.box), rate.box];
  const box = make(
    "div",
    { class: "lab-bar" },
    ...(setup.sizes.target ? training : []),
    make("span", { class: "lab-group" }, undo, reset),
  );
  /** @param {State} state @param {string} view @param {boolean} playing */
  const show = (state, view, playing) => {
    tabs.show(view);
    set(step, { class: view === "backward" ? null : "qkv-main" }); // in this view Next is the main button
    say(play, playing ? "Pause" : "Play");
    set(play, { "aria-pressed": String(playing) });
    showRate(rate.select, state.rate);
    undo.disabled = !state.undo;
  };
  return { box, step, play, speed, rate, undo, reset, show };
}

/** Show a rate, even if the list lacks it. @param {HTMLSelectElement} select @param {number} value */
function showRate(select, value) {
  if (inFocus(select) === select && Number(select.value) === value) return;
  const options = [...select.options];
  if (!options.some((option) => Number(option.value) === value)) {
    const larger = options.find((option) => Number(option.value) > value);
    select.insertBefore(make("option", { value }, String(value)), larger ?? null);
  }
  select.value = String(value);
}

/** Make a padlock; the style opens its shackle. */
const padlock = () =>
  draw(
    "svg",
    { class: "lab-padlock", viewBox: "0 0 10 12", "aria-hidden": "true" },
    draw("path", { class: "lab-shackle", d: "M2.5 5.5V3.6a2.5 2.5 0 0 1 5 0V5.5" }),
    draw("path", { class: "lab-bolt", d: "M1 5.5h8V11H1z" }),
  );

/**
 * Put next to each weight matrix a button that freezes it, or a sign that the goal locks it.
 * @param {Matrices} matrices @param {(name: string) => void} freeze
 */
export function makeLocks(matrices, freeze) {
  const locks = WEIGHT_NAMES.map((name) => {
    const text = make("span", { class: "lab-lock-text" });
    const lock = button("", "lab-lock");
    lock.append(padlock(), text);
    const held = make(
      "span",
      { class: "lab-held", title: `${NAMES[name].spoken} is locked until the goal is met` },
      padlock(),
      make("span", { class: "lab-lock-text" }, "held"),
    );
    set(lock, {
      "aria-label": `freeze ${NAMES[name].spoken}`,
      title: "Frozen weights are not trained",
    });
    const { box } = matrices[name];
    box.firstElementChild?.append(lock, held);
    lock.addEventListener("click", () => freeze(name));
    return { name, lock, text, held, box };
  });
  /**
   * @param {string[]} frozen @param {(name: string) => boolean} movable
   * @param {(name: string) => boolean} free  whether no goal holds it @param {boolean} trained
   */
  const show = (frozen, movable, free, trained) => {
    for (const { name, lock, text, held, box } of locks) {
      const is = frozen.includes(name);
      set(box, { "data-frozen": is, "data-still": !movable(name) });
      set(lock, { "aria-pressed": String(is) });
      say(text, is ? "frozen" : "freeze");
      set(lock, { hidden: !trained || !free(name) });
      set(held, { hidden: free(name) });
    }
  };
  return { show };
}

/** Make the card with the loss and the curve of its history. @param {string} formula */
export function makeLossCard(formula) {
  const number = make("div", { class: "lab-loss-number" });
  const axis = draw("path", { class: "lab-curve-axis", d: "M0 68H200" });
  const line = draw("path", { class: "lab-curve-line" });
  const dot = draw("circle", { class: "lab-curve-dot", r: 3 });
  const top = draw("text", { class: "lab-curve-text", x: 2, y: 9 });
  const svg = draw(
    "svg",
    { class: "lab-curve", viewBox: "0 0 200 72", role: "img", "aria-label": "The loss so far" },
    axis,
    line,
    dot,
    top,
  );
  const box = make(
    "section",
    { class: "lab-loss" },
    make(
      "div",
      { class: "lab-head" },
      make("span", { class: "lab-title" }, "loss"),
      make("span", { class: "lab-says" }, formula),
    ),
    number,
    svg,
  );
  /** @param {State} state */
  const show = ({ losses, loss }) => {
    const moves = losses.length - 1;
    say(number, loss === null ? "–" : loss.toFixed(loss < 1000 ? 4 : 0));
    const most = Math.max(...losses.map((value) => value ?? 0), 1e-9);
    const last = Math.max(losses.length - 1, 1);
    const every = Math.ceil(losses.length / 200);
    /** @type {number[][]} */
    const points = [];
    losses.forEach((value, k) => {
      if (value !== null && (k % every === 0 || k === losses.length - 1)) {
        points.push([4 + (192 * k) / last, 67 - (54 * value) / most]);
      }
    });
    set(line, {
      d: points.length > 1 ? `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}` : "",
    });
    const [x, y] = points[points.length - 1] ?? [0, 0];
    const visibility = points.length > 1 ? null : "hidden";
    set(axis, { visibility });
    set(dot, { cx: x.toFixed(1), cy: y.toFixed(1), visibility });
    say(
      top,
      moves > 0 ? `${most.toFixed(2)} at most, ${moves} ${moves === 1 ? "move" : "moves"}` : "no moves yet",
    );
  };
  return { box, parts: [number, svg], show };
}

/**
 * Make maps of all heads' attention; a click chooses a head.
 * @param {Setup} setup
 * @param {(head: number) => void} pick
 */
export function makeHeadMaps({ heads, tokens }, pick) {
  const buttons = range(heads).map((h) => {
    const cells = range(tokens.length ** 2).map(() => make("i"));
    const map = make("span", { class: "lab-map" }, ...cells);
    map.style.setProperty("--n", String(tokens.length));
    const button = make("button", { type: "button" }, map, `head ${h + 1}`);
    button.addEventListener("click", () => pick(h));
    return { button, cells };
  });
  const box = make(
    "div",
    { class: "lab-heads", role: "group", "aria-label": "heads" },
    ...buttons.map(({ button }) => button),
  );
  /** @param {(head: number) => Book} bookOf @param {number} head */
  const show = (bookOf, head) =>
    buttons.forEach(({ button, cells }, h) => {
      const book = bookOf(h);
      set(button, { "aria-pressed": String(h === head) });
      cells.forEach((cell, k) =>
        tint(cell, "weight", book.at("weights", Math.floor(k / tokens.length), k % tokens.length)),
      );
    });
  return { box, show };
}

/**
 * Make a player that trains at a given speed: before each frame it takes the steps that are due.
 * @param {{ ask: (request: Ask) => void }} gate
 * @param {HTMLSelectElement} speed @param {() => number} gesture
 */
export function makePlayer(gate, speed, gesture) {
  let frame = 0;
  let due = 0;
  const pause = () => {
    cancelAnimationFrame(frame);
    frame = 0;
  };
  /** @param {number} now */
  const turn = (now) => {
    frame = requestAnimationFrame(turn);
    if (now < due) return;
    const wait = 1000 / Number(speed.value);
    due = Math.max(due, now - MOST_BEHIND_MS);
    const times = 1 + Math.floor((now - due) / wait);
    due += times * wait;
    gate.ask({ do: "step", times, gesture: gesture() });
  };
  const again = () => {
    due = performance.now();
  };
  return {
    get playing() {
      return frame > 0;
    },
    toggle() {
      if (frame) return pause();
      again();
      frame = requestAnimationFrame(turn);
    },
    pause,
    again,
  };
}
