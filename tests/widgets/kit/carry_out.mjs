// For each line of JSON: the states that a widget's page comes to, request after request.
import { createInterface } from "node:readline";
import { makeLocal } from "../../../qkvlib/widgets/kit/local.js";
import { twin as softLookup } from "../../../qkvlib/widgets/soft_lookup/compute.js";
import { twin as vectors } from "../../../qkvlib/widgets/vectors/compute.js";

const TWINS = { soft_lookup: softLookup, vectors };

for await (const line of createInterface({ input: process.stdin })) {
  const { widget, setup, state, requests } = JSON.parse(line);
  const local = makeLocal(TWINS[widget](setup), setup.start, state);
  const states = requests.map((request) => local.can(request) && local.carryOut(request));
  console.log(JSON.stringify(states));
}
