/*
 * The way to the kernel: requests out, answers in, and what a page keeps. widget.py is its other
 * half.
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
 * @property {number | null} [sure]  how sure of a prediction, by its place
 * @property {boolean} [quiet]  asked by the page itself: nobody waits for it
 *
 * @typedef {object} Local  A widget's Python again, in the page: it comes to the same states.
 * @property {(request: Ask) => boolean} can  whether it can do this without Python
 * @property {(request: Ask) => any} carryOut  do it; the state that comes of it
 * @property {(truth: any, itself: boolean) => any} adopt  begin again from Python's state, which an
 * answer brought, or to which Python has moved itself; the same, complete
 *
 * @typedef {{ request: Ask, done: boolean }} Entry  a request, and whether the page has carried it out
 *
 * @typedef {ReturnType<typeof openGate>} Gate
 *
 * @typedef {object} Ways
 * @property {Local | null} [local]
 * @property {boolean} [spare]  the local is for where no kernel answers: Python does more
 */

/** More would wait in the operating system's buffers. */
const MOST_UNDER_WAY = 2;
/** Where the page has done it already, Python is in no hurry: each request costs 1.5 kB of headers. */
const PACE_MS = 150;
const PATIENCE_MS = 1000;
const GONE = "No kernel answers this widget. Run the notebook from its top (Run > Run All Cells).";
const NONE = "There is no Python on this page. To try this, open the notebook in JupyterLab.";
/** What is said where the page goes on and Python is behind. */
export const BEHIND = "Python has not received this yet.";
const DEAD = ["dead", "restarting", "autorestarting", "terminating"];

/**
 * The way to the kernel. With a `local`, what a hand does is carried out in the page at once, and
 * Python follows by a short log. When it has followed all of it, its state is the truth. Without,
 * or for what Python alone can do, the kernel's answer is waited for.
 *
 * A kernel that is silent is busy, until the page knows better: what waits is kept, and carried out
 * when the answers come again. Meanwhile, where the page waits for it, `data-late` is on the root,
 * and what follows from an edit, which is marked `data-computed`, is shown as old.
 * @param {AnyModel<any>} model
 * @param {HTMLElement} root
 * @param {AbortSignal} ended
 * @param {() => void} settled  called when the state has moved, and when one is late or none will come
 * @param {Ways} [ways]
 */
export function openGate(model, root, ended, settled, { local = null, spare = false } = {}) {
  const view = Math.random().toString(36).slice(2, 6);
  const notice = make("p", { class: "qkv-notice", role: "alert", hidden: true });
  const patience = make("p", { class: "qkv-patience", role: "status", hidden: true });
  root.append(patience, notice);
  /** @type {Entry[]} */
  let waiting = [];
  /** @type {Map<number, Entry[]>} */
  const underWay = new Map();
  let seq = 0;
  let watching = 0;
  let pacing = 0;
  let sentAt = -Infinity;
  let late = false;
  let gone = false;
  let receiving = false;
  let status = ""; // of the kernel, when it was last looked at
  const alone = "alone" in model; // on a page that never had a kernel: see standalone.js

  const pending = () => [...[...underWay.values()].flat(), ...waiting];
  const isDone = (/** @type {Entry} */ { done }) => done;
  /** Whether the page does by itself what is asked next: nothing waits that Python alone can do. */
  const leads = () => canLead() && pending().every(isDone);
  const canLead = () => Boolean(local) && (!spare || gone || lookAt(model, root) === "gone");

  /** @param {HTMLElement} line @param {string} text */
  const write = (line, text) => {
    say(line, text);
    line.hidden = !text;
  };
  /** Say that Python is behind, and why. @param {"silent" | "busy" | "gone" | null} why */
  const tell = (why) => {
    write(patience, why ? BEHIND : "");
    set(root, { "data-behind": why });
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
  /** @param {any} state */
  const put = (state) => {
    receiving = true;
    model.set("state", state);
    receiving = false;
  };
  const watch = () => {
    if (underWay.size || (gone && waiting.length))
      watching ||= window.setTimeout(look, PATIENCE_MS);
    else rest();
    set(root, { "data-waiting": pending().length });
  };
  const rest = () => {
    clearTimeout(watching);
    watching = 0;
  };
  /** Nothing was answered for a while: why? And whoever was gone may be back. */
  const look = () => {
    rest();
    const kernel = lookAt(model, root);
    if (kernel === "gone" || (kernel !== status && !reaches())) return giveUp();
    status = kernel;
    const asked = pending().filter(({ request }) => !request.quiet);
    if (asked.length && leads()) tell(kernel === "busy" ? "busy" : "silent");
    else if (asked.length) {
      const state = kernel === "busy" ? "is busy" : "has not answered yet";
      write(patience, `The kernel ${state}. This waits.`);
      if (!late) {
        belate(true);
        settled();
      }
    }
    flush();
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
  /** What the page has done is kept for a kernel that comes back; nobody does the rest. */
  const giveUp = () => {
    const given = pending();
    gone = true;
    if (spare) for (const entry of given) stepIn(entry);
    waiting = alone ? [] : given.filter(isDone);
    underWay.clear();
    belate(false);
    if (alone) {
      // Nothing is wrong with such a page: it is said quietly, until the next thing that it can do.
      const left = given.some(({ request, done }) => !done && !request.quiet);
      write(patience, left ? NONE : "");
    } else if (local) tell("gone");
    else write(notice, GONE);
    if (spare || !given.every(isDone) || !local) settled();
    watch();
  };
  /** Do in the page what a kernel was asked for that is gone. @param {Entry} entry */
  const stepIn = (entry) => {
    if (entry.done || !local?.can(entry.request)) return;
    put(local.carryOut(entry.request));
    entry.done = true;
  };
  const flush = () => {
    clearTimeout(pacing);
    if (waiting.length && lookAt(model, root) === "gone") return giveUp();
    while (waiting.length && underWay.size < (leads() ? 1 : MOST_UNDER_WAY)) {
      const early = sentAt + PACE_MS - performance.now();
      if (leads() && early > 0) {
        pacing = window.setTimeout(flush, early);
        break;
      }
      const entries = waiting.splice(0, leads() ? waiting.length : 1);
      underWay.set(++seq, entries);
      sentAt = performance.now();
      const requests = entries.map(({ request }) => request);
      try {
        const [request, ...more] = requests;
        model.send({ view, seq, ...(more.length ? { log: requests } : request) });
      } catch {
        return giveUp();
      }
    }
    watch();
  };
  /** Send what the pace has held back: the page is about to close. */
  const hurry = () => {
    const log = waiting.filter(isDone).map(({ request }) => request);
    try {
      if (log.length) model.send({ view, seq: ++seq, log });
    } catch {
      // Python never hears of it.
    }
  };
  /** @param {any} message @param {DataView[]} [buffers] */
  const receive = (message, buffers = []) => {
    if (message.view !== view) return;
    underWay.delete(message.seq);
    rest();
    gone = false;
    belate(false);
    tell(null);
    write(notice, message.trouble ? `The kernel could not do this. ${message.trouble}` : "");
    const behind = pending().some(isDone); // what Python says now, the page has left behind
    if (message.state && !behind) {
      const truth = { ...model.get("state"), ...stateIn(message, buffers) };
      put(local ? local.adopt(truth, false) : truth);
    }
    // What it refused, the page has done: the truth is asked for.
    if (message.trouble && local && !behind)
      waiting.push({ request: { do: "look", quiet: true }, done: true });
    flush(); // the next request goes out before this answer is drawn
    if (!behind) settled();
  };
  /** Python has moved by itself, or another view has: what it has not heard of yet comes on top. */
  const pushed = () => {
    if (!local || receiving) return;
    let state = local.adopt(model.get("state"), true);
    const unheard = pending().filter(isDone);
    for (const { request } of unheard) state = local.carryOut(request);
    if (unheard.length) put(state);
  };
  /** @param {Ask} request */
  const ask = (request) => {
    const done = leads() && /** @type {Local} */ (local).can(request);
    if (done) {
      put(/** @type {Local} */ (local).carryOut(request));
      settled();
    }
    waiting.push({ request, done });
    flush();
  };
  model.on("msg:custom", receive);
  model.on("change:state", pushed);
  ended.addEventListener("abort", () => {
    hurry();
    rest();
    clearTimeout(pacing);
    model.off("msg:custom", receive);
    model.off("change:state", pushed);
  });
  watch();

  return {
    ask,
    /** Whether something has been asked that the shown state does not know yet. */
    get busy() {
      return !pending().every(isDone);
    },
    /** Whether something has waited for so long that the page says so. */
    get late() {
      return late;
    },
    /** Whether the state changes because of an answer, after which `settled` is called. */
    get receiving() {
      return receiving;
    },
  };
}

/** For `mount`. @param {Ways} [ways] */
export const asking =
  (ways) =>
  /** @param {AnyModel<any>} model @param {HTMLElement} root @param {AbortSignal} ended @param {() => void} settled */
  (model, root, ended, settled) =>
    openGate(model, root, ended, settled, ways);

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
