/* What a browser lacks for an exercise. */

/**
 * Return a sentence for each thing that is missing.
 * @param {{ runs: boolean, keeps: boolean, keepsFiles: boolean }} can  run Python; keep what is
 *   written; keep the files that Python needs
 */
export function lacks({ runs, keeps, keepsFiles }) {
  const said = [];
  if (!runs)
    said.push(
      "This browser cannot run Python in a page, so nothing is checked here; all else works, and " +
        "what you write can be taken away and checked in JupyterLab.",
    );
  if (!keeps)
    said.push(
      "This browser keeps nothing, as in some private windows; all works until you close the page, " +
        "and what you write can be taken away at its end.",
    );
  if (runs && !keepsFiles)
    said.push(
      "This browser keeps no files of a page, so the first check of each visit loads Python anew; " +
        "all works.",
    );
  return said;
}

/**
 * Tell whether this browser caches a page's files. A private window may not, and a page loaded over
 * http cannot.
 */
export async function keepsFiles() {
  try {
    await caches.has("any");
    return true;
  } catch {
    return false;
  }
}
