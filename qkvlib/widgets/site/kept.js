/* What this reader has done, kept in the browser and nowhere else; progress.py does it for Python. */

/** @typedef {"predictions" | "confidence" | "goals" | "theme"} Kind */

const address = (/** @type {Kind} */ kind, /** @type {string} */ name) => `qkvlib/${kind}/${name}`;

/** Keep a fact; where the browser keeps nothing, the page goes on. */
export function keep(
  /** @type {Kind} */ kind,
  /** @type {string} */ name,
  /** @type {string} */ value,
) {
  try {
    localStorage.setItem(address(kind, name), value);
  } catch {
    // A private window, or a full disk.
  }
}

/** @param {Kind} kind @param {string} name */
export function forget(kind, name) {
  try {
    localStorage.removeItem(address(kind, name));
  } catch {
    // Nothing was kept.
  }
}

/** @param {Kind} kind @param {string} name @returns {string | null} */
export function recall(kind, name) {
  try {
    return localStorage.getItem(address(kind, name));
  } catch {
    return null;
  }
}

/** How many facts of a kind a chapter has: their names begin with its number. */
export function count(/** @type {Kind} */ kind, /** @type {string} */ chapter) {
  try {
    const begin = address(kind, `${chapter}-`);
    return Object.keys(localStorage).filter((name) => name.startsWith(begin)).length;
  } catch {
    return 0;
  }
}
