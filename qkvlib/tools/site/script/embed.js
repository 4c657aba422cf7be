/*
 * A widget of the course on someone else's page. The site writes each one as a self-contained
 * module, so that it can be copied: the widget's script, its style, and its opening state.
 */

import { make } from "../../../widgets/kit/dom.js";
import { makeModel, traitsOf } from "../../../widgets/kit/saved.js";

/** @import { Saved } from "../../../widgets/kit/saved.js" */

/**
 * The interface of a widget, as anywidget expects it; the page's own `model` is not needed.
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

/** Add a style once to each page. @param {string} id @param {string} text */
function bringStyle(id, text) {
  if (!document.getElementById(id)) document.head.append(make("style", { id }, text));
}
