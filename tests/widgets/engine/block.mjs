// Run one block of the engine for each line of JSON: read x and the weights, and write the result.
import { createInterface } from "node:readline";
import { causalMask } from "../../../qkvlib/widgets/engine/attention.js";
import { encoderBlock } from "../../../qkvlib/widgets/engine/blocks.js";
import { matrix } from "../../../qkvlib/widgets/engine/matrix.js";

const read = ({ rows, cols, numbers }) => matrix(rows, cols, numbers);

for await (const line of createInterface({ input: process.stdin })) {
  const { x, weights, n_heads } = JSON.parse(line);
  const named = Object.entries(weights).map(([name, weight]) => [name, read(weight)]);
  const output = encoderBlock(read(x), Object.fromEntries(named), n_heads);
  console.log(JSON.stringify({ output: [...output.numbers], mask: causalMask(x.rows) }));
}
