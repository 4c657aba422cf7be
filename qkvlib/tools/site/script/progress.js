/* A reader's progress: download it as a file, load it in another browser, or delete it. */

import { takeAway } from "./file.js";
import { everything, keep, progressIn, split } from "./storage.js";

/** Make the buttons work; `changed` is called after the progress has changed. @param {() => void} changed */
export function offerProgress(changed) {
  const place = document.querySelector(".yours");
  const told = place?.querySelector('[role="status"]');
  if (!place || !told) return;
  const tell = (/** @type {string} */ words) => {
    told.textContent = words;
    changed();
  };
  place.querySelector(".take")?.addEventListener("click", () => {
    const kept = everything();
    takeAway("qkvlib-progress.json", JSON.stringify({ qkvlib: 1, kept }, null, 1), "application/json");
    tell(`${facts(Object.keys(kept).length)} in the file qkvlib-progress.json.`);
  });
  const file = /** @type {HTMLInputElement} */ (place.querySelector('input[type="file"]'));
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    const found = chosen && progressIn(await chosen.text());
    file.value = ""; // so that the same file can be chosen again
    if (!found) {
      tell(`${chosen?.name} holds no progress of this course. Choose the file that was taken away.`);
      return;
    }
    for (const [name, value] of found) keep(...split(name), value);
    tell(`${facts(found.length)} brought back.`);
  });
  place.querySelector(".forget")?.addEventListener("click", () => {
    const names = Object.keys(everything());
    if (!confirm("Forget every prediction, answer, goal and exercise in this browser?")) return;
    for (const name of names) keep(...split(name), null);
    tell(`${facts(names.length)} forgotten.`);
  });
}

/** @param {number} count */
const facts = (count) => `${count} ${count === 1 ? "fact" : "facts"}`;
