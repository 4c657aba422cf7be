/* A goal's strip on top of a widget; goals.py says how far one has come. */

import { make, say, set } from "./dom.js";
import { emphasised } from "./words.js";

/**
 * @typedef {{ words: string, met_before: boolean }} GoalSetup
 * @typedef {{ met: boolean, share: number, words: string }} Standing  how far one has come
 */

/**
 * The strip that says a goal, how far one has come, and when it is met.
 * @param {GoalSetup} goal
 */
export function goalStrip(goal) {
  const name = make("span", { class: "qkv-goal-name" });
  const bar = make("div");
  const status = make("span", { role: "status" });
  const meter = make(
    "div",
    { class: "qkv-goal-bar", role: "progressbar", "aria-label": "way to the goal" },
    bar,
  );
  const strip = make(
    "div",
    { class: "qkv-goal" },
    name,
    make("span", { class: "qkv-goal-words" }, ...emphasised(goal.words)),
    make("span", { class: "qkv-goal-way", "data-computed": true }, meter, status),
  );
  let before = goal.met_before;
  /** @param {Standing} standing */
  const show = (standing) => {
    before ||= standing.met;
    const percent = Math.round(100 * (standing.met ? 1 : standing.share));
    say(name, standing.met ? "✓ Goal met" : before ? "Goal (met before)" : "Goal");
    say(status, standing.words);
    set(strip, { "data-met": standing.met });
    set(meter, { "aria-valuenow": percent });
    bar.style.width = `${percent}%`;
  };
  return { strip, show };
}
