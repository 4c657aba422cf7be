/*
 * Everything around a page's text: light or dark, the note on stored progress, popups that close.
 */

import { set } from "../../../widgets/kit/dom.js";
import { keep, keeps, recall } from "./storage.js";

/** Switch between light, dark and the system's theme; a script in the page's head has applied it already. */
export function offerThemes() {
  const choice = /** @type {HTMLSelectElement | null} */ (document.querySelector("#theme"));
  if (!choice) return;
  choice.value = recall("theme", "chosen") ?? "system";
  choice.addEventListener("change", () => {
    const chosen = choice.value === "system" ? null : choice.value;
    keep("theme", "chosen", chosen);
    set(document.documentElement, { "data-theme": chosen });
  });
}

/** Where code contains this site's address, insert the present one. */
export function tellAddress() {
  const here = new URL(".", document.baseURI).href.replace(/\/$/, "");
  for (const place of document.querySelectorAll("code.address"))
    place.textContent = (place.textContent ?? "").replaceAll("ADDRESS", here);
}

/** Where the page says that something is stored, say so if this browser stores nothing. */
export function tellWhatIsKept() {
  if (keeps()) return;
  for (const place of document.querySelectorAll(".kept"))
    place.textContent = "This browser keeps nothing once the page is closed.";
}

/** Close a word's explanation with Escape. */
export function closeMeanings() {
  document.addEventListener("keydown", ({ key }) => {
    const { activeElement } = document;
    if (key === "Escape" && activeElement instanceof HTMLElement && activeElement.matches("dfn"))
      activeElement.blur();
  });
}
