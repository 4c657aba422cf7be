/* Code, results and whatever else is wider than a page: reached by key, and at rest far from the screen. */

import { NEAR } from "./wake.js";

/** What is wider than its place can be reached by key, and scrolled by the arrows. */
export function reachScrollers() {
  const watcher = new ResizeObserver((seen) => {
    // What rests says nothing of how wide it is.
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
 * Leave code and results out of every frame while they are far from the screen: a page has dozens,
 * and a slow processor looks through all of them for each step of a drag. What scrolls sideways is
 * cut at its own edge in any case, and its height is kept, so nothing is seen of it.
 */
export function restWhatIsFar() {
  // An exercise's own code and what comes of it grow and shrink; so does what holds a widget.
  const parts = /** @type {HTMLElement[]} */ ([
    ...document.querySelectorAll(".code.scroll, .output.scroll"),
  ]).filter((part) => !part.closest(".exercise") && !part.querySelector(".place, [data-quiz]"));
  const watcher = new IntersectionObserver(
    (seen) => {
      const heights = seen.map(({ target }) => innerHeightOf(target));
      seen.forEach(({ target, isIntersecting }, at) => {
        const { style } = /** @type {HTMLElement} */ (target);
        const rests = !isIntersecting && target.checkVisibility(); // and is not folded away
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
      part.style.contentVisibility = "visible"; // to be measured at this width
      watcher.unobserve(part);
      watcher.observe(part);
    }
  };
  watch();
  addEventListener("resize", watch);
}

const isResting = (/** @type {Element} */ part) =>
  part instanceof HTMLElement && part.style.contentVisibility === "auto";

/** How high what is in it is, with the bar that scrolls it. @param {Element} element */
function innerHeightOf(element) {
  const { paddingTop, paddingBottom, borderTopWidth, borderBottomWidth } =
    getComputedStyle(element);
  const frame = [paddingTop, paddingBottom, borderTopWidth, borderBottomWidth].map(parseFloat);
  return frame.reduce((height, part) => height - part, element.getBoundingClientRect().height);
}
