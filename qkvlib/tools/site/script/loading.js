/* Show how much of Python has been loaded into the page, as a bar and in words. */

import { say } from "../../../widgets/kit/dom.js";

/** @import { Loading } from "./check/files.js" */

/** Show it in an element, until `hide`. @param {HTMLElement} place */
export function makeLoading(place) {
  const bar = /** @type {HTMLProgressElement} */ (place.querySelector("progress"));
  const words = /** @type {HTMLElement} */ (place.querySelector("span"));
  return {
    show(/** @type {Loading} */ now) {
      place.hidden = false;
      if (now.total) bar.value = now.loaded / now.total;
      else bar.removeAttribute("value");
      say(words, inWords(now));
    },
    hide() {
      place.hidden = true;
    },
  };
}

/** Describe the progress of all files together. @param {Loading} now */
export function inWords({ loaded, total }) {
  if (!total) return "Starting Python.";
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
  return `Loading Python: ${megabytes(Math.max(total - loaded, 0))} of ${megabytes(total)} MB left.`;
}
