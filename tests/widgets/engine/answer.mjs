// Run one pass of the engine for each line of JSON: read the matrices, write every intermediate.
import { createInterface } from "node:readline";
import { backward, squaredError, trace } from "../../../qkvlib/widgets/engine/gradients.js";
import { matrix } from "../../../qkvlib/widgets/engine/matrix.js";

const read = (given) => given && matrix(given.rows, given.cols, given.numbers);
const write = (found) => {
  if (Array.isArray(found)) return found.map(write);
  return found && [...found.numbers];
};

for await (const line of createInterface({ input: process.stdin })) {
  const { given, d_output, target } = JSON.parse(line);
  const { mask, n_heads, ...matrices } = given;
  const read_ = Object.fromEntries(Object.entries(matrices).map(([name, m]) => [name, read(m)]));
  const forward = trace({ ...read_, mask, n_heads });
  const names = ["q", "k", "v", "scores", "weights", "heads", "output"];
  const found = Object.fromEntries(names.map((name) => [name, write(forward[name])]));
  const back = backward(forward, read(d_output));
  for (const [name, value] of Object.entries(back)) found[name] = write(value);
  const [loss, slope] = squaredError(forward.output, read(target));
  console.log(JSON.stringify({ ...found, loss, slope: write(slope) }));
}
