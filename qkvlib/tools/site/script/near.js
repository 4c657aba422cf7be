/*
 * Load the editors when an exercise comes near the screen: after the text, and after the widgets
 * that are near.
 */

import { NEAR, settled } from "./wake.js";

/** Load the editors of this page, and the buttons for downloading the work. */
export function wakeExercises() {
  const about = document.querySelector("#exercises");
  if (!about) return;
  const { module, ...known } = JSON.parse(about.textContent ?? "");
  const watcher = new IntersectionObserver(
    async (seen) => {
      if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
      watcher.disconnect();
      await new Promise(requestAnimationFrame); // the widgets' observer may fire after this one
      await settled();
      const { wake } = await import(new URL(module, document.baseURI).href);
      wake(known);
    },
    { rootMargin: NEAR },
  );
  for (const place of document.querySelectorAll("[data-exercise], .work")) watcher.observe(place);
}
