/* What this reader has done, kept in the browser and nowhere else; progress.py does it for Python. */

/**
 * Code is what stands in an exercise's editor; what stood there before it was started again is former.
 * @typedef {"predictions" | "confidence" | "goals" | "answers" | "exercises" | "hints" | "mistakes" |
 *   "code" | "former" | "theme"} Kind
 */

const PROGRESS =
  /^(predictions|confidence|goals|answers|exercises|hints|mistakes|code|former)\/[a-z0-9][a-z0-9_.-]*$/;
const LONGEST = 100_000; // letters of one fact

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

/** Every fact of this reader's progress, by its kind and name. @returns {Record<string, string>} */
export function everything() {
  try {
    const names = Object.keys(localStorage).map((name) => name.replace(/^qkvlib\//, ""));
    const own = names.filter((name) => PROGRESS.test(name)).sort();
    return Object.fromEntries(own.map((name) => [name, localStorage[`qkvlib/${name}`]]));
  } catch {
    return {};
  }
}

/** What of a file's facts is progress; null where it is no such file. @param {string} text */
export function progressIn(text) {
  try {
    const { qkvlib, kept } = JSON.parse(text);
    if (qkvlib !== 1 || typeof kept !== "object" || kept === null) return null;
    return factsIn(kept);
  } catch {
    return null;
  }
}

/** What of anything that came with a file is facts of a reader. @param {unknown} kept */
export function factsIn(kept) {
  const facts = Object.entries(kept ?? {}).filter(
    ([name, value]) => PROGRESS.test(name) && typeof value === "string" && value.length <= LONGEST,
  );
  return /** @type {[string, string][]} */ (facts);
}

/** @param {string} name  of a fact, with its kind @returns {[Kind, string]} */
export function split(name) {
  const [kind, ...rest] = name.split("/");
  return [/** @type {Kind} */ (kind), rest.join("/")];
}
