/*
 * The way to the kernel: requests out, answers in, and what a page keeps. widget.py is its other
 * half.
 */

import { make, say, set } from "./dom.js";

/** @import { AnyModel } from "@anywidget/types" */

/**
 * @typedef {object} Ask  What the kernel is asked: an edit, or something to do.
 * @property {Record<string, any>} [edit]
 * @property {number} [gesture]
 * @property {string} [do]
 * @property {any} [choice]
 * @property {boolean} [quiet]  asked by the page itself: nobody waits for it
 */

/** More would wait in the operating system's buffers, where a newer edit cannot overtake them. */
const MOST_UNDER_WAY = 2;
const PATIENCE_MS = 1000;
const GONE = "No kernel answers this widget. Run the notebook from its top (Run > Run All Cells).";
const DEAD = ["dead", "restarting", "autorestarting", "terminating"];

/**
 * The way to the kernel. Edits that wait are merged, so the newest wins and nothing piles up.
 *
 * A kernel that is silent is busy, until the page knows better: what waits is kept, and carried out
 * when the answers come again. Meanwhile `data-late` is on the root, and what follows from an edit,
 * which is marked `data-computed`, is shown as old.
 * @param {AnyModel<any>} model
 * @param {HTMLElement} root
 * @param {AbortSignal} ended
 * @param {() => void} settled  called after each answer, and when one is late or none will come
 * @param {string} waits  what is said of a request while the kernel is busy
 */
export function openGate(model, root, ended, settled, waits = "This waits.") {
  const view = Math.random().toString(36).slice(2);
  const notice = make("p", { class: "qkv-notice", role: "alert", hidden: true });
  const patience = make("p", { class: "qkv-patience", role: "status", hidden: true });
  root.append(patience, notice);
  /** @type {Ask[]} */
  const waiting = [];
  /** @type {Map<number, Ask>} */
  const underWay = new Map();
  let seq = 0;
  let timer = 0;
  let late = false;
  let lost = false;
  let receiving = false;
  let status = ""; // of the kernel, when it was last looked at

  /** @param {HTMLElement} line @param {string} text */
  const write = (line, text) => {
    say(line, text);
    line.hidden = !text;
  };
  /** @param {boolean} now */
  const belate = (now) => {
    if (late === now) return;
    late = now;
    set(root, { "data-late": late });
    for (const part of root.querySelectorAll("[data-computed]")) {
      set(part, { "aria-busy": late ? "true" : null });
    }
    if (!late) write(patience, "");
  };
  const watch = () => {
    clearTimeout(timer);
    if (underWay.size) timer = window.setTimeout(look, PATIENCE_MS);
    set(root, { "data-waiting": waiting.length + underWay.size });
  };
  /** Nothing was answered for a while: why? */
  const look = () => {
    const kernel = lookAt(model, root);
    if (kernel === "gone" || (kernel !== status && !reaches())) return giveUp();
    status = kernel;
    if ([...underWay.values(), ...waiting].some(({ quiet }) => !quiet)) {
      const state = kernel === "busy" ? "is busy" : "has not answered yet";
      write(patience, `The kernel ${state}. ${waits}`);
      if (!late) {
        belate(true);
        settled();
      }
    }
    watch();
  };
  /** Whether the kernel that has the requests is still there: another knows no such widget. */
  const reaches = () => {
    try {
      model.send({ shown: model.get("shown") });
      return true;
    } catch {
      return false;
    }
  };
  const giveUp = () => {
    waiting.length = 0;
    underWay.clear();
    lost = true;
    belate(false);
    write(notice, GONE);
    watch();
    settled();
  };
  const flush = () => {
    if (waiting.length && lookAt(model, root) === "gone") return giveUp();
    while (waiting.length && underWay.size < MOST_UNDER_WAY) {
      const request = /** @type {Ask} */ (waiting.shift());
      underWay.set(++seq, request);
      try {
        model.send({ view, seq, ...request });
      } catch {
        return giveUp();
      }
    }
    watch();
  };
  /** @param {any} message @param {DataView[]} [buffers] */
  const receive = (message, buffers = []) => {
    if (message.view !== view) return;
    underWay.delete(message.seq);
    lost = false;
    belate(false);
    write(notice, message.trouble ? `The kernel could not do this. ${message.trouble}` : "");
    receiving = true;
    if (message.state) {
      const { packed } = message;
      const bytes = Object.fromEntries(
        packed.map((/** @type {string} */ name, /** @type {number} */ i) => [name, buffers[i]]),
      );
      model.set("state", { ...model.get("state"), ...message.state, ...bytes });
    }
    receiving = false;
    flush(); // the next request goes out before this answer is drawn
    settled();
  };
  model.on("msg:custom", receive);
  ended.addEventListener("abort", () => {
    clearTimeout(timer);
    model.off("msg:custom", receive);
  });
  watch();

  return {
    /** @param {Record<string, any>} change @param {number} gesture */
    edit(change, gesture) {
      const last = waiting[waiting.length - 1];
      if (last?.edit) Object.assign(last.edit, change);
      else waiting.push({ edit: { ...change }, gesture });
      flush();
    },
    /** @param {Ask} request */
    ask(request) {
      waiting.push(request);
      flush();
    },
    /** Whether an edit has been sent or waits that the shown state does not know yet. */
    get busy() {
      return waiting.length + underWay.size > 0;
    },
    /** Whether something has waited for so long that the page says so. */
    get late() {
      return late;
    },
    /** Whether the state changes because of an answer, after which `settled` is called. */
    get receiving() {
      return receiving;
    },
    /** Whether the kernel was gone when it was last asked. */
    get lost() {
      return lost;
    },
    /** Whether one more would have to wait. */
    get full() {
      return waiting.length + underWay.size >= MOST_UNDER_WAY;
    },
  };
}

/**
 * What the page can know of the kernel: "gone", "busy" and the like, or nothing, "". JupyterLab
 * tells; other hosts say at most that the connection is lost.
 * @param {AnyModel<any>} model @param {HTMLElement} root
 */
function lookAt(model, root) {
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
