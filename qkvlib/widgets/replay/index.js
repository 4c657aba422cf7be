import { watchSize } from "../kit/dom.js";
import { asking } from "../kit/kernel.js";
import { initialize } from "../kit/late_models.js";
import { makeInks } from "../kit/maps.js";
import { announcer, mount } from "../kit/page.js";
import { choose, listen, makeLists } from "./hand.js";
import { layOut, makeReplay } from "./parts.js";
import { point, show } from "./picture.js";
import { answered, receive, stop } from "./player.js";

/** @import { Given } from "./parts.js" */

/** @param {Given} given */
function render(given) {
  const { model } = given;
  const label = "A training run, played back";
  const { root, gate, ended, unmount } = mount(given, "replay", label, () => answered(replay), asking);
  const announce = announcer(root, ended);
  const inks = makeInks(root, ended, () => show(replay));
  const replay = makeReplay(
    { model, root, gate, announce, inks },
    (...cell) => point(replay, ...cell),
    (part) => choose(replay, { part }),
  );
  const { layer, example } = makeLists(replay);
  layOut(replay, layer, example);
  listen(replay);
  watchSize(root, ended, () => {
    replay.width = root.offsetWidth; // read now: while it plays, that would cost a layout
    show(replay);
  });
  /** @param {any} _ @param {DataView[]} [buffers] */
  const frames = (_, buffers) => receive(replay, buffers);
  model.on("msg:custom", frames);
  ended.addEventListener("abort", () => {
    stop(replay);
    model.off("msg:custom", frames);
  });
  replay.curve.lay(replay.played);
  show(replay);
  if (!("alone" in model)) gate.ask({ do: "frames" });
  answered(replay);
  return unmount;
}

export default { initialize, render };
