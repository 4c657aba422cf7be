// For each line of JSON, a widget with its setup and Python's state, write the page's own state.
import { createInterface } from "node:readline";
import { makeProgram } from "../../../qkvlib/widgets/kit/program.js";
import { left, rules as nextToken } from "../../../qkvlib/widgets/next_token/compute.js";
import { rules as softLookup } from "../../../qkvlib/widgets/soft_lookup/compute.js";
import { rules as turning } from "../../../qkvlib/widgets/turning/compute.js";
import { rules as vectors } from "../../../qkvlib/widgets/vectors/compute.js";

const RULES = { next_token: nextToken, soft_lookup: softLookup, turning, vectors };

for await (const line of createInterface({ input: process.stdin })) {
  const { widget, setup, state } = JSON.parse(line);
  const found = makeProgram(RULES[widget](setup), setup.start, state).adopt(state, {});
  const steps = (setup.steps ?? []).map(({ scores }) => left(scores, found).left);
  console.log(JSON.stringify({ ...found, left: steps }));
}
