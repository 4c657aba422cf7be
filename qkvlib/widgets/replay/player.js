/* Play a replay's run, and fetch its frames. */

import { say, set } from "../kit/dom.js";
import { fixed } from "../kit/words.js";
import { framesOf, placeOf } from "./frames.js";
import { isBare, show } from "./picture.js";

/** @import { Replay } from "./parts.js" */

/** How many seconds a run takes to play: slowly at first, and quickly through the many late steps. */
const SECONDS = 15;
const AGAIN = "To play all of it, run the notebook from its top (Run > Run All Cells).";

/** Return the steps at which some run has a frame. @param {Replay} replay */
export const stops = ({ played }) =>
  [...new Set(played.flatMap(({ frames }) => frames))].sort((one, other) => one - other);

/**
 * Stop at the nearest recorded step, so that a resting picture is never between two frames.
 * @param {Replay} replay @param {number} wanted
 */
export function rest(replay, wanted) {
  const { model, setup, saved, last, played } = replay;
  stop(replay);
  const step = stops(replay).reduce((best, some) =>
    Math.abs(some - wanted) < Math.abs(best - wanted) ? some : best,
  );
  replay.step = step;
  show(replay);
  const losses = setup.runs.map(({ name }, i) => {
    const loss = played[i].losses[placeOf(played[i].steps, step)];
    return `${setup.runs.length > 1 ? name : ""} loss ${fixed(loss, 3)}`;
  });
  replay.announce(`step ${step} of ${last}. ${losses.join(", ")}`);
  if (replay.playable) model.set("state", { ...saved, step });
}

/** @param {Replay} replay */
export function stop(replay) {
  cancelAnimationFrame(replay.playing);
  replay.playing = 0;
  say(replay.play, "▶ Play");
}

/** @param {Replay} replay */
export function start(replay) {
  const { axis, last } = replay;
  if (replay.step >= last) replay.step = 0;
  say(replay.play, "❚❚ Pause");
  let before = performance.now();
  const frame = (/** @type {number} */ now) => {
    const further = Math.max(now - before, 0) / 1000 / SECONDS;
    replay.step = axis.stepAt(axis.along(replay.step) + further);
    before = now;
    if (replay.step >= last) return rest(replay, last);
    replay.playing = requestAnimationFrame(frame);
    show(replay);
  };
  replay.playing = requestAnimationFrame(frame);
}

/**
 * Show nothing until the frames arrive; if they do not arrive, play the saved film.
 * @param {Replay} replay
 */
export function answered(replay) {
  const { root, gate, notice } = replay;
  if (replay.loaded) return;
  set(root, { "data-fresh": gate.busy && !gate.late });
  if (!gate.busy) playFrom(replay, framesKept(replay) > 1);
  say(notice, gate.busy ? "" : filmed(replay));
  set(root, { "data-still": !gate.busy });
}

/** @param {Replay} replay */
const framesKept = ({ played }) => Math.max(...played.map(({ frames }) => frames.length));

/** Return how much of the run was saved with the notebook. @param {Replay} replay */
function filmed(replay) {
  const what = isBare(replay) ? ", of its attention alone" : "";
  const again = "alone" in replay.model ? "" : AGAIN;
  return `${framesKept(replay)} moments of it are saved here${what}. ${again}`;
}

/** @param {Replay} replay @param {boolean} can */
function playFrom(replay, can) {
  if (can === replay.playable) return;
  replay.playable = can;
  replay.play.disabled = replay.scrubber.disabled = !can;
  if (can) replay.step = replay.saved.step ?? 0;
  show(replay);
}

/** Take in all of the run's frames. @param {Replay} replay @param {DataView[]} [buffers] */
export function receive(replay, buffers) {
  if (replay.loaded || !buffers?.length) return;
  const { runs } = replay.setup;
  const each = buffers.length / runs.length;
  replay.loaded = true;
  replay.played = runs.map((_, i) => framesOf(buffers.slice(i * each, (i + 1) * each)));
  say(replay.notice, "");
  set(replay.root, { "data-fresh": false, "data-still": false, "data-loaded": true });
  playFrom(replay, true);
  replay.curve.lay(replay.played);
  show(replay);
}
