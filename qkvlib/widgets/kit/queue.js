/* What waits for the kernel, said as shortly as it can be: it replays what a hand has done. */

/** @import { Ask } from "./kernel.js" */

/**
 * @typedef {object} Entry
 * @property {Ask} request
 * @property {boolean} done  the page has carried it out already, and Python follows
 * @property {boolean} [whole]  something was reached with it: Python must get exactly there, too
 */

/**
 * Add a request to those that wait, or to the last of them.
 * @param {Entry[]} waiting @param {Entry} entry
 */
export function enqueue(waiting, entry) {
  const last = waiting[waiting.length - 1];
  const merged = last && !last.whole && last.done === entry.done && merge(last, entry);
  if (merged) waiting[waiting.length - 1] = { ...entry, request: merged };
  else waiting.push(entry);
}

/**
 * Two requests as one: of edits the newest wins, steps are counted. What the page has done already
 * stays apart by its gestures, for Undo takes back as much as one of them.
 * @param {Entry} last @param {Entry} entry @returns {Ask | null}
 */
function merge({ request: last, done }, { request }) {
  const oneMove = last.gesture === request.gesture;
  if (last.edit && request.edit && (oneMove || !done))
    return { ...last, edit: { ...last.edit, ...request.edit } };
  if (last.do === "step" && request.do === "step" && oneMove && done)
    return { ...last, times: (last.times ?? 1) + (request.times ?? 1) };
  return null;
}
