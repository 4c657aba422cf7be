import { make, say, set } from "../kit/dom.js";
import { goalStrip } from "../kit/goal.js";
import { keep } from "../kit/kernel.js";
import { announcer, mount } from "../kit/page.js";
import { fixed } from "../kit/words.js";
import { makeHeadMaps, makeLossCard, makePlayer, makeSelect, makeTabs } from "./controls.js";
import { makeHands, placeOf } from "./hand.js";
import { NAMES, symbol, WEIGHT_NAMES } from "./names.js";
import { makeReader } from "./numbers.js";
import { equation, fit, makeLights, makeMatrices, makePainter, makeWires } from "./picture.js";
import { makeWalk, valuesIn } from "./walk.js";
import { gradientWords, inside, stepWords, valueWords, waitingWords } from "./words.js";

/** @import { Book, Place, Setup, State } from "./numbers.js" */
/** @import { Words } from "./words.js" */
/** @import { RenderProps } from "@anywidget/types" */

const REST_MS = 1000;
const SPEEDS = [1, 4, 12, 30];
const RATES = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const VIEW_NAMES = {
  weights: "Weights",
  both: "Both",
  gradients: "Gradients",
  backward: "Backward",
};

/** @param {RenderProps<{ setup: Setup, state: State, shown: { head?: number } }>} given */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const trained = Boolean(setup.sizes.target);
  const { root, gate, ended, unmount } = mount(given, "lab", "Attention lab", answered);
  const announce = announcer(root, ended);
  const read = makeReader(setup);

  const matrices = makeMatrices(setup);
  const picture = make("div", { class: "lab-picture" });
  const wires = makeWires(picture, matrices);
  const words = make("p", { class: "lab-words" });
  const trouble = make("p", { class: "lab-trouble", role: "alert" });
  const strip = setup.goal && goalStrip(setup.goal);
  const lossCard = makeLossCard("mean of (O − T)²");
  const headMaps = makeHeadMaps(setup, (chosen) => {
    head = chosen;
    keep(model, { head });
  });
  const views = Object.entries(VIEW_NAMES).filter(
    ([name]) => !(name === "backward" && setup.function),
  );
  const tabs = makeTabs("view", views);
  /** @param {string} text @param {string} [kind] */
  const button = (text, kind) =>
    /** @type {HTMLButtonElement} */ (
      make("button", { type: "button", class: kind ?? null }, text)
    );
  const stepButton = button("Step", "qkv-main");
  const playButton = button("Play");
  const undo = button("Undo");
  const reset = button("Reset");
  const speed = makeSelect("speed", SPEEDS, (value) => `${value} a second`);
  speed.select.value = "12";
  const rate = makeSelect("learning rate", RATES, String);
  const locks = Object.fromEntries(
    WEIGHT_NAMES.map((name) => {
      const lock = button("");
      set(lock, {
        class: "lab-lock",
        "aria-label": `freeze ${NAMES[name].spoken}`,
        title: "Frozen weights are not trained",
      });
      matrices[name].box.firstElementChild?.append(lock);
      lock.addEventListener("click", () => gate.ask({ do: "freeze", choice: name }));
      return [name, lock];
    }),
  );
  const walk = makeWalk(setup);
  const painter = makePainter(setup, matrices);
  const light = makeLights(setup, picture, matrices, wires, walk);
  const player = makePlayer(gate, speed.select, () => gesture);
  const bar = make(
    "div",
    { class: "lab-bar" },
    ...(trained
      ? [
          tabs.box,
          make("span", { class: "lab-group" }, stepButton, playButton, speed.box),
          rate.box,
        ]
      : []),
    make("span", { class: "lab-group" }, undo, reset),
  );
  const beside = [...(setup.heads > 1 ? [headMaps.box] : []), ...(trained ? [lossCard.box] : [])];
  picture.append(wires.svg, ...equation(matrices, beside));
  root.prepend(...(strip ? [strip.strip] : []), bar, walk.steps, picture, trouble, words, walk.box);
  root.style.setProperty("--rows", String(Math.max(setup.sizes.x[0], setup.sizes.x[1])));
  root.style.setProperty("--tokens", String(setup.tokens.length));
  set(root, { "data-trained": trained, "data-side": beside.length > 0 });

  for (const name of ["q", "k", "v", "scores", "weights", "output"]) {
    set(matrices[name].box, { "data-computed": true });
  }
  for (const part of [words, walk.box, lossCard.box, headMaps.box]) {
    set(part, { "data-computed": true });
  }

  let head = model.get("shown").head ?? 0;
  let gesture = 0;
  let resting = 0;
  /** @type {string} */
  let view = model.get("state").view;
  /** The cell that the words speak of. @type {Place | null} */
  let pointed = null;
  /** @type {Place | null} */
  let focused = null;
  /** What the hand has set and the kernel has not answered yet. @type {Record<string, number>} */
  let ahead = {};
  /** Whether a screen reader is owed the words on what the hand has moved. */
  let owed = false;

  const present = () => model.get("state");

  /**
   * Every number of one head as the kernel has answered it: what follows from it is true.
   * @param {number} which
   */
  const answeredBook = (which) => read(present(), which);

  /**
   * The same, with what the hand has set already.
   * @param {number} which
   * @returns {Book}
   */
  function bookOf(which) {
    const book = answeredBook(which);
    if (!Object.keys(ahead).length) return book;
    return {
      ...book,
      at: (name, i, j) => ahead[`${name} ${which} ${i} ${j}`] ?? book.at(name, i, j),
    };
  }

  /** Whether a matrix may be moved by hand. @param {string} name */
  function movable(name) {
    const { goal } = present();
    const free = !setup.goal || goal?.met || setup.goal.touch.includes(name);
    const taken = name !== "mask" || setup.maskable;
    return (view === "weights" || view === "both") && free && taken;
  }

  /** The losses as this page knows them: answers carry the last one only. @param {State} state */
  function keepLosses(state) {
    const { losses } = state;
    if (losses.length > state.moves) losses.length = state.moves;
    while (losses.length < state.moves) losses.push(state.loss);
    losses[state.moves - 1] = state.loss;
  }

  /** Whether a matrix shows its gradient now. @param {string} name */
  function showsGradient(name) {
    if (name === "target") return false;
    if (view === "gradients") {
      // What the gradient in hand is computed with shows the numbers that its words name.
      const place = inHand();
      return !place || inside(setup, place.name) || !valuesIn(place.name).includes(name);
    }
    return view === "backward" && walk.found(name);
  }

  function show() {
    const state = present();
    keepLosses(state);
    const book = bookOf(head);
    set(root, { "data-view": view, "data-stale": trained && !state.gradients });
    painter.paint(book, { view, showsGradient, movable });
    showLights();
    for (const name of WEIGHT_NAMES) {
      const frozen = state.frozen.includes(name);
      const open = movable(name);
      set(matrices[name].box, { "data-frozen": frozen, "data-still": !open });
      set(locks[name], { "aria-pressed": String(frozen) });
      say(locks[name], frozen ? "frozen" : "freeze");
      locks[name].hidden = !trained;
    }
    set(matrices.scores.box, { "data-still": !movable("mask") });
    lossCard.show(state);
    if (setup.heads > 1) headMaps.show(bookOf, head);
    if (strip && state.goal) strip.show(state.goal);
    tabs.show(view);
    say(playButton, player.playing ? "Pause" : "Play");
    set(playButton, { "aria-pressed": String(player.playing) });
    showRate(state.rate);
    undo.disabled = !state.undo;
    say(trouble, [state.error, state.note].filter(Boolean).join(" "));
    trouble.hidden = !trouble.textContent;
    walk.steps.hidden = walk.box.hidden = view !== "backward";
    if (view === "backward") walk.show(answeredBook(head));
  }

  /** @param {number} value */
  function showRate(value) {
    if (document.activeElement === rate.select && Number(rate.select.value) === value) return;
    if (![...rate.select.options].some((option) => Number(option.value) === value)) {
      const larger = [...rate.select.options].find((option) => Number(option.value) > value);
      rate.select.insertBefore(make("option", { value }, String(value)), larger ?? null);
    }
    rate.select.value = String(value);
  }

  const inHand = () => hands.held() ?? pointed ?? focused;

  /** Light what the cell in hand comes from and feeds, and say its arithmetic. */
  function showLights() {
    const place = inHand();
    const book = answeredBook(head);
    light(book, view, place);
    words.hidden = view === "backward";
    if (view !== "backward") words.replaceChildren(...(place ? explained(book, place) : hint()));
  }

  /** After another cell came into hand, which moves no number. */
  function lookAgain() {
    if (view === "gradients") painter.paint(bookOf(head), { view, showsGradient, movable });
    showLights();
  }

  /** @param {Book} book @param {Place} place @returns {Words} */
  function explained(book, place) {
    if (gate.late && numberIn(place) !== book.at(place.name, place.i, place.j)) {
      return waitingWords(book, place, numberIn(place));
    }
    if (view === "gradients" && place.name !== "target") return gradientWords(book, place);
    return [...valueWords(book, place), ...stepWords(book, place)];
  }

  /** @returns {Words} */
  function hint() {
    if (view === "gradients")
      return [
        "Point at any cell, or reach it with Tab and the arrow keys, to see how its gradient comes about.",
      ];
    const next =
      view === "both"
        ? "Below each weight stands where the next step takes it; the steeper its gradient, the deeper the colour. "
        : "";
    const loose = WEIGHT_NAMES.filter(movable);
    const which = loose.flatMap((name, k) => [k ? " or " : " of ", symbol(name)]);
    return [
      next,
      ...(loose.length
        ? [
            "Drag a weight",
            ...(loose.length < WEIGHT_NAMES.length ? which : []),
            ", or focus it and use ↑ ↓, the wheel, or type a number. ",
          ]
        : ["The goal holds all weights still. "]),
      ...(movable("mask") ? ["Click a score to hide it with the mask. "] : []),
      "Point at any cell to see its arithmetic.",
    ];
  }

  /** @param {Place} place */
  const cellOf = ({ name, i, j }) => matrices[name].cells[i][j].cell;
  /** @param {Place} place */
  const numberIn = ({ name, i, j }) => bookOf(head).at(name, i, j);

  /** @param {Place} place @param {number} wish */
  function move(place, wish) {
    if (!movable(place.name) || Number.isNaN(wish)) return;
    player.pause();
    const value = Math.round(10000 * Math.min(Math.max(wish, -setup.limit), setup.limit)) / 10000;
    const key = `${place.name} ${head} ${place.i} ${place.j}`;
    ahead[key] = value;
    painter.preview(place, value); // the hand sees it move before the kernel has answered
    gate.edit({ [key]: value }, gesture);
  }

  function speak() {
    const place = focused ?? pointed;
    owed = Boolean(place) && gate.busy;
    if (!place) return;
    if (owed) return set(cellOf(place), { "aria-valuetext": fixed(numberIn(place)) });
    const book = answeredBook(head);
    const line = make("p", {}, ...explained(book, place));
    if (WEIGHT_NAMES.includes(place.name)) {
      set(cellOf(place), {
        "aria-valuetext": `${fixed(numberIn(place))}. ${make("p", {}, ...stepWords(book, place)).textContent}`,
      });
    }
    announce(line.textContent ?? "");
  }

  /** After every answer, and when none comes. */
  function answered() {
    if (!gate.busy && !hands.held()) ahead = {};
    if (gate.lost || present().note || present().error) player.pause();
    show();
    if (owed && !gate.busy) speak();
    player.pump();
    // Answers to a moving hand are short. When it rests, the page asks for what they left out, so
    // that a notebook saved then has everything.
    clearTimeout(resting);
    if (trained && !gate.busy && !gate.lost && !present().gradients) {
      resting = window.setTimeout(() => gate.ask({ do: "look", quiet: true }), REST_MS);
    }
  }

  const placeWires = () => wires.place(view === "gradients" || view === "backward");

  /** @param {Place} place */
  function toggleMask(place) {
    if (place.name === "scores" && movable("mask"))
      gate.ask({ do: "mask", choice: [place.i, place.j] });
  }

  const begin = () => {
    gesture += 1;
  };
  const hands = makeHands(picture, {
    setup,
    movable,
    cellOf,
    numberIn,
    begin,
    move,
    toggleMask,
    show,
    speak,
    rest: answered,
  });
  picture.addEventListener("pointerover", (event) => {
    const place = placeOf(event.target);
    if (hands.held() || (!place && !pointed)) return;
    pointed = place;
    lookAgain();
    if (view === "backward") walk.show(answeredBook(head));
  });
  picture.addEventListener("pointerleave", () => {
    pointed = null;
    if (!hands.held()) lookAgain();
  });
  picture.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    focused = place;
    pointed = null;
    matrices[place.name].stopAt(place.i, place.j);
    lookAgain();
    if (view === "backward") walk.show(answeredBook(head));
    speak();
  });
  picture.addEventListener("focusout", () => {
    focused = null;
    lookAgain();
  });
  picture.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place) toggleMask(place);
  });

  for (const tab of tabs.buttons) {
    tab.addEventListener("click", () => {
      view = tab.dataset.value ?? view;
      gate.ask({ do: "view", choice: view });
      show();
      placeWires();
    });
  }
  stepButton.addEventListener("click", () => {
    player.pause();
    begin();
    gate.ask({ do: "step", gesture });
  });
  playButton.addEventListener("click", () => {
    begin();
    player.toggle();
    show();
  });
  speed.select.addEventListener("change", player.again);
  rate.select.addEventListener("change", () =>
    gate.ask({ do: "rate", choice: Number(rate.select.value) }),
  );
  undo.addEventListener("click", () => {
    player.pause();
    gate.ask({ do: "undo" });
  });
  reset.addEventListener("click", () => {
    player.pause();
    gate.ask({ do: "reset" });
  });
  walk.moved(() => show());
  ended.addEventListener("abort", () => {
    player.pause();
    clearTimeout(resting);
  });

  const watcher = new ResizeObserver(() => {
    fit(root, setup, trained);
    placeWires();
  });
  watcher.observe(root);
  ended.addEventListener("abort", () => watcher.disconnect());

  show();
  return unmount;
}

export default { render };
