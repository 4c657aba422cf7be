/*
 * Heads in the page, where no model runs. With only a few heads, Python has recorded a film of
 * every combination of silent heads. For anything that is not in the film, the page asks Python.
 */

import { placesOf, standingOf } from "./weights.js";

/** @import { Ask } from "../kit/kernel.js" */
/** @import { Program } from "../kit/owner.js" */
/** @import { Film, Setup, State } from "./weights.js" */

/** @param {Setup} setup @param {State} opening @returns {Program} */
export function makeProgram(setup, opening) {
  const film = /** @type {Film} */ (setup.film);
  const heads = placesOf(setup).length;
  const sizes = setup.examples.map(([rows, columns]) => heads * rows.length * columns.length);
  const total = (/** @type {number[]} */ some) => some.reduce((sum, size) => sum + size, 0);
  let state = opening;

  /**
   * Return the index of the moment in which exactly these heads are silent.
   * @param {State["silenced"]} silenced
   */
  const momentOf = (silenced) => total(silenced.map((head) => 2 ** head));

  /** @param {State} before @param {Ask["edit"]} change @returns {State} */
  function seen(before, change) {
    const { example, silenced } = { ...before, ...change };
    const moment = momentOf(silenced);
    if (moment >= film.moments.length) return before; // not in the film: keep what Python sent
    const { jobs, now } = film.moments[moment];
    const tells = before.jobs !== null || silenced.length > 0;
    const at = film.maps.byteOffset + moment * total(sizes) + total(sizes.slice(0, example));
    const maps = new DataView(film.maps.buffer, at, sizes[example]);
    const after = { ...before, example, maps, jobs: tells ? jobs : null, silenced, now };
    return setup.goal ? { ...after, goal: standingOf(setup.goal, after) } : after;
  }

  return {
    can: ({ edit }) => momentOf(edit?.silenced ?? state.silenced) < film.moments.length,
    carryOut({ edit }) {
      state = seen(state, edit);
      return state;
    },
    adopt(told, meanwhile) {
      state = seen(told, meanwhile);
      return state;
    },
    rest: () => ({
      example: state.example,
      silenced: state.silenced,
      tried: state.jobs !== null,
      met: state.goal?.met ?? false,
    }),
  };
}
