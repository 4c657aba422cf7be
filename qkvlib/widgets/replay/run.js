/* The maps of one run at a step: weights, gradients and attention. */

import { draw, make, say } from "../kit/dom.js";
import { makeMap } from "../kit/maps.js";
import { fixed } from "../kit/words.js";
import { layLooks } from "./attention_maps.js";
import { placeOf } from "./frames.js";
import { fill, makeMoment } from "./moment.js";
import { layMatrices } from "./weight_maps.js";

/** @import { Inks, NumberMap } from "../kit/maps.js" */
/** @import { Frames, ReplaySetup, Run } from "./frames.js" */
/** @import { Maps, Source } from "./moment.js" */

/** @typedef {(key: string, row: number | null, column: number) => void} Point */

/**
 * Make everything for one run: its numbers at the moment, and the maps that show them.
 * @param {Run} run @param {ReplaySetup} setup @param {number} which @param {Point} point
 */
export function makeRun(run, setup, which, point) {
  const { element, loss, box } = makeSection(run, setup, which);
  const moment = makeMoment(run.widths);
  /** @type {({ key: string, map: NumberMap } & Source)[]} */
  let shown = [];
  /** @type {Maps} */
  const maps = {
    ...{ setup, moment, scaling: [] },
    add(key, options, source) {
      const map = makeMap({
        ...options,
        point: (row, column) => point(key, row, column),
        leave: () => point(key, null, 0),
      });
      shown.push({ key, map, ...source });
      return map.element;
    },
  };
  /**
   * Lay out the maps of a layer and an example.
   * @param {number} index @param {number} example @param {number} room  how wide its attention may be
   */
  const lay = (index, example, room) => {
    const layer = run.layers[index];
    [shown, maps.scaling] = [[], []];
    const below = make("div", { class: "rep-below" }, ...layLooks(run, index, example, room, maps));
    box.replaceChildren(layMatrices(layer, maps), below);
  };
  /** @param {Frames} played @param {number} step @param {number} index @param {Inks} inks */
  const show = (played, step, index, inks) => {
    say(loss, lossAt(played, step));
    fill(moment, played, step, run.layers[index]);
    for (const scale of maps.scaling) scale();
    for (const { map, source, at, number } of shown) map.show(moment[source], at, inks, number);
  };
  /** Return the words for a cell. @param {string} key @param {number} row @param {number} column */
  const wordsOf = (key, row, column) => shown.find((one) => one.key === key)?.words(row, column) ?? "";
  /** @param {string} key @param {number | null} row @param {number} column */
  const mark = (key, row, column) => {
    for (const one of shown) one.map.mark(one.key === key ? row : null, column);
  };
  return { element, lay, show, wordsOf, mark, name: run.name };
}

/** @param {Run} run @param {ReplaySetup} setup @param {number} which */
function makeSection(run, { runs }, which) {
  const line = draw(
    "svg",
    { class: "rep-sample", viewBox: "0 0 24 8" },
    draw("path", { d: "M0 4H24", "data-run": which }),
  );
  const loss = make("span");
  const name = runs.length > 1 ? [line, make("strong", {}, run.name)] : [];
  const box = make("div", { class: "rep-maps" });
  const element = make(
    "section",
    { class: "rep-run", "aria-label": run.name },
    make("div", { class: "rep-head" }, ...name, loss),
    box,
  );
  return { element, loss, box };
}

/** @param {Frames} played @param {number} step */
function lossAt({ steps, losses, accuracy }, step) {
  const place = placeOf(steps, step);
  const words = [`loss ${fixed(losses[place], 3)}`];
  if (accuracy.length) words.push(`accuracy ${fixed(accuracy[place])}`);
  return words.join(" · ");
}
