/* The map: what this reader has done in each chapter. */

import { count, recall } from "./storage.js";

/** Fill in each chapter's place on the map. */
export function showProgress() {
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-chapter]"))) {
    const { chapter = "", questions = "0", goals = "0", exercises = "" } = place.dataset;
    const names = exercises.split(" ").filter(Boolean);
    const solved = names.filter((name) => recall("exercises", name) === "right");
    const told = [
      share(count("predictions", chapter), Number(questions), "question", "answered"),
      share(count("goals", chapter), Number(goals), "goal", "met"),
      share(solved.length, names.length, "exercise", "solved"),
    ];
    place.textContent = told.filter(Boolean).join(", ");
  }
}

/**
 * Write "2 of 4 questions answered"; nothing if there is nothing to do.
 * @param {number} done @param {number} all @param {string} what @param {string} how
 */
export function share(done, all, what, how) {
  return all ? `${Math.min(done, all)} of ${all} ${what}${all === 1 ? "" : "s"} ${how}` : "";
}
