// For each line of JSON: the states that a widget's page comes to, request after request.
import { createInterface } from "node:readline";
import { makeLocal as makeHeads } from "../../../qkvlib/widgets/heads/local.js";
import { makeLocal } from "../../../qkvlib/widgets/kit/local.js";
import { makeLocal as makeLines } from "../../../qkvlib/widgets/lines/local.js";
import { twin as nextToken } from "../../../qkvlib/widgets/next_token/compute.js";
import { makeLocal as makePrediction } from "../../../qkvlib/widgets/predict/local.js";
import { makeLocal as makeReadAloud } from "../../../qkvlib/widgets/read_aloud/local.js";
import { makeLocal as makeShapes } from "../../../qkvlib/widgets/shapes/local.js";
import { twin as softLookup } from "../../../qkvlib/widgets/soft_lookup/compute.js";
import { twin as turning } from "../../../qkvlib/widgets/turning/compute.js";
import { twin as vectors } from "../../../qkvlib/widgets/vectors/compute.js";
import { read, write } from "../bytes.mjs";

const twinned = (twin) => (setup, state) => makeLocal(twin(setup), setup.start, state);
const LOCALS = {
  heads: makeHeads,
  lines: makeLines,
  next_token: twinned(nextToken),
  predict: makePrediction,
  read_aloud: makeReadAloud,
  shapes: makeShapes,
  soft_lookup: twinned(softLookup),
  turning: twinned(turning),
  vectors: twinned(vectors),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { widget, setup, state, requests } = JSON.parse(line, read);
  const local = LOCALS[widget](setup, state);
  const states = requests.map((request) => local.can(request) && local.carryOut(request));
  console.log(JSON.stringify(states, write));
}
