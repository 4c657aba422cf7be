/* The texts in the exercises' editors. */

import { forget, keep, recall } from "./storage.js";

/** Return what is written for an exercise; null if nothing is. @param {string} name */
export const written = (name) => recall("code", name);

/** @param {string} name @param {string | null} text  null: nothing is written any more */
export function write(name, text) {
  if (text === null) forget("code", name);
  else keep("code", name, text);
}
