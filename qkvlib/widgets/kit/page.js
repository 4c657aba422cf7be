/*
 * Create what every widget needs in a page: its root element, the theme, the keyboard, and a line
 * for screen readers.
 */

import { make, say, set } from "./dom.js";

/** @import { AnyModel, RenderProps } from "@anywidget/types" */

/** Keep the widget's theme equal to the page's. @param {HTMLElement} root @param {AbortSignal} ended */
function followTheme(root, ended) {
  const show = () => set(root, { "data-theme": isDark(root) ? "dark" : "light" });
  const watcher = new MutationObserver(show);
  watcher.observe(document.body, { attributes: true });
  watcher.observe(document.documentElement, { attributes: true });
  ended.addEventListener("abort", () => watcher.disconnect());
  for (const query of [FORCED, DARK]) matchMedia(query).addEventListener("change", show, { signal: ended });
  show();
}

const FORCED = "(forced-colors: active)";
const DARK = "(prefers-color-scheme: dark)"; // with forced colours, this says whether they are dark

/**
 * Tell whether the widget is on a dark background. With forced colours the system says so; in
 * JupyterLab, JupyterLab does. Elsewhere look at the background itself: VS Code, for example, puts
 * white below its outputs in every theme.
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
 * Return all elements around this one, even outside a shadow tree.
 * @param {Element} element
 * @returns {Element[]}
 */
function around(element) {
  const tree = element.getRootNode();
  const outside = element.parentElement ?? (tree instanceof ShadowRoot ? tree.host : null);
  return outside ? [outside, ...around(outside)] : [];
}

/**
 * Return red, green, blue and alpha, each from 0 to 255, from any way of writing a colour.
 * @param {string} colour
 */
function channels(colour) {
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (new OffscreenCanvas(1, 1).getContext("2d"));
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  return pen.getImageData(0, 0, 1, 1).data;
}

/**
 * Copy the widgets' styles into a shadow tree, where the page's styles do not reach. marimo uses
 * one.
 * @param {HTMLElement} root
 */
function bringStyles(root) {
  const tree = root.getRootNode();
  if (!(tree instanceof ShadowRoot)) return;
  for (const style of document.head.querySelectorAll('style[id^="qkv-"]'))
    if (!tree.getElementById(style.id)) tree.append(style.cloneNode(true));
}

/**
 * Keep typed keys from reaching the notebook, where `d d` deletes the cell. Ctrl, Meta and
 * Shift+Enter may pass. Notebook 7 handles keys on their way down, before they arrive here, but it
 * respects an attribute of the focused element.
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
 * Tell whether a key is a command to the page and not a typed character. On many keyboards you type
 * [ with AltGr, which Windows reports as Ctrl and Alt, or with Option, which is reported as Alt.
 * @param {KeyboardEvent} event
 */
export function isCommand(event) {
  const letter = event.altKey && event.key.length === 1;
  return event.metaKey || (event.ctrlKey && !letter);
}

/**
 * Create a widget's root, with everything that all widgets need.
 * @template [Gate=void]
 * @param {Pick<RenderProps<any>, "model" | "el">} given
 * @param {string} name
 * @param {string} label  what a screen reader calls the widget
 * @param {() => void} show  draws the present state
 * @param {(model: AnyModel<any>, root: HTMLElement, ended: AbortSignal, show: () => void) => Gate} [open]
 * connects to Python: `owning(...)` if the page owns the numbers, or else `asking`
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
  // Wait for the frame after the next: by then the first drawing is on the screen.
  requestAnimationFrame(() => requestAnimationFrame(() => set(root, { "data-ready": true })));
  const unmount = () => {
    ending.abort();
    root.remove(); // JupyterLab keeps `el`, and would keep all of this in memory with it
  };
  return { root, gate, ended, unmount };
}

/**
 * Make a line for screen readers, which is spoken only when the hand rests, so that intermediate
 * numbers are not read out.
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
