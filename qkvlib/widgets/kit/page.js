/* A widget's place on the page: its root, the theme, the keys, and a line for screen readers. */

import { make, say, set } from "./dom.js";

/** @import { AnyModel, RenderProps } from "@anywidget/types" */

/** @param {HTMLElement} root @param {AbortSignal} ended */
function followTheme(root, ended) {
  const show = () => set(root, { "data-theme": isDark(root) ? "dark" : "light" });
  const watcher = new MutationObserver(show);
  watcher.observe(document.body, { attributes: true });
  watcher.observe(document.documentElement, { attributes: true });
  ended.addEventListener("abort", () => watcher.disconnect());
  for (const query of [FORCED, DARK])
    matchMedia(query).addEventListener("change", show, { signal: ended });
  show();
}

const FORCED = "(forced-colors: active)";
const DARK = "(prefers-color-scheme: dark)"; // of forced colours, it says which they are

/**
 * A system that forces its colours says so, then JupyterLab. Elsewhere the paper does: the one that
 * cells lie on, as VS Code puts white below its outputs in whatever theme, or what the widget lies on.
 * @param {Element} root
 */
function isDark(root) {
  if (matchMedia(FORCED).matches) return matchMedia(DARK).matches;
  const said = document.body.dataset.jpThemeLight;
  if (said) return said === "false";
  const probe = make("div", { style: "background: var(--jp-layout-color0); display: none" });
  document.body.append(probe);
  const papers = [probe, ...around(root)].map((one) => getComputedStyle(one).backgroundColor);
  probe.remove();
  for (const paper of papers) {
    const [red, green, blue, alpha] = channels(paper);
    if (alpha > 0) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
  }
  return matchMedia(DARK).matches;
}

/**
 * All that an element lies in, out of a shadow tree, too.
 * @param {Element} element
 * @returns {Element[]}
 */
function around(element) {
  const tree = element.getRootNode();
  const outside = element.parentElement ?? (tree instanceof ShadowRoot ? tree.host : null);
  return outside ? [outside, ...around(outside)] : [];
}

/**
 * Red, green, blue and cover, each from 0 to 255, in whatever way the page writes its colours.
 * @param {string} colour
 */
function channels(colour) {
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (
    new OffscreenCanvas(1, 1).getContext("2d")
  );
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return pen.getImageData(0, 0, 1, 1).data;
}

/**
 * marimo puts a widget into a shadow tree, where the page's styles do not reach: copy the widgets'.
 * @param {HTMLElement} root
 */
function bringStyles(root) {
  const tree = root.getRootNode();
  if (!(tree instanceof ShadowRoot)) return;
  for (const style of document.head.querySelectorAll('style[id^="qkv-"]'))
    if (!tree.getElementById(style.id)) tree.append(style.cloneNode(true));
}

/**
 * Keep typed keys from the notebook, whose `d d` deletes the cell; Ctrl, Meta and Shift+Enter pass.
 * Notebook 7 looks at keys on their way down, before they are here: it heeds an attribute of what
 * has the focus.
 * @param {HTMLElement} root @param {AbortSignal} ended
 */
function keepKeys(root, ended) {
  /** @param {KeyboardEvent} event */
  const own = (event) => !isCommand(event) && !(event.key === "Enter" && event.shiftKey);
  root.addEventListener("keydown", (event) => {
    if (own(event)) event.stopPropagation();
  });
  const warn = (/** @type {KeyboardEvent} */ event) => {
    const { target } = event;
    if (target instanceof Element && root.contains(target))
      set(target, { "data-lm-suppress-shortcuts": own(event) });
  };
  window.addEventListener("keydown", warn, { capture: true, signal: ended });
}

/**
 * Whether a key is a command to the page and no typed letter. Many keyboards type [ with AltGr,
 * which Windows calls Ctrl and Alt, or with Option, which is Alt.
 * @param {KeyboardEvent} event
 */
export function isCommand(event) {
  const letter = event.altKey && event.key.length === 1;
  return event.metaKey || (event.ctrlKey && !letter);
}

/**
 * Put up a widget's root with everything that all widgets need.
 * @template [Gate=void]
 * @param {Pick<RenderProps<any>, "model" | "el">} given
 * @param {string} name
 * @param {string} label  what a screen reader calls the widget
 * @param {() => void} show  draws the present state
 * @param {(model: AnyModel<any>, root: HTMLElement, ended: AbortSignal, show: () => void) => Gate} [open]
 * opens the way to Python: `owning(...)`, where the page owns the numbers, or `asking`
 */
export function mount({ model, el }, name, label, show, open) {
  const ending = new AbortController();
  const ended = ending.signal;
  const named = { class: `qkv qkv-${name}`, role: "group", "aria-label": label };
  const root = make("div", { ...named, "data-waiting": 0 });
  el.append(root);
  bringStyles(root);
  followTheme(root, ended);
  keepKeys(root, ended);
  const gate = /** @type {Gate} */ (open?.(model, root, ended, () => show()));
  for (const name of ["change:state", "change:shown"]) {
    const changed = () => show();
    model.on(name, changed);
    ended.addEventListener("abort", () => model.off(name, changed));
  }
  // The frame after next: by then the first drawing is on the screen.
  requestAnimationFrame(() => requestAnimationFrame(() => set(root, { "data-ready": true })));
  const unmount = () => {
    ending.abort();
    root.remove(); // JupyterLab keeps `el`, and would keep all of this with it
  };
  return { root, gate, ended, unmount };
}

/**
 * A line for screen readers, spoken when the hand rests: no flood of half-way numbers.
 * @param {HTMLElement} root
 * @param {AbortSignal} ended
 */
export function announcer(root, ended) {
  const line = make("div", { class: "qkv-spoken", "aria-live": "polite" });
  root.append(line);
  let timer = 0;
  ended.addEventListener("abort", () => clearTimeout(timer));
  /** @param {string} text */
  return (text) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => say(line, text), 400);
  };
}

/** Call back when the widget's theme changes. @param {Element} root @param {AbortSignal} ended @param {() => void} changed */
export function watchTheme(root, ended, changed) {
  // JupyterLab hides its page while it puts another theme on: a frame later all is in its place again.
  const later = () => requestAnimationFrame(() => ended.aborted || changed());
  const watcher = new MutationObserver(later);
  watcher.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  ended.addEventListener("abort", () => watcher.disconnect());
}
