/* Show a widget's goal in a strip above it; goals.js computes how close the learner is. */

import { make, say, set } from "./dom.js";
import { emphasised } from "./words.js";

/**
 * @typedef {{ words: string, met_before: boolean, ways?: { words: string }[] }} GoalSetup
 *
 * @typedef {object} Standing  how close the learner is
 * @property {boolean} met
 * @property {number} share
 * @property {string} words
 * @property {boolean} [free]  whether it has been met since the widget was made
 * @property {number[]} [found]  which of its ways
 */

/**
 * Make the strip: what the goal is, how close the learner is, and when it is met.
 * @param {GoalSetup} goal
 * @param {boolean} [computed]  whether only the kernel can tell how close the learner is
 */
export function goalStrip(goal, computed = true) {
  const name = make("span", { class: "qkv-goal-name" });
  const bar = make("div");
  const heard = make("span", { class: "qkv-goal-heard" });
  const status = make("span");
  const count = make("span");
  const meter = make(
    "div",
    { class: "qkv-goal-bar", role: "progressbar", "aria-label": "way to the goal" },
    bar,
  );
  const strip = make(
    "div",
    { class: "qkv-goal", style: `--lines: ${goal.ways?.length ? 3 : 1.5}em` },
    name,
    make("span", { class: "qkv-goal-way", "data-computed": computed }, meter, count),
    make("span", { class: "qkv-goal-words" }, ...emphasised(goal.words)),
    make("span", { class: "qkv-goal-status", role: "status", "data-computed": computed }, heard, status),
  );
  let before = goal.met_before;
  /** @param {Standing} standing */
  const show = (standing) => {
    const percent = Math.round(100 * (standing.met ? 1 : standing.share));
    before ||= standing.met || Boolean(standing.free);
    say(name, standing.met ? "✓ Goal met" : before ? "Goal (met before)" : "Goal");
    say(heard, standing.met ? "Goal met. " : "");
    say(status, standing.words);
    say(count, counted(goal.ways ?? [], standing.found ?? []));
    set(strip, { "data-met": standing.met });
    set(meter, { "aria-valuenow": percent });
    bar.style.transform = `scaleX(${percent}%)`;
  };
  return { strip, show };
}

/**
 * Count the ways that were found and name them. The others are not given away.
 * @param {{ words: string }[]} ways @param {number[]} found
 */
function counted(ways, found) {
  if (!ways.length) return "";
  const names = found.map((way) => ways[way].words);
  const some = found.length > 0 && found.length < ways.length;
  return `${found.length} of ${ways.length} ways found${some ? `: ${names.join(", ")}` : ""}`;
}
