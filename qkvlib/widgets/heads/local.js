/*
 * Heads without Python. No model runs here: a few heads can be heard or silent in so few ways that
 * Python has made a film of them all.
 */

import { isSilent, placesOf } from "./weights.js";

/** @import { Ask, Local } from "../kit/kernel.js" */
/** @import { Setup, State } from "./weights.js" */

/**
 * The widget in the page, or null where there is no film.
 * @param {Setup} setup @param {State} opening @returns {Local | null}
 */
export function makeLocal(setup, opening) {
  const { film, examples } = setup;
  if (!film) return null;
  const places = placesOf(setup);
  const heads = places.filter(({ head }) => head >= 0);
  const sizes = examples.map(([rows, columns]) => places.length * rows.length * columns.length);
  const total = (/** @type {number[]} */ some) => some.reduce((sum, size) => sum + size, 0);
  let state = opening;
  let told = opening.jobs !== null;

  /** The number of the moment in which these heads are silent. @param {State["silenced"]} silenced */
  const momentOf = (silenced) =>
    heads.reduce((sum, head, i) => sum + (isSilent({ ...state, silenced }, head) ? 2 ** i : 0), 0);

  /** Which heads are silent after a request. @param {Ask} request @returns {State["silenced"]} */
  function silencedBy({ do: what, choice }) {
    if (what === "hear all") return [];
    if (what !== "silence") return state.silenced;
    return heads
      .filter((place) => {
        const chosen = place.layer === choice[0] && place.head === choice[1];
        return isSilent(state, place) !== chosen;
      })
      .map(({ layer, head }) => [layer, head]);
  }

  return {
    can: (request) => momentOf(silencedBy(request)) < film.moments.length,
    carryOut(request) {
      if (request.do === "look") return state;
      const silenced = silencedBy(request);
      const example = request.do === "example" ? request.choice : state.example;
      told ||= request.do === "silence";
      const moment = momentOf(silenced);
      const { jobs, now, goal } = film.moments[moment];
      const at = film.maps.byteOffset + moment * total(sizes) + total(sizes.slice(0, example));
      const maps = new DataView(film.maps.buffer, at, sizes[example]);
      state = { ...state, example, maps, jobs: told ? jobs : null, silenced, now };
      if (state.goal && goal) state.goal = { ...goal, met: state.goal.met || goal.met };
      return state;
    },
    adopt(truth) {
      state = truth;
      told = truth.jobs !== null;
      return state;
    },
  };
}
