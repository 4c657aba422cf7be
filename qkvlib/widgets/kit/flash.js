/* Mark for a moment whatever a move has changed. */

const MOMENT_MS = 900;
const FADE = [
  { backgroundColor: "color-mix(in srgb, var(--qkv-ink) 30%, transparent)" },
  { backgroundColor: "transparent" },
];

/** Make a function that marks only the given elements. @returns {(elements: Element[]) => void} */
export function makeFlash() {
  /** @type {Animation[]} */
  let marks = [];
  return (elements) => {
    for (const mark of marks) mark.cancel();
    // If the user prefers reduced motion, a mark does not fade: it appears and disappears.
    const easing = matchMedia("(prefers-reduced-motion: reduce)").matches ? "steps(1)" : "ease-out";
    marks = elements.map((element) => element.animate(FADE, { duration: MOMENT_MS, easing }));
  };
}
