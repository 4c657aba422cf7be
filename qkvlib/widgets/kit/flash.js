/* What a move has changed is marked for a moment. */

const MOMENT_MS = 900;
const FADE = [
  { backgroundColor: "color-mix(in srgb, var(--qkv-ink) 30%, transparent)" },
  { backgroundColor: "transparent" },
];

/** Marks elements, and no longer those that it marked before. @returns {(elements: Element[]) => void} */
export function makeFlash() {
  /** @type {Animation[]} */
  let marks = [];
  return (elements) => {
    for (const mark of marks) mark.cancel();
    // Where motion is unwelcome, a mark does not fade: it is there, and then it is not.
    const easing = matchMedia("(prefers-reduced-motion: reduce)").matches ? "steps(1)" : "ease-out";
    marks = elements.map((element) => element.animate(FADE, { duration: MOMENT_MS, easing }));
  };
}
