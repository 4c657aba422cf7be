/* The frame of a page: light or dark, what is kept, words that close again. */

import { forget, keep, keeps, recall } from "./kept.js";

/** The switch between light, dark and the system's; a script in the page's head has read it first. */
export function offerThemes() {
  const choice = /** @type {HTMLSelectElement | null} */ (document.querySelector("#theme"));
  if (!choice) return;
  choice.value = recall("theme", "chosen") ?? "system";
  choice.addEventListener("change", () => {
    const { dataset } = document.documentElement;
    if (choice.value === "system") {
      forget("theme", "chosen");
      delete dataset.theme;
    } else {
      keep("theme", "chosen", choice.value);
      dataset.theme = choice.value;
    }
  });
}

/** Where a line of code speaks of this site's address, it is this one. */
export function tellAddress() {
  const here = new URL(".", document.baseURI).href.replace(/\/$/, "");
  for (const place of document.querySelectorAll("code.address"))
    place.textContent = (place.textContent ?? "").replaceAll("ADDRESS", here);
}

/** Where the page says that something is kept, a browser that keeps nothing says so. */
export function tellWhatIsKept() {
  if (keeps()) return;
  for (const place of document.querySelectorAll(".kept"))
    place.textContent = "This browser keeps nothing once the page is closed.";
}

/** Escape puts a word's meaning away. */
export function closeMeanings() {
  document.addEventListener("keydown", ({ key }) => {
    const { activeElement } = document;
    if (key === "Escape" && activeElement instanceof HTMLElement && activeElement.matches(".word"))
      activeElement.blur();
  });
}
