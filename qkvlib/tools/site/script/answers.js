/* Answers in words: written on the page, kept in the browser. */

import { keep, recall } from "./storage.js";

/** Let every field remember what is written in it. */
export function keepAnswers() {
  for (const field of /** @type {NodeListOf<HTMLTextAreaElement>} */ (
    document.querySelectorAll("textarea[data-answer]")
  )) {
    const name = field.dataset.answer ?? "";
    field.value = recall("answers", name) ?? "";
    field.addEventListener("input", () => keep("answers", name, field.value || null));
  }
}
