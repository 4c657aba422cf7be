/*
 * Code, results and everything else that is wider than a page: make it scrollable by keyboard, and
 * do not render it while it is far from the screen.
 */

import { NEAR } from "./wake.js";

/** Let the keyboard reach what is wider than its place; the arrow keys scroll it. */
export function reachScrollers() {
  const watcher = new ResizeObserver((seen) => {
    // An element that is not rendered does not say how wide it is.
    for (const { target } of seen) if (!isResting(target)) offerStop(target);
  });
  for (const place of document.querySelectorAll(".scroll")) watcher.observe(place);
}

/** @param {Element} place */
function offerStop(place) {
  if (place.scrollWidth > place.clientWidth) place.setAttribute("tabindex", "0");
  else place.removeAttribute("tabindex");
}

/**
 * Do not render code and results while they are far from the screen. A page has dozens of them, and
 * a slow processor goes through all of them at each step of a drag. What scrolls sideways is
 * clipped anyway, and its height is reserved, so this is invisible.
 */
export function restWhatIsFar() {
  // An exercise's own code and its results grow and shrink, and so do elements that hold a widget.
  const parts = /** @type {HTMLElement[]} */ ([
    ...document.querySelectorAll(".code.scroll, .output.scroll"),
  ]).filter((part) => !part.closest(".exercise") && !part.querySelector(".place, [data-quiz]"));
  const watcher = new IntersectionObserver(
    (seen) => {
      const heights = seen.map(({ target }) => innerHeightOf(target));
      seen.forEach(({ target, isIntersecting }, at) => {
        const { style } = /** @type {HTMLElement} */ (target);
        const rests = !isIntersecting && target.checkVisibility(); // and is not folded
        if (rests) style.containIntrinsicBlockSize = `${heights[at]}px`;
        style.contentVisibility = rests ? "auto" : "visible";
      });
    },
    { rootMargin: NEAR },
  );
  let width = 0;
  const watch = () => {
    if (innerWidth === width) return;
    width = innerWidth;
    for (const part of parts) {
      part.style.contentVisibility = "visible"; // so that it can be measured at this width
      watcher.unobserve(part);
      watcher.observe(part);
    }
  };
  watch();
  addEventListener("resize", watch);
}

const isResting = (/** @type {Element} */ part) =>
  part instanceof HTMLElement && part.style.contentVisibility === "auto";

/** Return the height of the content, including the scroll bar. @param {Element} element */
function innerHeightOf(element) {
  const { paddingTop, paddingBottom, borderTopWidth, borderBottomWidth } = getComputedStyle(element);
  const frame = [paddingTop, paddingBottom, borderTopWidth, borderBottomWidth].map(parseFloat);
  return frame.reduce((height, part) => height - part, element.getBoundingClientRect().height);
}
