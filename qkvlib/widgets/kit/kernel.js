/*
 * The way to the kernel: questions that it alone can answer, what a page knows of it, and what a
 * page keeps. widget.py is its other half.
 */

import { make, say, set } from "./dom.js";

/** @import { AnyModel } from "@anywidget/types" */

/**
 * @typedef {object} Ask  What is asked: an edit, or something to do.
 * @property {Record<string, any>} [edit]
 * @property {number | string} [gesture]
 * @property {string} [do]
 * @property {number} [times]  how many steps
 * @property {any} [choice]
 *
 * @typedef {ReturnType<typeof makeAsker>} Asker
 *
 * @typedef {ReturnType<typeof asking>} Gate
 *
 * @typedef {(...given: Parameters<typeof asking>) => { ask: (request: Ask) => void }} Opening  of a
 * gate to a page's own program, or to Python
 */

export const PATIENCE_MS = 1000;
const GONE = "No kernel answers this widget. Run the notebook from its top (Run > Run All Cells).";
const NONE = "There is no Python on this page. To try this, open the notebook in JupyterLab.";
/** What is said where the page goes on and Python is behind. */
export const BEHIND = "Python has not received this yet.";
const DEAD = ["dead", "restarting", "autorestarting", "terminating"];

/**
 * Ask what Python alone can do, and wait for its answer, however long it is busy. Meanwhile
 * `data-asking` is on the root; after a second, `data-late`, too, and what follows from an edit,
 * which is marked `data-computed`, is shown as old.
 * @param {AnyModel<any>} model @param {HTMLElement} root @param {AbortSignal} ended
 * @param {() => void} settled  called when an answer has come, is late, or will not come
 */
export function asking(model, root, ended, settled) {
  const asker = makeAsker(model, root, settled);
  /** @param {any} message @param {DataView[]} [buffers] */
  const answered = (message, buffers) => answer(asker, message, buffers);
  model.on("msg:custom", answered);
  ended.addEventListener("abort", () => {
    clearTimeout(asker.watching);
    model.off("msg:custom", answered);
  });
  return {
    ask: (/** @type {Ask} */ request) => ask(asker, request),
    /** Whether something has been asked that was not answered yet. */
    get busy() {
      return asker.open.size > 0;
    },
    /** Whether something has waited for so long that the page says so. */
    get late() {
      return asker.late;
    },
    /** The lines that say what is wrong, and what waits. */
    notice: asker.notice,
    patience: asker.patience,
  };
}

/** @param {AnyModel<any>} model @param {HTMLElement} root @param {() => void} settled */
function makeAsker(model, root, settled) {
  const notice = make("p", { class: "qkv-notice", role: "alert", hidden: true });
  const patience = make("p", { class: "qkv-patience", role: "status", hidden: true });
  root.append(patience, notice);
  return {
    ...{ model, root, settled, notice, patience },
    name: Math.random().toString(36).slice(2, 6),
    seq: 0,
    /** What has not been answered. @type {Set<number>} */
    open: new Set(),
    watching: 0,
    late: false,
    /** Of the kernel, when it was last looked at. */
    status: "",
  };
}

/** @param {Asker} asker @param {Ask} request */
function ask(asker, request) {
  const { model, root, name, open } = asker;
  if (lookAt(model, root) === "gone") return giveUp(asker);
  const seq = ++asker.seq;
  open.add(seq);
  try {
    model.send({ view: name, seq, ...request });
  } catch {
    return giveUp(asker);
  }
  watch(asker);
}

/** @param {Asker} asker @param {any} message @param {DataView[]} [buffers] */
function answer(asker, message, buffers) {
  const { model, name, open, notice, settled } = asker;
  if (message.view !== name) return;
  open.delete(message.seq);
  belate(asker, false);
  write(notice, message.trouble ? `The kernel could not do this. ${message.trouble}` : "");
  if (message.state) model.set("state", { ...model.get("state"), ...stateIn(message, buffers) });
  watch(asker);
  settled();
}

/** @param {Asker} asker */
function watch(asker) {
  const { root, open } = asker;
  clearTimeout(asker.watching);
  asker.watching = open.size ? window.setTimeout(() => look(asker), PATIENCE_MS) : 0;
  set(root, { "data-asking": open.size > 0 });
}

/** Nothing was answered for a while: why? @param {Asker} asker */
function look(asker) {
  const { model, root, patience, settled } = asker;
  const kernel = lookAt(model, root);
  if (kernel === "gone" || (kernel !== asker.status && !reaches(model))) return giveUp(asker);
  asker.status = kernel;
  const state = kernel === "busy" ? "is busy" : "has not answered yet";
  write(patience, `The kernel ${state}. This waits.`);
  watch(asker);
  if (asker.late) return;
  belate(asker, true);
  settled();
}

/** Nobody answers. Nothing is wrong with a page that never had a kernel: there it is said quietly. @param {Asker} asker */
function giveUp(asker) {
  const { model, open, notice, patience, settled } = asker;
  open.clear();
  belate(asker, false);
  if ("alone" in model) write(patience, NONE);
  else write(notice, GONE);
  watch(asker);
  settled();
}

/** @param {Asker} asker @param {boolean} late */
function belate(asker, late) {
  if (asker.late === late) return;
  asker.late = late;
  set(asker.root, { "data-late": late });
  for (const part of asker.root.querySelectorAll("[data-computed]"))
    set(part, { "aria-busy": late ? "true" : null });
  if (!late) write(asker.patience, "");
}

/**
 * The state in an answer, its bytes in their places.
 * @param {{ state: any, packed: string[] }} message @param {DataView[]} [buffers]
 */
export const stateIn = ({ state, packed }, buffers = []) => ({
  ...state,
  ...Object.fromEntries(packed.map((name, i) => [name, buffers[i]])),
});

/**
 * What the page can know of the kernel: "gone", "busy" and the like, or nothing, "". JupyterLab
 * tells; other hosts say at most that the connection is lost.
 * @param {AnyModel<any>} model @param {HTMLElement} root
 */
export function lookAt(model, root) {
  if ("alone" in model) return "gone";
  if (root.closest(".jupyter-widgets-disconnected")) return "gone"; // ipywidgets marks it
  const manager = /** @type {any} */ (model).widget_manager;
  if (!manager || !("kernel" in manager)) return "";
  const { kernel } = manager;
  if (!kernel || DEAD.includes(kernel.status) || kernel.connectionStatus === "disconnected") {
    return "gone";
  }
  return String(kernel.status ?? "");
}

/**
 * Whether the kernel that has the widget is still there: another knows no such widget.
 * @param {AnyModel<any>} model
 */
export function reaches(model) {
  try {
    model.send({ shown: model.get("shown") });
    return true;
  } catch {
    return false;
  }
}

/** @param {HTMLElement} line @param {string} text */
export function write(line, text) {
  say(line, text);
  line.hidden = !text;
}

/**
 * Keep what this page has in view, such as a head, for the next view and for a saved notebook, and
 * in the kernel for a page that reloads. `save_changes` would send it the state too, which it owns.
 * @param {AnyModel<any>} model @param {Record<string, any>} shown
 */
export function keep(model, shown) {
  const all = { ...model.get("shown"), ...shown };
  model.set("shown", all);
  try {
    model.send({ shown: all });
  } catch {
    // Without a kernel the page alone remembers.
  }
}
