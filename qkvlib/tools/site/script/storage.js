/*
 * Store what this reader has done, in the browser and nowhere else; progress.py does the same for
 * Python.
 */

/**
 * `code` is the text in an exercise's editor; `former` is the text before it was started again.
 * @typedef {"predictions" | "confidence" | "goals" | "answers" | "exercises" | "hints" | "mistakes" |
 *   "code" | "former" | "theme"} Kind
 */

const PROGRESS =
  /^(predictions|confidence|goals|answers|exercises|hints|mistakes|code|former)\/[a-z0-9][a-z0-9_.-]*$/;
const LONGEST = 100_000; // characters of one fact

const address = (/** @type {Kind} */ kind, /** @type {string} */ name) => `qkvlib/${kind}/${name}`;

/**
 * What a browser that stores nothing, or has no space left, could not take: all scripts remember it
 * for as long as the page is open.
 * @type {Map<string, string>}
 */
const here = /** @type {{ qkvKept?: Map<string, string> }} */ (globalThis).qkvKept ?? new Map();
Object.assign(globalThis, { qkvKept: here });

/**
 * Store a fact, or forget it.
 * @param {Kind} kind @param {string} name @param {string | null} value  null: forget
 */
export function keep(kind, name, value) {
  const at = address(kind, name);
  here.delete(at);
  try {
    if (value === null) localStorage.removeItem(at);
    else localStorage.setItem(at, value);
  } catch {
    if (value !== null) here.set(at, value);
  }
}

/** @param {Kind} kind @param {string} name @returns {string | null} */
export function recall(kind, name) {
  const at = address(kind, name);
  try {
    return here.get(at) ?? localStorage.getItem(at);
  } catch {
    return null;
  }
}

/** Tell whether this browser stores anything. */
export function keeps() {
  keep("theme", "tried", "yes");
  const kept = !here.has(address("theme", "tried"));
  keep("theme", "tried", null);
  return kept;
}

/** Return the keys of everything that is stored. */
function addresses() {
  try {
    return [...new Set([...here.keys(), ...Object.keys(localStorage)])];
  } catch {
    return [...here.keys()];
  }
}

/** Count the facts of a kind in a chapter: their names begin with its number. */
export function count(/** @type {Kind} */ kind, /** @type {string} */ chapter) {
  const begin = address(kind, `${chapter}-`);
  return addresses().filter((name) => name.startsWith(begin)).length;
}

/** Return every fact of this reader's progress, by its kind and name. @returns {Record<string, string>} */
export function everything() {
  const names = addresses().map((name) => name.replace(/^qkvlib\//, ""));
  const own = names.filter((name) => PROGRESS.test(name)).sort();
  return Object.fromEntries(own.map((name) => [name, recall(...split(name)) ?? ""]));
}

/**
 * Return the progress in a file, as facts; null if the file has none.
 * @param {string} text
 * @returns {[string, string][] | null}
 */
export function progressIn(text) {
  try {
    const { qkvlib, kept } = JSON.parse(text);
    if (qkvlib !== 1 || typeof kept !== "object" || kept === null) return null;
    return /** @type {[string, string][]} */ (
      Object.entries(kept).filter(
        ([name, value]) => PROGRESS.test(name) && typeof value === "string" && value.length <= LONGEST,
      )
    );
  } catch {
    return null;
  }
}

/** @param {string} name  of a fact, with its kind @returns {[Kind, string]} */
export function split(name) {
  const [kind, ...rest] = name.split("/");
  return [/** @type {Kind} */ (kind), rest.join("/")];
}
