import { followFinger, make, say, set } from "../kit/dom.js";
import { initialize } from "../kit/found.js";
import { keep } from "../kit/kernel.js";
import { readInks, titleOf } from "../kit/maps.js";
import { announcer, mount } from "../kit/page.js";
import { fixed } from "../kit/words.js";
import { makeAxis } from "./axis.js";
import { makeCurve } from "./curve.js";
import { filmOf, framesOf, hasScores, placeOf } from "./frames.js";
import { roomFor } from "./room.js";
import { makeRun, scoreNames, widthOf } from "./run.js";
import { makeTip } from "./tip.js";

/** @import { Inks } from "../kit/maps.js" */
/** @import { ReplaySetup, ReplayState } from "./frames.js" */
/** @import { RenderProps } from "@anywidget/types" */

const AGAIN = "To play all of it, run the notebook from its top (Run > Run All Cells).";
/** How many seconds a run takes to play: the early steps slowly, the many late ones quickly. */
const SPEEDS = { slow: 40, medium: 15, fast: 5 };

/**
 * @param {RenderProps<{ setup: ReplaySetup, state: ReplayState, shown: { layer?: number, example?:
 * number, part?: string } }>} given
 */
function render(given) {
  const { model } = given;
  const setup = model.get("setup");
  const { runs } = setup;
  const { root, gate, ended, unmount } = mount(
    given,
    "replay",
    "A training run, played back",
    answered,
  );
  const announce = announcer(root, ended);

  const saved = model.get("state");
  let played = runs.map((run, i) => filmOf(run, saved, i));
  let loaded = false;
  let playable = false;
  let asked = false;
  let step = saved.step;
  const last = Math.max(...runs.map(({ curve: points }) => points[points.length - 1][0]));
  const axis = makeAxis(last);
  let playing = 0;
  let seconds = SPEEDS.medium;
  let { layer = 0, example = 0, part = "weights" } = model.get("shown");
  /** @type {null | [string, number, number, number]} */
  let pointed = null;
  /** @type {Inks | null} */
  let inks = null;
  let laid = ""; // for which sizes
  let width = 0;

  const play = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", class: "qkv-main rep-play", disabled: true }, "▶ Play")
  );
  const scrubber = /** @type {HTMLInputElement} */ (
    make("input", {
      type: "range",
      min: 0,
      max: 1,
      step: "any",
      "aria-label": "step",
      disabled: true,
    })
  );
  const where = make("span", { class: "rep-where" });
  where.style.minWidth = `calc(${2 * String(last).length}ch + 5em)`; // the rest must not move
  const curve = makeCurve(runs.length, axis);
  const tip = makeTip(root);
  const notice = make("p", { class: "rep-still", role: "status" });
  const views = runs.map((run, i) => makeRun(run, setup, i, point));
  const names = /** @type {(keyof typeof SPEEDS)[]} */ (Object.keys(SPEEDS));
  const pace = choice("Speed", names, names.indexOf("medium"), (i) => {
    seconds = SPEEDS[names[i]];
  });
  /** Where a page is narrow, two runs' weights stand below each other, or their attention. */
  const parts = ["weights", "attention"].map((name) => {
    const button = make("button", { type: "button" }, name[0].toUpperCase() + name.slice(1));
    button.addEventListener("click", () => {
      part = name;
      keep(model, { part });
      show();
    });
    return { name, button };
  });
  const layers = choice(
    "Layer",
    runs[0].layers.map(({ name }) => name),
    layer,
    (i) => {
      layer = i;
      keep(model, { layer });
      show();
    },
  );
  const examples = choice("Example", runs[0].examples.map(titleOf), example, (i) => {
    example = i;
    keep(model, { example });
    show();
  });
  layers.hidden = runs[0].layers.length < 2;
  examples.hidden =
    runs[0].examples.length < 2 || runs[0].layers.every(({ looks }) => looks === null);
  const group = make(
    "span",
    { class: "rep-parts", role: "group", "aria-label": "What to show" },
    ...parts.map(({ button }) => button),
  );
  const box = make(
    "div",
    { class: "rep-runs", "data-count": runs.length },
    ...views.map(({ element }) => element),
  );
  root.prepend(
    make(
      "div",
      { class: "rep-bar" },
      play,
      where,
      pace,
      ...(runs.length > 1 ? [group] : []),
      layers,
      examples,
    ),
    make("div", { class: "rep-track" }, curve.element, scrubber),
    notice,
    box,
    legend(setup),
  );

  function lay() {
    const at = Math.min(layer, runs[0].layers.length - 1);
    const square = runs[0].examples[0][0].length > 1;
    const { heads } = runs[0].layers[at];
    const names = widthOf(scoreNames(runs[0].layers[at], setup.tokens));
    const room = roomFor(width, runs.length, heads, square, names);
    const key = JSON.stringify([at, example, room]);
    if (key === laid) return;
    laid = key;
    point("", null);
    root.style.setProperty("--matrix", `${room.matrix}px`);
    root.style.setProperty("--side", `${room.side}px`);
    for (const view of views) view.lay(at, example, room);
  }
  function show() {
    if (!root.isConnected) return;
    width ||= root.offsetWidth;
    lay();
    inks ??= readInks(root);
    const ink = inks;
    for (const view of views) view.show(played[views.indexOf(view)], step, layer, ink);
    for (const { name, button } of parts) set(button, { "aria-pressed": String(name === part) });
    set(root, { "data-bare": bare() });
    set(box, { "data-part": bare() ? "attention" : part });
    curve.show(step);
    scrubber.value = String(axis.along(step));
    set(scrubber, { "aria-valuetext": `step ${Math.round(step)} of ${last}` });
    say(where, `step ${Math.round(step)} of ${last}`);
    showTip();
  }
  function wordsNow() {
    if (!pointed) return [];
    const [key, row, column] = pointed;
    const name = (/** @type {typeof views[number]} */ view) =>
      views.length > 1 ? `${view.name}: ` : "";
    return views.map((view) => `${name(view)}${view.wordsOf(key, row, column)}.`);
  }
  function showTip() {
    if (!pointed) return tip.hide();
    const [key, row, column, which] = pointed;
    const cursor = views[which].bodyOf(key)?.querySelector(".map-cursor");
    if (cursor) tip.show(wordsNow(), cursor.getBoundingClientRect());
    for (const view of views) view.mark(key, row, column);
  }
  /** @param {string} key @param {number | null} row @param {number} [column] @param {number} [which] */
  function point(key, row, column = 0, which = 0) {
    pointed = row === null ? null : [key, row, column, which];
    for (const view of views) view.mark(key, row, column);
    showTip();
    if (pointed && !playing) announce(wordsNow().join(" "));
  }

  /**
   * Stop at the nearest step that was kept, so that a picture at rest is never in between.
   * @param {number} wanted
   */
  function rest(wanted) {
    stop();
    const near = stops().reduce((best, some) =>
      Math.abs(some - wanted) < Math.abs(best - wanted) ? some : best,
    );
    step = near;
    show();
    announce(
      `step ${step} of ${last}. ${runs.map((run, i) => `${runs.length > 1 ? run.name : ""} loss ${fixed(played[i].losses[placeOf(played[i].steps, step)], 3)}`).join(", ")}`,
    );
    if (playable) model.set("state", { ...saved, step, moved: true });
  }
  const stops = () =>
    [...new Set(played.flatMap(({ frames }) => frames))].sort((one, other) => one - other);
  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    say(play, "▶ Play");
  }
  function start() {
    if (step >= last) step = 0;
    say(play, "❚❚ Pause");
    let before = performance.now();
    const frame = (/** @type {number} */ now) => {
      step = axis.stepAt(axis.along(step) + Math.max(now - before, 0) / 1000 / seconds);
      before = now;
      if (step >= last) return rest(last);
      playing = requestAnimationFrame(frame);
      show();
    };
    playing = requestAnimationFrame(frame);
  }
  /** Until the frames come, nothing is shown; if they do not come, the saved film is played. */
  function answered() {
    if (!asked || loaded) return;
    set(root, { "data-fresh": gate.busy && !gate.late });
    if (!gate.busy) playFrom(Math.max(...played.map(({ frames }) => frames.length)) > 1);
    say(notice, gate.busy ? "" : filmed());
    set(root, { "data-still": !gate.busy });
  }
  /** How much of the run was saved with the notebook. */
  function filmed() {
    const kept = Math.max(...played.map(({ frames }) => frames.length));
    const what = bare() ? ", of its attention alone" : "";
    return `${kept} moments of it are saved here${what}. ${"alone" in model ? "" : AGAIN}`;
  }
  /** Whether no matrix is there to be shown: those of a large model are not saved. */
  function bare() {
    return played.every(({ numbers }) => !numbers.length);
  }
  /** @param {boolean} can */
  function playFrom(can) {
    if (can === playable) return;
    playable = can;
    play.disabled = scrubber.disabled = !can;
    if (can && !saved.moved) step = 0; // a run is seen from its beginning; what was saved is its end
    show();
  }
  /** @param {any} _ @param {DataView[]} [buffers] */
  function receive(_, buffers) {
    if (loaded || !buffers?.length) return;
    loaded = true;
    const each = buffers.length / runs.length;
    played = runs.map((_run, i) =>
      framesOf(buffers.slice(i * each, (i + 1) * each), setup.bits[i]),
    );
    say(notice, "");
    set(root, { "data-fresh": false, "data-still": false, "data-loaded": true });
    playFrom(true);
    curve.lay(played);
    show();
  }

  play.addEventListener("click", () => (playing ? rest(step) : start()));
  scrubber.addEventListener("input", () => {
    stop();
    step = axis.stepAt(Number(scrubber.value));
    show();
  });
  scrubber.addEventListener("change", () => rest(axis.stepAt(Number(scrubber.value))));
  scrubber.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [all, now] = [stops(), step];
    const at = placeOf(all, now);
    const far = event.shiftKey ? 10 : 1;
    const to = {
      ArrowRight: at + far,
      ArrowUp: at + far,
      ArrowLeft: at - far,
      ArrowDown: at - far,
      PageUp: at + 10,
      PageDown: at - 10,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === " ") play.click();
    else if (to !== undefined) rest(all[Math.min(Math.max(to, 0), all.length - 1)]);
    else return;
    event.preventDefault();
  });
  let dragging = false;
  const jump = (/** @type {PointerEvent} */ event) => {
    const plot = curve.plot.getBoundingClientRect();
    stop();
    step = axis.stepAt((event.clientX - plot.left) / plot.width);
    show();
  };
  followFinger(curve.plot);
  curve.plot.addEventListener("pointerdown", (event) => {
    if (!playable) return;
    curve.plot.setPointerCapture(event.pointerId);
    dragging = true;
    jump(event);
  });
  curve.plot.addEventListener("pointermove", (event) => dragging && jump(event));
  for (const name of ["pointerup", "pointercancel"])
    curve.plot.addEventListener(name, () => {
      if (dragging) {
        dragging = false;
        rest(step);
      }
    });

  const watcher = new MutationObserver(() => {
    inks = null;
    show();
  });
  watcher.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  const sizer = new ResizeObserver(() => {
    width = root.offsetWidth; // not asked while it plays: the browser would lay out the page
    show();
  });
  sizer.observe(root);
  model.on("msg:custom", receive);
  ended.addEventListener("abort", () => {
    stop();
    watcher.disconnect();
    sizer.disconnect();
    model.off("msg:custom", receive);
  });

  curve.lay(played);
  show();
  gate.ask({ do: "frames", quiet: "alone" in model });
  asked = true;
  answered();
  return unmount;
}

/**
 * @param {string} name
 * @param {string[]} options
 * @param {number} chosen
 * @param {(i: number) => void} choose
 */
function choice(name, options, chosen, choose) {
  const select = /** @type {HTMLSelectElement} */ (
    make("select", { "aria-label": name }, ...options.map((text) => make("option", {}, text)))
  );
  select.selectedIndex = chosen;
  select.addEventListener("change", () => choose(select.selectedIndex));
  return make("label", { class: "rep-choice" }, name, " ", select);
}

/** What the colours mean. @param {ReplaySetup} setup */
function legend({ runs, largest: [weight, , score] }) {
  /** @param {string} name @param {string} kind @param {string} low @param {string} high */
  const bar = (name, kind, low, high) =>
    make(
      "span",
      { class: "rep-key" },
      `${name} `,
      make("span", {}, low),
      make("i", { class: `rep-scale-${kind}` }),
      make("span", {}, high),
    );
  const [w, s] = [fixed(weight), fixed(score)];
  const scored = runs.some(({ layers }) => layers.some(hasScores));
  return make(
    "div",
    { class: "rep-legend" },
    bar("weights", "signed", `−${w}`, w),
    bar("gradients", "signed", "each to its largest", ""),
    bar("attention", "weight", "0", "1"),
    ...(scored ? [bar("scores", "signed", `−${s}`, s)] : []),
    make("span", {}, "small numbers shown stronger"),
  );
}

export default { initialize, render };
