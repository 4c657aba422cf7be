/* A learner's work in a chapter: taken away as the lesson's notebook, and brought back from one. */

import { takeAway } from "./file.js";
import { keeps } from "./kept.js";
import { filled, notebookIn, workIn } from "./notebook.js";
import { chooseAgain, chosenUnder, namesOfChosen } from "./predictions.js";
import { written } from "./written.js";

/** @import { Work } from "./notebook.js" */
/** @typedef {{ name: string, stub: string, replace: (text: string) => void }} Exercise */

/**
 * Make the buttons work.
 * @param {string} lesson  its name
 * @param {string} address  of the untouched notebook
 * @param {Exercise[]} exercises
 */
export function offerWork(lesson, address, exercises) {
  const place = /** @type {HTMLElement | null} */ (document.querySelector(".work"));
  if (!place) return;
  const find = (/** @type {string} */ which) =>
    /** @type {HTMLElement} */ (place.querySelector(which));
  const [take, undo, told] = [".take", ".undo", '[role="status"]'].map(find);
  const file = /** @type {HTMLInputElement} */ (find('input[type="file"]'));
  const words = /** @type {HTMLTextAreaElement | null} */ (
    document.querySelector("textarea[data-answer]")
  );
  const stubs = Object.fromEntries(exercises.map(({ name, stub }) => [name, stub]));
  const choices = namesOfChosen(lesson.slice(0, 2));
  /** @type {Work | null} */
  let before = null;

  /** @returns {Work} */
  const present = () => ({
    code: Object.fromEntries(
      exercises.flatMap(({ name }) => {
        const text = written(name);
        return text === null ? [] : [[name, text]];
      }),
    ),
    words: words?.value ?? "",
    chosen: chosenUnder(choices),
  });
  const put = (/** @type {Work} */ work, /** @type {boolean} */ whole) => {
    for (const { name, stub, replace } of exercises) {
      const text = work.code[name] ?? (whole ? stub : undefined);
      if (text !== undefined) replace(text);
    }
    if (words && (whole || work.words)) {
      words.value = work.words;
      words.dispatchEvent(new Event("input"));
    }
    chooseAgain(choices, whole ? work.chosen : { ...chosenUnder(choices), ...work.chosen });
  };

  take?.addEventListener("click", async () => {
    const answer = await fetch(new URL(address, document.baseURI)).catch(() => null);
    if (!answer?.ok) {
      told.textContent = "The notebook could not be loaded. Try again when you are connected.";
      return;
    }
    const work = present();
    const notebook = filled(await answer.json(), work);
    takeAway(
      `${lesson}.ipynb`,
      `${JSON.stringify(notebook, null, 1)}\n`,
      "application/x-ipynb+json",
    );
    told.textContent = `${amount(work)} in the notebook ${lesson}.ipynb.`;
  });

  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    const notebook = notebookIn(await chosen.text());
    file.value = ""; // the same file can be chosen again
    const work = notebook && workIn(notebook, stubs, choices);
    if (!work || !parts(work).length) {
      told.textContent = notebook
        ? `${chosen.name} holds no work of this chapter. Choose ${lesson}.ipynb.`
        : `${chosen.name} is no notebook. Choose ${lesson}.ipynb.`;
      return;
    }
    before = present();
    put(work, false);
    undo.hidden = false;
    told.textContent = `${amount(work)} brought back. Check tells how each stands.`;
  });

  undo?.addEventListener("click", () => {
    if (before) put(before, true);
    undo.hidden = true;
    take.focus();
    told.textContent = "All is as it was before.";
  });
  for (const one of [take, file]) one.toggleAttribute("disabled", false);
  if (!keeps())
    told.textContent = "This browser keeps nothing. Take it away before you close the page.";
}

/** "2 exercises, the answer in words and 1 choice". @param {Work} work */
function amount(work) {
  const [last = "Nothing of yours", ...before] = parts(work).reverse();
  return before.length ? `${before.reverse().join(", ")} and ${last}` : last;
}

/** What there is of a learner's work, each in words. @param {Work} work */
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
