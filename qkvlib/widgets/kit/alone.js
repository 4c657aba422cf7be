/*
 * A notebook's widgets on a page of their own, without a kernel, JupyterLab or a network: each wakes
 * in the place of its still picture. app/page.py writes the page.
 */

/** @import { AnyModel } from "@anywidget/types" */

/**
 * @typedef {{ path: string[], data: string }} Buffer  bytes of a state, in base64, and their place
 * @typedef {{ module: string, traits: Record<string, any>, buffers: Buffer[] }} Saved
 */

/** The door that anywidget gives a widget, with nobody behind it. @param {Record<string, any>} traits */
function makeModel(traits) {
  /** @type {Map<string, Set<Function>>} */
  const listeners = new Map();
  const model = {
    alone: true,
    get: (/** @type {string} */ name) => traits[name],
    set(/** @type {string} */ name, /** @type {any} */ value) {
      traits[name] = value;
      for (const listener of listeners.get(`change:${name}`) ?? []) listener();
    },
    on(/** @type {string} */ name, /** @type {Function} */ listener) {
      if (!listeners.has(name)) listeners.set(name, new Set());
      listeners.get(name)?.add(listener);
    },
    off: (/** @type {string} */ name, /** @type {Function} */ listener) =>
      listeners.get(name)?.delete(listener),
    send() {
      throw new Error("No Python is behind this page.");
    },
    save_changes() {},
  };
  return /** @type {AnyModel<any> & { alone: true }} */ (/** @type {unknown} */ (model));
}

/** @param {string} text  in base64 */
const bytesOf = (text) =>
  new DataView(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

/** What a widget was left with, its bytes in their places. @param {Saved} saved */
function traitsOf({ traits, buffers }) {
  for (const { path, data } of buffers) {
    const last = /** @type {string} */ (path[path.length - 1]);
    const within = path.slice(0, -1).reduce((part, name) => part[name], traits);
    within[last] = bytesOf(data);
  }
  return traits;
}

/** Put a widget in the place of its still picture. @param {HTMLElement} place @param {any} told */
async function wake(place, told) {
  const saved = told.widgets[place.dataset.qkvModel ?? ""];
  const address = URL.createObjectURL(
    new Blob([told.modules[saved.module]], { type: "text/javascript" }),
  );
  const { default: widget } = await import(address);
  URL.revokeObjectURL(address);
  const el = document.createElement("div");
  widget.render({ model: makeModel(traitsOf(saved)), el });
  place.replaceChildren(el);
}

const told = JSON.parse(document.getElementById("qkv-widgets")?.textContent ?? "{}");
for (const place of document.querySelectorAll("[data-qkv-model]")) {
  try {
    await wake(/** @type {HTMLElement} */ (place), told);
  } catch (error) {
    console.error(error); // its still picture stays, and the others wake
  }
}

export {}; // a module, for it awaits
