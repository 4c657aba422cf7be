import { draw, make, say, set } from "../kit/dom.js";
import { keep } from "../kit/kernel.js";
import { readInks, titleOf } from "../kit/maps.js";
import { announcer, mount } from "../kit/page.js";
import { fixed, inTwoDigits } from "../kit/words.js";
import { framesOf, hasScores, placeOf, stillNow, stillOf } from "./frames.js";
import { makeRun } from "./run.js";

/** @import { Inks } from "../kit/maps.js" */
/** @import { Frames, ReplaySetup, ReplayState } from "./frames.js" */
/** @import { RenderProps } from "@anywidget/types" */

const STILL_BYTES = 3000; // for all runs of a widget together
const AGAIN = "To play it, run the notebook from its top (Run > Run All Cells).";
const SPEEDS = [1, 3, 10, 30, 100, 300, 1000];

/**
 * @param {RenderProps<{ setup: ReplaySetup, state: ReplayState, shown: { layer?: number, example?:
 * number } }>} given
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
  let played = runs.map((run, i) => stillOf(run, saved, i));
  let loaded = false;
  let asked = false;
  let step = saved.step;
  const last = Math.max(...runs.map(({ curve: points }) => points[points.length - 1][0]));
  let playing = 0;
  let speed = SPEEDS.find((some) => last / some <= 12) ?? SPEEDS[SPEEDS.length - 1];
  let { layer = 0, example = 0 } = model.get("shown");
  /** @type {null | [string, number, number]} */
  let pointed = null;
  /** @type {Inks | null} */
  let inks = null;

  const play = /** @type {HTMLButtonElement} */ (
    make("button", { type: "button", class: "qkv-main rep-play", disabled: true }, "▶ Play")
  );
  const scrubber = /** @type {HTMLInputElement} */ (
    make("input", {
      type: "range",
      min: 0,
      max: last,
      step: "any",
      "aria-label": "step",
      disabled: true,
    })
  );
  const where = make("span", { class: "rep-where" });
  const curve = makeCurve(setup);
  const words = make("p", { class: "rep-words" });
  const notice = make("p", { class: "rep-still", role: "status" });
  const views = runs.map((run, i) => makeRun(run, setup, i, point));
  const speeds = SPEEDS.filter((some) => last / some <= 200 && last / some >= 1);
  if (!speeds.includes(speed)) speeds.push(speed);
  const pace = choice(
    "Speed",
    speeds.map((some) => `${some} ${some === 1 ? "step" : "steps"} a second`),
    speeds.indexOf(speed),
    (i) => {
      speed = speeds[i];
    },
  );
  const layers = choice(
    "Layer",
    runs[0].layers.map(({ name }) => name),
    layer,
    (i) => {
      layer = i;
      keep(model, { layer });
      lay();
    },
  );
  const examples = choice("Example", runs[0].examples.map(titleOf), example, (i) => {
    example = i;
    keep(model, { example });
    lay();
  });
  layers.hidden = runs[0].layers.length < 2;
  examples.hidden =
    runs[0].examples.length < 2 || runs[0].layers.every(({ looks }) => looks === null);
  root.prepend(
    make("div", { class: "rep-bar" }, play, where, pace, layers, examples),
    make("div", { class: "rep-track" }, curve.element, scrubber),
    notice,
    make(
      "div",
      { class: "rep-runs", "data-count": runs.length },
      ...views.map(({ element }) => element),
    ),
    legend(setup),
    words,
  );

  function lay() {
    pointed = null;
    for (const view of views) view.lay(Math.min(layer, runs[0].layers.length - 1), example);
    show();
  }
  function show() {
    if (!root.isConnected) return;
    inks ??= readInks(root);
    const ink = inks;
    views.forEach((view, i) => {
      view.show(played[i], step, layer, ink);
      if (pointed) view.mark(...pointed);
    });
    curve.show(last ? step / last : 0);
    scrubber.value = String(step);
    set(scrubber, { "aria-valuetext": `step ${Math.round(step)} of ${last}` });
    say(where, `step ${Math.round(step)} of ${last}`);
    say(words, wordsNow());
  }
  function wordsNow() {
    if (!pointed) return "Point at a cell to read its number.";
    const [key, row, column] = pointed;
    const each = views.map(
      (view) => `${views.length > 1 ? `${view.name}: ` : ""}${view.wordsOf(key, row, column)}`,
    );
    return `${each.join(" · ")}.`;
  }
  /** @param {string} key @param {number | null} row @param {number} column */
  function point(key, row, column) {
    pointed = row === null ? null : [key, row, column];
    for (const view of views) view.mark(key, row, column);
    say(words, wordsNow());
    if (pointed && !playing) announce(wordsNow());
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
    if (loaded)
      model.set("state", {
        step,
        stills: views.map((_, i) =>
          stillNow(played[i], step, runs[i].widths, STILL_BYTES / runs.length),
        ),
      });
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
      step = Math.min(step + (Math.max(now - before, 0) * speed) / 1000, last);
      before = now;
      if (step >= last) return rest(last);
      playing = requestAnimationFrame(frame);
      show();
    };
    playing = requestAnimationFrame(frame);
  }
  function answered() {
    if (!asked || loaded) return;
    say(notice, gate.busy ? "" : AGAIN);
    set(root, { "data-still": !gate.busy });
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
    set(root, { "data-still": false, "data-loaded": true });
    play.disabled = scrubber.disabled = false;
    curve.lay(played, last);
    show();
  }

  play.addEventListener("click", () => (playing ? rest(step) : start()));
  scrubber.addEventListener("input", () => {
    stop();
    step = Number(scrubber.value);
    show();
  });
  scrubber.addEventListener("change", () => rest(Number(scrubber.value)));
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
    const box = curve.element.getBoundingClientRect();
    stop();
    step = last * Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    show();
  };
  curve.element.addEventListener("pointerdown", (event) => {
    if (!loaded) return;
    curve.element.setPointerCapture(event.pointerId);
    dragging = true;
    jump(event);
  });
  curve.element.addEventListener("pointermove", (event) => dragging && jump(event));
  for (const name of ["pointerup", "pointercancel"])
    curve.element.addEventListener(name, () => {
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
  const sizer = new ResizeObserver(show);
  sizer.observe(root);
  model.on("msg:custom", receive);
  ended.addEventListener("abort", () => {
    stop();
    watcher.disconnect();
    sizer.disconnect();
    model.off("msg:custom", receive);
  });

  curve.lay(played, last);
  lay();
  gate.ask({ do: "frames" });
  asked = true;
  answered();
  return unmount;
}

/** The loss curves. @param {ReplaySetup} setup */
function makeCurve({ runs }) {
  const paths = runs.map((_, i) => draw("path", { class: "rep-loss", "data-run": i }));
  const most = make("span");
  const cursor = make("b", { class: "rep-cursor" });
  const drawing = draw(
    "svg",
    { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...paths,
  );
  const element = make(
    "div",
    { class: "rep-curve", title: "Click to jump to a step" },
    drawing,
    make("div", { class: "rep-axis" }, most, make("span", {}, "loss"), make("span", {}, "0")),
    cursor,
  );
  /** @param {Frames[]} played @param {number} last */
  const lay = (played, last) => {
    const top = Math.max(...played.flatMap(({ losses }) => losses.map((loss) => loss ?? 0))) || 1;
    say(most, fixed(top, top < 100 ? 2 : 0));
    played.forEach(({ steps, losses }, i) => {
      let path = "";
      losses.forEach((loss, at) => {
        if (loss === null) return;
        path += `${path ? "L" : "M"}${((1000 * steps[at]) / (last || 1)).toFixed(1)} ${(98 - (94 * loss) / top).toFixed(1)}`;
      });
      set(paths[i], { d: path });
    });
  };
  /** @param {number} share */
  const show = (share) => {
    cursor.style.left = `${100 * share}%`;
  };
  return { element, lay, show };
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
function legend({ runs, largest: [weight, gradient, score] }) {
  /** @param {string} name @param {string} kind @param {string} low @param {string} high */
  const bar = (name, kind, low, high) =>
    make(
      "span",
      { class: "rep-key" },
      `${name} `,
      make("span", {}, low),
      make("i", { class: `rep-${kind}` }),
      make("span", {}, high),
    );
  const [w, g, s] = [fixed(weight), inTwoDigits(gradient), fixed(score)];
  const scored = runs.some(({ layers }) => layers.some(hasScores));
  return make(
    "div",
    { class: "rep-legend" },
    bar("weights", "signed", `−${w}`, w),
    bar("gradients (small ones shown stronger)", "signed", `−${g}`, g),
    bar("attention", "weight", "0", "1"),
    ...(scored ? [bar("scores", "signed", `−${s}`, s)] : []),
  );
}

export default { render };
