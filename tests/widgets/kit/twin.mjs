// For each line of JSON: what a widget's page says of a state after a change.
import { createInterface } from "node:readline";
import { twin as softLookup } from "../../../qkvlib/widgets/soft_lookup/compute.js";
import { twin as vectors } from "../../../qkvlib/widgets/vectors/compute.js";

const TWINS = { soft_lookup: softLookup, vectors };

for await (const line of createInterface({ input: process.stdin })) {
  const { widget, setup, state, change } = JSON.parse(line);
  console.log(JSON.stringify(TWINS[widget](setup).moved(state, change)));
}
