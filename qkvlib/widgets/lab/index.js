import { make, watchSize } from "../kit/dom.js";
import { makeFlash } from "../kit/flash.js";
import { goalStrip } from "../kit/goal_strip.js";
import { keep } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { makeInks } from "../kit/maps.js";
import { owning } from "../kit/owner.js";
import { announcer, mount } from "../kit/page.js";
import { makeBar, makeHeadMaps, makeLocks, makeLossCard, makePlayer } from "./controls.js";
import { changedCells, moved, settle, show } from "./drawing.js";
import { fit } from "./fit.js";
import { listen, rest } from "./hand.js";
import { equation, makeLights, makeMatrices, makePainter, makeWires } from "./picture.js";
import { makeProgram } from "./program.js";
import { makeTraces } from "./traces.js";
import { makeWalk } from "./walk.js";

/** @import { Gate } from "../kit/owner.js" */
/** @import { RenderProps } from "@anywidget/types" */
/** @import { Place, Setup, State } from "./numbers.js" */
/** @import { Words } from "./words.js" */

/**
 * @typedef {RenderProps<{ setup: Setup, state: State, shown: { head?: number } }>} Given
 *
 * @typedef {{ place: Place, value: number, way: number, moved: boolean }} Drag  a weight in hand
 *
 * @typedef {() => Words} Why  explains why the learner cannot do something
 *
 * @typedef {ReturnType<typeof makeLab>} Lab  the parts of the lab on a page, and the page's own state
 */

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const { root, gate, ended, unmount } = mount(
    given,
    "lab",
    "Attention lab",
    () => moved(lab),
    owning(makeProgram),
  );
  const lab = makeLab(model, root, gate, ended);
  layOut(lab);
  listen(lab);
  followBar(lab);
  watchSize(root, ended, () => refit(lab));
  ended.addEventListener("abort", lab.player.pause);
  show(lab);
  changedCells(lab); // from here on
  return unmount;
}

/**
 * Make the lab's parts. @param {Given["model"]} model @param {HTMLElement} root
 * @param {Gate} gate @param {AbortSignal} ended
 */
function makeLab(model, root, gate, ended) {
  const setup = model.get("setup");
  const matrices = makeMatrices(setup);
  const picture = make("div", { class: "lab-picture" });
  const wires = makeWires(picture, matrices);
  const bar = makeBar(setup, model.get("state").rate, (view) => {
    lab.view = view;
    gate.ask({ do: "view", choice: view });
    show(lab);
    settle(lab);
  });
  const walk = makeWalk(() => show(lab));
  const inks = makeInks(root, ended, () => settle(lab));
  const lab = {
    ...{ model, setup, root, gate, matrices, picture, wires, bar, walk, inks },
    announce: announcer(root, ended),
    flash: makeFlash(),
    stage: make("div", { class: "lab-stage" }),
    side: make("div", { class: "lab-side" }),
    line: make("div", { class: "lab-line" }),
    words: make("p", { class: "lab-words" }),
    trouble: make("p", { class: "lab-trouble", role: "alert" }),
    strip: setup.goal ? goalStrip(setup.goal, false) : undefined,
    lossCard: makeLossCard(ended, () => show(lab)),
    headMaps: makeHeadMaps(setup, (head) => {
      lab.head = head;
      keep(model, { head });
    }),
    traces: makeTraces(setup.sizes.target ? matrices : {}, ended, () => show(lab)),
    locks: makeLocks(matrices),
    painter: makePainter(matrices, inks),
    light: makeLights(picture, matrices, wires, walk),
    player: makePlayer(gate, /** @returns {number} */ () => lab.gesture),
    /** The chosen head. @type {number} */
    head: model.get("shown").head ?? 0,
    /** @type {string} */
    view: model.get("state").view,
    /** The number of the gesture; Undo takes back one gesture at a time. */
    gesture: 0,
    /** The cell that is pointed at. @type {Place | null} */
    pointed: null,
    /** @type {Place | null} */
    focused: null,
    /** @type {Drag | null} */
    drag: null,
    /** Why the learner's last attempt did nothing. @type {Why | null} */
    refused: null,
    /** Whether the learner has let go since the colours were last scaled to the numbers. */
    loose: false,
  };
  return lab;
}

/** Lay out the parts. @param {Lab} lab */
function layOut(lab) {
  const { root, setup, walk, picture, stage, line } = lab;
  if (setup.heads > 1) lab.side.append(lab.headMaps.box);
  if (setup.sizes.target) lab.side.append(lab.lossCard.box);
  picture.append(lab.wires.svg, ...equation(lab.matrices), lab.side);
  stage.append(picture, walk.steps, walk.box);
  line.append(lab.trouble, lab.words, walk.sums); // one place for all messages
  root.prepend(lab.bar.box, stage, line);
  if (lab.strip) root.prepend(lab.strip.strip);
  lab.bar.box.after(lab.gate.patience); // it explains, and nothing waits for it
}

/** Choose a layout for the available room, and then draw the wires. @param {Lab} lab */
function refit(lab) {
  const around = [lab.strip?.strip, lab.bar.box, lab.line].filter((part) => part !== undefined);
  fit(lab.root, lab.setup, around);
  settle(lab);
}

/** React to the buttons of the bar. @param {Lab} lab */
function followBar(lab) {
  const { gate, player, bar } = lab;
  bar.step.addEventListener("click", () => {
    player.pause();
    gate.ask({ do: "step", gesture: ++lab.gesture });
  });
  bar.play.addEventListener("click", () => {
    lab.gesture++;
    player.toggle();
    if (!player.playing) rest(lab);
    show(lab);
  });
  bar.rates.addEventListener("change", () => gate.ask({ do: "rate", choice: Number(bar.rates.value) }));
  for (const name of /** @type {const} */ (["undo", "reset"]))
    bar[name].addEventListener("click", () => {
      player.pause();
      lab.loose = true;
      gate.ask({ do: name });
    });
}

export default { initialize, render };
