/*
 * Run a notebook's widgets on an exported page, without a kernel, JupyterLab or a network. Each
 * replaces its still picture. app/page.py writes the page.
 */

import { makeModel, traitsOf } from "./saved.js";

/** Replace a still picture by its widget. @param {HTMLElement} place @param {any} told */
async function wake(place, told) {
  const saved = told.widgets[place.dataset.qkvModel ?? ""];
  const address = URL.createObjectURL(new Blob([told.modules[saved.module]], { type: "text/javascript" }));
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
    console.error(error); // the still picture stays, and the other widgets still start
  }
}
