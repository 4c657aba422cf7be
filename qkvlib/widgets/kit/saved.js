/*
 * Restore a saved widget on a page without a kernel: the state it was saved with, and a stub of the
 * model that anywidget would pass to it.
 */

/** @import { AnyModel } from "@anywidget/types" */

/**
 * @typedef {{ path: string[], data: string }} Buffer  bytes of a state, in base64, and their place
 * @typedef {{ traits: Record<string, any>, buffers: Buffer[] }} Saved
 */

/**
 * Make a stub of the model that anywidget passes to a widget, with no kernel behind it.
 * @param {Record<string, any>} traits
 */
export function makeModel(traits) {
  /** @type {Record<string, Set<Function>>} */
  const listeners = {};
  const model = {
    alone: true,
    get: (/** @type {string} */ name) => traits[name],
    set(/** @type {string} */ name, /** @type {any} */ value) {
      traits[name] = value;
      for (const listener of listeners[`change:${name}`] ?? []) listener();
    },
    on(/** @type {string} */ name, /** @type {Function} */ listener) {
      listeners[name] ??= new Set();
      listeners[name].add(listener);
    },
    off: (/** @type {string} */ name, /** @type {Function} */ listener) => listeners[name]?.delete(listener),
    send() {
      throw new Error("No Python is behind this page.");
    },
    save_changes() {},
  };
  return /** @type {AnyModel<any> & { alone: true }} */ (/** @type {unknown} */ (model));
}

/** Decode bytes. @param {string} text  in base64 */
const bytesOf = (text) => new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

/** Return the state that a widget was saved with, with its bytes in their places. @param {Saved} saved */
export function traitsOf({ traits, buffers }) {
  for (const { path, data } of buffers) {
    const last = /** @type {string} */ (path[path.length - 1]);
    const within = path.slice(0, -1).reduce((part, name) => part[name], traits);
    within[last] = bytesOf(data);
  }
  return traits;
}
