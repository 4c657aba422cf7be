/* For each line of JSON, write what the page computes of many states, and where training takes each. */

import { createInterface } from "node:readline";
import { pass, stepped } from "../../../qkvlib/widgets/learn_to_look/compute.js";

/** Return the number of steps until the wanted ending, at most `most`; and the pass at the end. */
function run(setup, place, most) {
  let now = place;
  for (let steps = 0; ; steps++) {
    const found = pass(setup, now);
    if (found.ending === place.wish) return { steps, found, place: now };
    if (steps === most) return { steps: null, found, place: now };
    now = stepped(setup, now);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { setup, places, most } = JSON.parse(line);
  const answers = places.map((place) => (most ? run(setup, place, most) : pass(setup, place)));
  console.log(JSON.stringify(answers));
}
