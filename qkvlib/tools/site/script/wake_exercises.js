/* All exercises of a page, and the work in them, which can be downloaded as a notebook. */

import { open } from "./check/owner.js";
import { makeExercise } from "./exercise.js";
import { recall } from "./storage.js";
import { offerWork } from "./work.js";

/** @import { Addresses } from "./check/owner.js" */
/** @import { Tell } from "./check/files.js" */

/**
 * What the page knows about its exercises.
 * @typedef {{ chapter: number, lesson: string, notebook: string, checker: Addresses }} About
 */

/** Start all exercises. @param {About} about */
export function wake({ chapter, lesson, notebook, checker }) {
  const python = open(checker); // Python starts with the first check
  /** @type {ReturnType<typeof makeExercise>[]} */
  const exercises = [];
  /** Return this lesson's exercises up to one of them, as a notebook would have run them. */
  const sourcesDownTo = (/** @type {number} */ last) =>
    exercises
      .slice(0, last + 1)
      .map(({ name, stub }) => /** @type {[string, string]} */ ([name, recall("code", name) ?? stub]));
  const places = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-exercise]")]);
  places.forEach((place, at) => {
    const name = place.dataset.exercise ?? "";
    const judge = (/** @type {Tell} */ tell) => python.check(name, sourcesDownTo(at), tell);
    exercises.push(makeExercise(place, chapter, judge));
  });
  const names = exercises.map(({ name }) => name);
  offerWork(lesson, notebook, names);
}
