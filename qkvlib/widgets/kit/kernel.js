/*
 * Connect to the kernel: send the requests that only Python can answer, find out what a page can know
 * about the kernel, and store what a page shows. widget.py is the other end.
 */

import { make, say, set } from "./dom.js";

/** @import { AnyModel } from "@anywidget/types" */

/**
 * @typedef {object} Ask  A request: an edit, or an action.
 * @property {Record<string, any>} [edit]
 * @property {number | string} [gesture]
 * @property {string} [do]
 * @property {number} [times]  how many steps to take
 * @property {any} [choice]
 *
 * @typedef {ReturnType<typeof makeAsker>} Asker
 *
 * @typedef {ReturnType<typeof asking>} Gate
 *
 * @typedef {(...given: Parameters<typeof asking>) => { ask: (request: Ask) => void }} Opening  opens
 * a gate to a page's own program, or to Python
 */

export const PATIENCE_MS = 1000;
const GONE = "No kernel answers this widget. Run the notebook from its top (Run > Run All Cells).";
const NONE = "There is no Python on this page. To try this, open the notebook in JupyterLab.";
/** The message for a page that goes on while Python falls behind. */
export const BEHIND = "Python has not received this yet.";
const DEAD = ["dead", "restarting", "autorestarting", "terminating"];

/**
 * Send Python a request that only it can answer, and wait for as long as it is busy. Meanwhile the
 * root has `data-asking`; after a second it also has `data-late`, and elements marked
 * `data-computed`, which depend on the edit, are shown as out of date.
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
    /** Whether a request is still unanswered. */
    get busy() {
      return asker.open.size > 0;
    },
    /** Whether a request has waited for so long that the page says so. */
    get late() {
      return asker.late;
    },
    /** The elements that show what is wrong and what is waiting. */
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
    /** The unanswered requests. @type {Set<number>} */
    open: new Set(),
    watching: 0,
    late: false,
    /** The kernel's state when we last looked. */
    status: "",
  };
}

/** Send a request. @param {Asker} asker @param {Ask} request */
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

/** Receive an answer. @param {Asker} asker @param {any} message @param {DataView[]} [buffers] */
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

/** Look at the kernel later, if a request is still unanswered. @param {Asker} asker */
function watch(asker) {
  const { root, open } = asker;
  clearTimeout(asker.watching);
  asker.watching = open.size ? window.setTimeout(() => look(asker), PATIENCE_MS) : 0;
  set(root, { "data-asking": open.size > 0 });
}

/** No answer has come for a while: find out why. @param {Asker} asker */
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

/**
 * Give up, because nothing answers. A page that never had a kernel is not broken, so there the
 * message is less prominent.
 * @param {Asker} asker
 */
function giveUp(asker) {
  const { model, open, notice, patience, settled } = asker;
  open.clear();
  belate(asker, false);
  if ("alone" in model) write(patience, NONE);
  else write(notice, GONE);
  watch(asker);
  settled();
}

/** Show that the kernel is late, or no longer. @param {Asker} asker @param {boolean} late */
function belate(asker, late) {
  if (asker.late === late) return;
  asker.late = late;
  set(asker.root, { "data-late": late });
  for (const part of asker.root.querySelectorAll("[data-computed]"))
    set(part, { "aria-busy": late ? "true" : null });
  if (!late) write(asker.patience, "");
}

/**
 * Return the state in an answer, with its binary buffers put back.
 * @param {{ state: any, packed: string[] }} message @param {DataView[]} [buffers]
 */
export const stateIn = ({ state, packed }, buffers = []) => ({
  ...state,
  ...Object.fromEntries(packed.map((name, i) => [name, buffers[i]])),
});

/**
 * Return what the page can know about the kernel: "gone", "busy" and so on, or "" if it knows
 * nothing. JupyterLab reports the state; other hosts report at most that the connection is lost.
 * @param {AnyModel<any>} model @param {HTMLElement} root
 */
export function lookAt(model, root) {
  if ("alone" in model) return "gone";
  if (root.closest(".jupyter-widgets-disconnected")) return "gone"; // ipywidgets sets this class
  const manager = /** @type {any} */ (model).widget_manager;
  if (!manager || !("kernel" in manager)) return "";
  const { kernel } = manager;
  if (!kernel || DEAD.includes(kernel.status) || kernel.connectionStatus === "disconnected") {
    return "gone";
  }
  return String(kernel.status ?? "");
}

/**
 * Tell whether the kernel that made the widget is still there: a new kernel does not know the
 * widget.
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

/** Write a line, and hide it if it is empty. @param {HTMLElement} line @param {string} text */
export function write(line, text) {
  say(line, text);
  line.hidden = !text;
}

/**
 * Store what this page shows, such as a head: for the next view, for a saved notebook, and in the
 * kernel for a page that reloads. `save_changes` would also send the state, which belongs to the
 * kernel.
 * @param {AnyModel<any>} model @param {Record<string, any>} shown
 */
export function keep(model, shown) {
  model.set("shown", { ...model.get("shown"), ...shown });
  reaches(model); // without a kernel, only the page remembers it
}
