/* The page's checker: Python in a worker, opened by the first Check, and the same for all exercises. */

/**
 * @typedef {"right" | "wrong" | "not attempted" | "raised"} Outcome
 * @typedef {{ outcome: Outcome, html: string, printed: string, mistake: string | null }} Judged
 * @typedef {{ what: string, loaded: number, total: number }} Loading
 * @typedef {{ check: (name: string, sources: [string, string][]) => Promise<Judged> }} Checker
 * @typedef {{ open: (addresses: any, tell: (loading: Loading) => void) => Checker }} Owner
 */

/**
 * One who asks; the owner is loaded when he first does.
 * @param {string} owner  the address of its module
 * @param {Record<string, string>} addresses  of what it loads
 */
export function makeAsking(owner, addresses) {
  /** @type {Promise<Checker> | null} */
  let opened = null;
  /** @type {(loading: Loading) => void} */
  let tellNow = () => {};

  const open = async () => {
    const { open } = /** @type {Owner} */ (await import(absolute(owner)));
    const found = Object.entries(addresses).map(([name, address]) => [name, absolute(address)]);
    return open(Object.fromEntries(found), (loading) => tellNow(loading));
  };

  return async (
    /** @type {string} */ name,
    /** @type {[string, string][]} */ sources,
    /** @type {(loading: Loading) => void} */ tell,
  ) => {
    tellNow = tell;
    opened ??= open();
    try {
      return await (await opened).check(name, sources);
    } catch (error) {
      opened = null; // the next Check begins anew
      throw error;
    }
  };
}

/** @param {string} address */
const absolute = (address) => new URL(address, document.baseURI).href;

/** What this browser cannot do for an exercise, a sentence each. @param {boolean} keeps */
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

/** "Python: 2.1 of 6.4 MB left to load." @param {Loading} loading */
export function leftToLoad({ what, loaded, total }) {
  if (!total) return `Loading ${what}.`;
  const megabytes = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
  return `Loading ${what}: ${megabytes(Math.max(total - loaded, 0))} of ${megabytes(total)} MB left.`;
}
