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
 */

/** More would wait in the operating system's buffers, where a newer edit cannot overtake them. */
const MOST_UNDER_WAY = 2;
const PATIENCE_MS = 3000;
const NO_KERNEL = "No kernel answers this widget. Run its cell again.";

/**
 * The way to the kernel. Edits that wait are merged, so the newest wins and nothing piles up.
 * @param {AnyModel<any>} model
 * @param {HTMLElement} root
 * @param {AbortSignal} ended
 * @param {() => void} settled  called after each answer, and when none comes
 */
export function openGate(model, root, ended, settled) {
  const view = Math.random().toString(36).slice(2);
  const notice = make("p", { class: "qkv-notice", role: "alert", hidden: true });
  root.append(notice);
  /** @type {Ask[]} */
  const waiting = [];
  /** @type {Set<number>} */
  const underWay = new Set();
  let seq = 0;
  let timer = 0;
  let lost = false;
  let receiving = false;

  /** @param {string} text */
  const complain = (text) => {
    say(notice, text);
    notice.hidden = !text;
  };
  const watch = () => {
    clearTimeout(timer);
    if (underWay.size) timer = window.setTimeout(giveUp, PATIENCE_MS);
    set(root, { "data-waiting": waiting.length + underWay.size });
  };
  const giveUp = () => {
    waiting.length = 0;
    underWay.clear();
    lost = true;
    complain(NO_KERNEL);
    watch();
    settled();
  };
  const flush = () => {
    while (waiting.length && underWay.size < MOST_UNDER_WAY) {
      const request = /** @type {Ask} */ (waiting.shift());
      underWay.add(++seq);
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
    complain(message.trouble ? `The kernel could not do this. ${message.trouble}` : "");
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
    /** Whether the state changes because of an answer, after which `settled` is called. */
    get receiving() {
      return receiving;
    },
    /** Whether no kernel answered when it was last asked. */
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
