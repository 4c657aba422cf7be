/* A learner's work in a chapter: download it as the lesson's notebook, and load it from one. */

import { takeAway } from "./file.js";
import { filled, notebookIn, workIn } from "./notebook.js";
import { chooseAgain, chosenUnder, namesOfChosen } from "./predictions.js";
import { keeps } from "./storage.js";
import { written } from "./written.js";

/** @import { Work } from "./notebook.js" */
/** @typedef {{ name: string, stub: string, replace: (text: string) => void }} Exercise */

/** @typedef {ReturnType<typeof partsOf>} Parts */

/**
 * Make the buttons work.
 * @param {string} lesson  its name
 * @param {string} address  of the untouched notebook
 * @param {Exercise[]} exercises
 */
export function offerWork(lesson, address, exercises) {
  const place = /** @type {HTMLElement | null} */ (document.querySelector(".work"));
  if (!place) return;
  const page = partsOf(place, lesson, exercises);
  const { take, undo, file, status } = page;
  /** @type {Work | null} */
  let before = null;
  take.addEventListener("click", () => takeNotebook(page, address));
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    const work = await workOf(page, chosen);
    if (!work) return;
    before = present(page);
    put(page, work, false);
    undo.hidden = false;
    status.textContent = `${amount(work)} brought back. Check tells how each stands.`;
  });
  undo.addEventListener("click", () => {
    if (before) put(page, before, true);
    undo.hidden = true;
    take.focus();
    status.textContent = "All is as it was before.";
  });
  for (const one of [take, file]) one.toggleAttribute("disabled", false);
  if (!keeps()) status.textContent = "This browser keeps nothing. Take it away before you close the page.";
}

/** @param {HTMLElement} place @param {string} lesson @param {Exercise[]} exercises */
function partsOf(place, lesson, exercises) {
  const find = (/** @type {string} */ which) => /** @type {HTMLElement} */ (place.querySelector(which));
  return {
    ...{ lesson, exercises },
    take: find(".take"),
    undo: find(".undo"),
    status: find('[role="status"]'),
    file: /** @type {HTMLInputElement} */ (find('input[type="file"]')),
    words: /** @type {HTMLTextAreaElement | null} */ (document.querySelector("textarea[data-answer]")),
    choices: namesOfChosen(lesson.slice(0, 2)),
  };
}

/** Return the learner's work on this page. @param {Parts} page @returns {Work} */
function present({ exercises, words, choices }) {
  const texts = exercises.map(({ name }) => /** @type {const} */ ([name, written(name)]));
  return {
    code: Object.fromEntries(texts.flatMap(([name, text]) => (text === null ? [] : [[name, text]]))),
    words: words?.value ?? "",
    chosen: chosenUnder(choices),
  };
}

/**
 * Put work into the page.
 * @param {Parts} page @param {Work} work
 * @param {boolean} whole  whether what it lacks is emptied
 */
function put({ exercises, words, choices }, work, whole) {
  for (const { name, stub, replace } of exercises) {
    const text = work.code[name] ?? (whole ? stub : undefined);
    if (text !== undefined) replace(text);
  }
  if (words && (whole || work.words)) {
    words.value = work.words;
    words.dispatchEvent(new Event("input"));
  }
  chooseAgain(choices, whole ? work.chosen : { ...chosenUnder(choices), ...work.chosen });
}

/** @param {Parts} page @param {string} address  of the untouched notebook */
async function takeNotebook(page, address) {
  const { lesson, status } = page;
  const answer = await fetch(new URL(address, document.baseURI)).catch(() => null);
  if (!answer?.ok) {
    status.textContent = "The notebook could not be loaded. Try again when you are connected.";
    return;
  }
  const work = present(page);
  const notebook = filled(await answer.json(), work);
  const text = `${JSON.stringify(notebook, null, 1)}\n`;
  takeAway(`${lesson}.ipynb`, text, "application/x-ipynb+json");
  status.textContent = `${amount(work)} in the notebook ${lesson}.ipynb.`;
}

/**
 * Return the work in a file; null if there is none, and the page says why.
 * @param {Parts} page
 * @param {File} chosen
 */
async function workOf({ lesson, exercises, choices, file, status }, chosen) {
  const stubs = Object.fromEntries(exercises.map(({ name, stub }) => [name, stub]));
  const notebook = notebookIn(await chosen.text());
  file.value = ""; // so that the same file can be chosen again
  const work = notebook && workIn(notebook, stubs, choices);
  if (work && parts(work).length) return work;
  status.textContent = notebook
    ? `${chosen.name} holds no work of this chapter. Choose ${lesson}.ipynb.`
    : `${chosen.name} is no notebook. Choose ${lesson}.ipynb.`;
  return null;
}

/** "2 exercises, the answer in words and 1 choice". @param {Work} work */
function amount(work) {
  const [last = "Nothing of yours", ...before] = parts(work).reverse();
  return before.length ? `${before.reverse().join(", ")} and ${last}` : last;
}

/** Describe the parts of a learner's work in words. @param {Work} work */
function parts({ code, words, chosen }) {
  const choices = Object.keys(chosen).filter((name) => name.startsWith("predictions/"));
  return [
    ...counted(Object.keys(code).length, "exercise"),
    ...(words.trim() ? ["the answer in words"] : []),
    ...counted(choices.length, "choice"),
  ];
}

/** @param {number} count @param {string} what */
const counted = (count, what) => (count ? [`${count} ${what}${count === 1 ? "" : "s"}`] : []);
