/* Download a learner's work in a chapter as the lesson's notebook. */

import { takeAway } from "./file.js";
import { filled } from "./notebook.js";
import { keeps, recall } from "./storage.js";

/** @import { Work } from "./notebook.js" */

/**
 * Make the button work.
 * @param {string} lesson  its name
 * @param {string} address  of the untouched notebook
 * @param {string[]} exercises  their names
 */
export function offerWork(lesson, address, exercises) {
  const take = /** @type {HTMLButtonElement | null} */ (document.querySelector(".work .take"));
  const status = document.querySelector('.work [role="status"]');
  if (!take || !status) return;
  take.addEventListener("click", async () => {
    const answer = await fetch(new URL(address, document.baseURI)).catch(() => null);
    if (!answer?.ok) {
      status.textContent = "The notebook could not be loaded. Try again when you are connected.";
      return;
    }
    const work = present(exercises);
    const notebook = filled(await answer.json(), work);
    takeAway(`${lesson}.ipynb`, `${JSON.stringify(notebook, null, 1)}\n`, "application/x-ipynb+json");
    status.textContent = `${amount(work)} in the notebook ${lesson}.ipynb.`;
  });
  take.disabled = false;
  if (!keeps()) status.textContent = "This browser keeps nothing. Take it away before you close the page.";
}

/** Return the learner's work on this page. @param {string[]} exercises @returns {Work} */
function present(exercises) {
  const words = /** @type {HTMLTextAreaElement | null} */ (document.querySelector("textarea[data-answer]"));
  const texts = exercises.map((name) => /** @type {const} */ ([name, recall("code", name)]));
  return {
    code: Object.fromEntries(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text]]))),
    words: words?.value ?? "",
  };
}

/** "2 exercises and the answer in words". @param {Work} work */
function amount({ code, words }) {
  const many = Object.keys(code).length;
  const parts = [];
  if (many) parts.push(many === 1 ? "1 exercise" : `${many} exercises`);
  if (words.trim()) parts.push("the answer in words");
  return parts.join(" and ") || "Nothing of yours";
}
