/* Download a file. */

import { make } from "../../../widgets/kit/dom.js";

/** @param {string} name @param {string} text @param {string} type */
export function takeAway(name, text, type) {
  const href = URL.createObjectURL(new Blob([text], { type }));
  make("a", { href, download: name }).click();
  URL.revokeObjectURL(href);
}
