/*
 * Turn a verdict from the worker into elements of the page: only words and looks, nothing that
 * acts.
 */

const TAGS = new Set(
  "B CODE DIV I P PRE SPAN TABLE TBODY TD TH TR".split(" "), // hints have their own button
);
const ATTRIBUTES = new Set(["style", "scope", "aria-hidden"]);

/** Return the elements of a verdict. Its HTML may have passed through a stranger's code. */
export function elementsOf(/** @type {string} */ html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    if (!TAGS.has(element.tagName)) element.remove();
    for (const { name, value } of [...element.attributes])
      if (!ATTRIBUTES.has(name) || /url|image/i.test(value)) element.removeAttribute(name);
  }
  // A single line, such as an error, wraps on a narrow page; the rows of a matrix do not.
  for (const pre of body.querySelectorAll("pre"))
    if (!pre.textContent.includes("\n")) pre.style.whiteSpace = "pre-wrap";
  return [...body.childNodes];
}
