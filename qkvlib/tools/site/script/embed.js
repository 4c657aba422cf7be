/*
 * A widget of the course on anybody's page. The site writes each as one module with everything in it,
 * so that it can be copied: the widget's script, its style, and what it opens with.
 */

import { makeModel, traitsOf } from "../../../widgets/kit/saved.js";

/** @import { Saved } from "../../../widgets/kit/saved.js" */

/**
 * The door of a widget, as anywidget has it; `model` is the page's own, and is not needed.
 * @param {string} kind @param {string} script @param {string} style @param {Saved} saved
 */
export function living(kind, script, style, saved) {
  return {
    /** @param {{ el: HTMLElement }} place */
    async render({ el }) {
      bringStyle(`qkv-${kind}`, style);
      const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      const { default: widget } = await import(address);
      URL.revokeObjectURL(address);
      return widget.render({ model: makeModel(traitsOf(structuredClone(saved))), el });
    },
  };
}

/** Once a page. @param {string} id @param {string} text */
function bringStyle(id, text) {
  if (document.getElementById(id)) return;
  const style = document.createElement("style");
  style.id = id;
  style.textContent = text;
  document.head.append(style);
}
