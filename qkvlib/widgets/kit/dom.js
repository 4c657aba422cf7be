/* Make and change elements: the few things that we would need a framework for. */

/**
 * Make an element; attributes that are null or false are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/** Make a button. @param {string} text @param {() => void} press @param {Record<string, any>} [attributes] */
export function makeButton(text, press, attributes = {}) {
  const button = make("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", press);
  return button;
}

/**
 * Make an element of a drawing.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
export function draw(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS("http://www.w3.org/2000/svg", tag));
  set(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Write only the attributes that changed.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/**
 * Set a text, only if it has changed, and in the existing node: a new node costs the browser more.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  const { firstChild } = element;
  if (firstChild instanceof Text && firstChild === element.lastChild) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (element.textContent !== text) element.textContent = text;
}

/**
 * Set a line of words and elements, and reuse existing nodes that are the same: new nodes cost the
 * browser more.
 * @param {Element} element
 * @param {(Node | string)[]} words
 */
export function tell(element, words) {
  const there = [...element.childNodes];
  if (there.length === words.length && there.every((node, i) => isLike(node, words[i])))
    there.forEach((node, i) => rewrite(node, words[i]));
  else element.replaceChildren(...words);
}

/**
 * Tell whether a node differs from the wanted one only in its texts.
 * @param {Node} node
 * @param {Node | string} word
 */
const isLike = (node, word) =>
  word instanceof Element ? node.cloneNode().isEqualNode(word.cloneNode()) : node instanceof Text;

/** Make a node equal to the wanted one by changing texts. @param {Node} node @param {Node | string} word */
function rewrite(node, word) {
  if (node instanceof Element) return tell(node, [.../** @type {Element} */ (word).childNodes]);
  const text = /** @type {Text} */ (node);
  const wanted = word instanceof Node ? (word.textContent ?? "") : word;
  if (text.data !== wanted) text.data = wanted;
}

/**
 * Return the element that has the focus. If it is in a shadow tree, where marimo puts a widget, the
 * page itself knows only the tree.
 * @param {Element} inside  any element of the widget
 */
export function inFocus(inside) {
  return /** @type {Document | ShadowRoot} */ (inside.getRootNode()).activeElement;
}

/**
 * Keep a finger's moves from the browser. `touch-action` keeps the page still, but a finger that
 * lifts at speed would start a fling, and the browser would take the next tap for the end of that
 * fling.
 * @param {Element} thing
 */
export function followFinger(thing) {
  thing.addEventListener("touchmove", (event) => event.preventDefault(), { passive: false });
}

/**
 * Call back when an element's size changes.
 * @param {Element} element @param {AbortSignal} ended @param {() => void} changed
 */
export function watchSize(element, ended, changed) {
  const watcher = new ResizeObserver(changed);
  watcher.observe(element);
  ended.addEventListener("abort", () => watcher.disconnect());
}

/** @typedef {{ width: number, height: number }} Size */
/** @type {WeakMap<Element, { size: Size, resized: () => void }>} */
const drawings = new WeakMap();
/** @type {ResizeObserver | undefined} */
let watcher;

/**
 * Keep `size` equal to that of a drawing, in whole pixels. `resized` draws the widget again: once,
 * however many of its drawings have changed.
 * @param {Element} svg @param {Size} size  until it is laid out @param {AbortSignal} ended
 * @param {() => void} resized
 */
export function sizeOf(svg, size, ended, resized) {
  drawings.set(svg, { size, resized });
  watcher ??= new ResizeObserver(noteSizes);
  watcher.observe(svg);
  ended.addEventListener("abort", () => watcher?.unobserve(svg));
  return size;
}

/** @param {ResizeObserverEntry[]} changes */
function noteSizes(changes) {
  const redraws = new Set();
  for (const { target, contentRect } of changes) {
    const drawing = drawings.get(target);
    const [width, height] = [Math.round(contentRect.width), Math.round(contentRect.height)];
    if (!drawing || !width) continue;
    if (width === drawing.size.width && height === drawing.size.height) continue;
    Object.assign(drawing.size, { width, height });
    redraws.add(drawing.resized);
  }
  for (const redraw of redraws) redraw();
}

/**
 * Fix elements at their current size, so that a change inside one lays out only that one and not
 * the whole page.
 * @param {(HTMLElement | SVGElement)[]} elements
 */
export function hold(elements) {
  for (const { style } of elements) Object.assign(style, { width: "", height: "", contain: "" });
  const sizes = elements.map((element) => element.getBoundingClientRect());
  elements.forEach(({ style }, k) => {
    const { width, height } = sizes[k];
    if (width) Object.assign(style, { width: `${width}px`, height: `${height}px`, contain: "strict" });
  });
}
