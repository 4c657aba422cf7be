/* What is written in the exercises: kept in the browser at once, else as long as the page is open. */

import { forget, keep, recall } from "./kept.js";

/** @type {Map<string, string | null>} */
const here = new Map();

/** What is written for an exercise; null where nothing is. @param {string} name */
export function written(name) {
  return here.has(name) ? (here.get(name) ?? null) : recall("code", name);
}

/** @param {string} name @param {string | null} text  null: nothing is written any more */
export function write(name, text) {
  here.set(name, text);
  if (text === null) forget("code", name);
  else keep("code", name, text);
}

/** Whether this browser keeps anything. */
export function keeps() {
  keep("theme", "tried", "yes");
  const kept = recall("theme", "tried") === "yes";
  forget("theme", "tried");
  return kept;
}
