/* A verdict from the worker as elements of the page: its own words and looks, and nothing that acts. */

const TAGS = new Set(
  "B CODE DIV I P PRE SPAN TABLE TBODY TD TH TR".split(" "), // hints come by a button of their own
);
const ATTRIBUTES = new Set(["style", "scope", "aria-hidden"]);

/** The elements of a verdict. Its HTML may have passed through a stranger's code. */
export function elementsOf(/** @type {string} */ html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    if (!TAGS.has(element.tagName)) element.remove();
    for (const { name, value } of [...element.attributes])
      if (!ATTRIBUTES.has(name) || /url|image/i.test(value)) element.removeAttribute(name);
  }
  // One line, as an error's, is broken where the page is narrow; the rows of a matrix are not.
  for (const pre of body.querySelectorAll("pre"))
    if (!pre.textContent.includes("\n")) pre.style.whiteSpace = "pre-wrap";
  return [...body.childNodes];
}
