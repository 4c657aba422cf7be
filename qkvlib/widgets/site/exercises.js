/* All exercises of a page, and the work in them: taken away as a notebook, and brought back. */

import { make } from "../kit/dom.js";
import { lacks, makeAsking } from "./checker.js";
import { makeExercise } from "./exercise.js";
import { offerWork } from "./work.js";
import { keeps, written } from "./written.js";

/**
 * What the page knows of its exercises.
 * @typedef {{ chapter: number, lesson: string, notebook: string, owner: string,
 *   addresses: Record<string, string> }} About
 */

/** Wake them all. @param {About} about */
export function wake({ chapter, lesson, notebook, owner, addresses }) {
  const ask = makeAsking(owner, addresses);
  const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-exercise]")]);
  /** @type {ReturnType<typeof makeExercise>[]} */
  const exercises = [];
  /** This lesson's exercises up to one of them, as a notebook would have run them. */
  const sourcesUpTo = (/** @type {number} */ last) =>
    exercises
      .slice(0, last + 1)
      .map(({ name, stub }) => /** @type {[string, string]} */ ([name, written(name) ?? stub]));
  places.forEach((place, at) => {
    const name = place.dataset.exercise ?? "";
    exercises.push(makeExercise(place, chapter, (tell) => ask(name, sourcesUpTo(at), tell)));
  });
  places[0]?.append(...lacks(keeps()).map((words) => make("p", { class: "note" }, words)));
  offerWork(lesson, notebook, exercises);
}
