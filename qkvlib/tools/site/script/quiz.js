/*
 * The result of a quiz: a count, and what to read again; course/quiz.py does the same for Python.
 */

import { make } from "../../../widgets/kit/dom.js";
import { CHANGED, chosen } from "./predictions.js";

/** @import { Asked } from "./predictions.js" */

const REREAD = /Reread chapter (\d+), “(.+?)”/;

/** Show it in its place, and update it after each answer. */
export async function tellQuiz() {
  const place = /** @type {HTMLElement | null} */ (document.querySelector("[data-quiz]"));
  if (!place) return;
  const answer = await fetch(new URL(place.dataset.quiz ?? "", document.baseURI));
  /** @type {{ asked: Asked[], pages: Record<string, string> }} */
  const { asked, pages } = await answer.json();
  const tell = () => {
    const { count, again } = result(asked.map(chosen));
    place.replaceChildren(make("p", {}, count));
    if (!again.length) return;
    const links = again.map(([chapter, section]) => {
      const href = `${pages[chapter]}#${encodeURIComponent(section.replaceAll(" ", "-"))}`;
      return make("li", {}, make("a", { href }, `chapter ${chapter}, ${section}`));
    });
    place.append("To read again:", make("ul", {}, ...links));
  };
  tell();
  document.addEventListener(CHANGED, tell);
}

/**
 * Return the count in words, and the sections to read again, in order.
 * @param {import("../../../widgets/predict/index.js").PredictState[]} states
 */
export function result(states) {
  const right = states.filter(({ choice, outcome }) => choice !== null && choice === outcome).length;
  const open = states.filter(({ choice }) => choice === null).length;
  const rest = open ? `, ${open} not answered yet` : "";
  /** @type {Map<string, [string, string]>} */
  const places = new Map();
  for (const { choice, outcome, because } of states) {
    const [place, chapter, section] = (choice !== outcome && REREAD.exec(because)) || [];
    if (place && chapter && section) places.set(place, [chapter, section]);
  }
  const again = [...places.values()].sort(([one], [other]) => Number(one) - Number(other));
  return { count: `${right} of ${states.length} right${rest}`, again };
}
