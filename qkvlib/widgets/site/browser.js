/* What a browser cannot do for an exercise. */

/** A sentence for each. @param {boolean} keeps  whether it keeps what is written */
export function lacks(keeps) {
  const said = [];
  if (typeof WebAssembly !== "object" || typeof Worker !== "function")
    said.push(
      "This browser cannot run Python in a page, so nothing is checked here; all else works, and " +
        "what you write can be taken away and checked in JupyterLab.",
    );
  if (!keeps)
    said.push(
      "This browser keeps nothing, as in some private windows; all works until you close the page, " +
        "and what you write can be taken away at its end.",
    );
  return said;
}
