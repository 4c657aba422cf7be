/* Make everything around the picture: views, lists, the loss, and small maps of the heads. */

import { makeTabs } from "../kit/choice.js";
import { makeCurve } from "../kit/curves.js";
import { draw, make, makeButton, say, set } from "../kit/dom.js";
import { makeMap } from "../kit/maps.js";
import { WEIGHT_NAMES } from "./graph.js";
import { NAMES } from "./names.js";
import { range } from "./numbers.js";

/** @import { Ask } from "../kit/kernel.js" */
/** @import { Inks } from "../kit/maps.js" */
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
 * @param {Setup} setup @param {number} rate  at which the lab opens @param {(view: string) => void} look
 */
export function makeBar(setup, rate, look) {
  const tabs = makeTabs("view", VIEWS, look);
  const step = button("Step", "qkv-main");
  const play = button("Play");
  const undo = button("Undo");
  const reset = button("Reset");
  const speed = makeSelect("speed", SPEEDS, (value) => `${value} a second`);
  speed.select.value = "12";
  const all = [...new Set([...RATES, rate])].sort((one, other) => one - other);
  const rates = makeSelect("learning rate", all, String);
  const training = [tabs.element, make("span", { class: "lab-group" }, step, play, speed.box), rates.box];
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
    rates.select.value = String(state.rate);
    undo.disabled = !state.undo;
  };
  return { box, step, play, speed, rates, undo, reset, show };
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

/**
 * Make the card with the loss and the curve of its history.
 * @param {AbortSignal} ended @param {() => void} resized
 */
export function makeLossCard(ended, resized) {
  const number = make("span", { class: "lab-loss-number" });
  const count = make("span", { class: "lab-curve-text" });
  const line = make("div", { class: "lab-loss-line" }, number, count);
  const { svg, show: showCurve } = makeCurve("The loss so far", ended, resized);
  set(svg, { class: "curve lab-curve" });
  const box = make(
    "section",
    { class: "lab-loss" },
    make(
      "div",
      { class: "lab-head" },
      make("span", { class: "lab-title" }, "loss"),
      make("span", { class: "lab-says" }, "mean of (O − T)²"),
    ),
    line,
    svg,
  );
  /** @param {State} state */
  const show = ({ losses, loss }) => {
    const moves = losses.length - 1;
    const known = losses.filter((value) => value !== null);
    say(number, loss === null ? "–" : loss.toFixed(loss < 1000 ? 4 : 0));
    say(count, moves > 0 ? `${moves} ${moves === 1 ? "move" : "moves"}` : "no moves yet");
    showCurve(known, Math.max(0, ...known), []);
  };
  return { box, parts: [line, svg], show };
}

/**
 * Make maps of all heads' attention; a click chooses a head.
 * @param {Setup} setup
 * @param {(head: number) => void} pick
 */
export function makeHeadMaps({ heads, tokens }, pick) {
  const size = { rows: tokens.length, columns: tokens.length };
  const each = range(heads).map((h) => {
    const map = makeMap({ ...size, scale: "weight", most: 0, label: "attention" });
    const choose = makeButton("", () => pick(h));
    choose.append(map.element, `head ${h + 1}`);
    return { choose, map };
  });
  const box = make(
    "div",
    { class: "lab-heads", role: "group", "aria-label": "heads" },
    ...each.map(({ choose }) => choose),
  );
  /** @param {(head: number) => Book} bookOf @param {number} head @param {Inks} inks */
  const show = (bookOf, head, inks) =>
    each.forEach(({ choose, map }, h) => {
      const { at } = bookOf(h);
      const shares = range(tokens.length).flatMap((i) => tokens.map((_, j) => at("weights", i, j)));
      set(choose, { "aria-pressed": String(h === head) });
      map.show(shares, 0, inks, String);
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
