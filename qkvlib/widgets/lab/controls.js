/* Make everything around the picture: views, lists, the loss, and small maps of the heads. */

import { makeTabs } from "../kit/choice.js";
import { makeCurve } from "../kit/curves.js";
import { draw, make, makeButton, say, set } from "../kit/dom.js";
import { makeMap } from "../kit/maps.js";
import { WEIGHT_NAMES } from "./graph.js";
import { range } from "./numbers.js";

/** @import { Ask } from "../kit/kernel.js" */
/** @import { Inks } from "../kit/maps.js" */
/** @import { Book, Setup, State } from "./numbers.js" */
/** @import { Matrices } from "./picture.js" */

const STEP_MS = 1000 / 12; // between two steps of Play
/**
 * How much time a player catches up after slow frames. After a page was hidden, it catches up no
 * more than this.
 */
const MOST_BEHIND_MS = 250;
const RATES = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const VIEWS = /** @type {const} */ (["weights", "both", "gradients", "backward"]);

/** Make a button. @param {string} text @param {string} [kind] */
const button = (text, kind) => make("button", { type: "button", class: kind }, text);

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
  const all = [...new Set([...RATES, rate])].sort((one, other) => one - other);
  const options = all.map((value) => make("option", { value }, String(value)));
  const rates = make("select", { "aria-label": "learning rate" }, ...options);
  const training = [
    tabs.element,
    make("span", { class: "lab-group" }, step, play),
    make("span", { class: "lab-select" }, "learning rate ", rates),
  ];
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
    rates.value = String(state.rate);
    undo.disabled = !state.undo;
  };
  return { box, step, play, rates, undo, reset, show };
}

/**
 * Put next to each weight matrix a padlock, if a goal holds it or training leaves it as it is.
 * @param {Matrices} matrices
 */
export function makeLocks(matrices) {
  const locks = WEIGHT_NAMES.map((name) => {
    const padlock = draw(
      "svg",
      { class: "lab-padlock", viewBox: "0 0 10 12", "aria-hidden": "true" },
      draw("path", { class: "lab-shackle", d: "M2.5 5.5V3.6a2.5 2.5 0 0 1 5 0V5.5" }),
      draw("path", { class: "lab-bolt", d: "M1 5.5h8V11H1z" }),
    );
    const text = make("span", { class: "lab-lock-text" });
    const lock = make("span", { class: "lab-lock" }, padlock, text);
    const { box } = matrices[name];
    box.firstElementChild?.append(lock);
    return { name, lock, text, box };
  });
  /**
   * @param {string[]} frozen @param {(name: string) => boolean} movable
   * @param {(name: string) => boolean} free  whether no goal holds it
   */
  const show = (frozen, movable, free) => {
    for (const { name, lock, text, box } of locks) {
      const is = frozen.includes(name);
      set(box, { "data-frozen": is, "data-still": !movable(name) });
      set(lock, {
        hidden: free(name) && !is,
        title: free(name) ? "Training leaves it as it is" : "Locked until the goal is met",
      });
      say(text, free(name) ? "frozen" : "held");
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
 * Make a player that trains: before each frame it takes the steps that are due.
 * @param {{ ask: (request: Ask) => void }} gate @param {() => number} gesture
 */
export function makePlayer(gate, gesture) {
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
    due = Math.max(due, now - MOST_BEHIND_MS);
    const times = 1 + Math.floor((now - due) / STEP_MS);
    due += times * STEP_MS;
    gate.ask({ do: "step", times, gesture: gesture() });
  };
  return {
    get playing() {
      return frame > 0;
    },
    toggle() {
      if (frame) return pause();
      due = performance.now();
      frame = requestAnimationFrame(turn);
    },
    pause,
  };
}
