/* The controls of a replay: its button and lists, and the slider. */

import { makeSelect } from "../kit/choice.js";
import { make } from "../kit/dom.js";
import { keep } from "../kit/kernel.js";
import { titleOf } from "../kit/maps.js";
import { placeOf } from "./frames.js";
import { show } from "./picture.js";
import { rest, start, stop, stops } from "./player.js";

/** @import { Replay, Shown } from "./parts.js" */

/** Show another layer, example or part, and remember it. @param {Replay} replay @param {Shown} shown */
export function choose(replay, shown) {
  Object.assign(replay, shown);
  keep(replay.model, shown);
  show(replay);
}

/** Make the lists to choose from. @param {Replay} replay */
export function makeLists(replay) {
  const { layers, examples } = replay.setup.runs[0];
  const names = layers.map(({ name }) => name);
  const titles = examples.map(titleOf);
  const layer = list("Layer", names, replay.layer, (layer) => choose(replay, { layer }));
  const example = list("Example", titles, replay.example, (example) => choose(replay, { example }));
  layer.hidden = layers.length < 2;
  example.hidden = examples.length < 2 || layers.every(({ looks }) => looks === null);
  return { layer, example };
}

/**
 * @param {string} name @param {string[]} options @param {number} chosen
 * @param {(i: number) => void} choose
 */
const list = (name, options, chosen, choose) =>
  make("label", { class: "rep-choice" }, name, " ", makeSelect(name, options, chosen, choose));

/** @param {Replay} replay */
export function listen(replay) {
  const { play, scrubber, axis } = replay;
  play.addEventListener("click", () => (replay.playing ? rest(replay, replay.step) : start(replay)));
  scrubber.addEventListener("input", () => {
    stop(replay);
    replay.step = axis.stepAt(Number(scrubber.value));
    show(replay);
  });
  scrubber.addEventListener("change", () => rest(replay, axis.stepAt(Number(scrubber.value))));
  scrubber.addEventListener("keydown", (event) => pressKey(replay, event));
}

/** @param {Replay} replay @param {KeyboardEvent} event */
function pressKey(replay, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const all = stops(replay);
  const at = placeOf(all, replay.step);
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
  if (event.key === " ") replay.play.click();
  else if (to !== undefined) rest(replay, all[Math.min(Math.max(to, 0), all.length - 1)]);
  else return;
  event.preventDefault();
}
