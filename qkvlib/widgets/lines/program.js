/*
 * A program of lines: the result of each line depends on what it reads, and is looked up in a
 * table.
 */

/** @import { Program } from "../kit/owner.js" */
/** @import { Setup, State } from "./parts.js" */

/** @param {Setup} setup @param {State} opening @returns {Program} */
export function makeProgram({ table }, opening) {
  let state = opening;

  /**
   * Run line by line; the last entry says what stopped the program, if something did.
   * @param {string} order
   */
  function watch(order) {
    /** What each name holds now: an index in the list of shapes. @type {Record<string, number>} */
    const holds = {};
    const made = [];
    for (const letter of order) {
      const { reads, writes, makes } = table.lines[letter];
      const missing = reads.find((name) => !(name in holds));
      const what = missing ?? makes[reads.map((name) => holds[name]).join(" ")];
      if (typeof what === "string") {
        made.push(`stops: ${missing ? `name '${missing}' is not defined` : what}`);
        break;
      }
      for (const name of writes) holds[name] = what;
      made.push(table.shapes[what]);
    }
    return made;
  }

  /** @param {string} order */
  const put = (order) => {
    state = { order, made: watch(order) };
    return state;
  };
  return {
    carryOut: ({ choice }) => put(choice),
    adopt: (told) => put(told.order),
    rest: () => ({ order: state.order }),
  };
}
