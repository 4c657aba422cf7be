// For each line of JSON: the states that a widget's page comes to, request after request.
import { createInterface } from "node:readline";
import { makeLocal as makeHeads } from "../../../qkvlib/widgets/heads/local.js";
import { makeProgram as makeLines } from "../../../qkvlib/widgets/lines/program.js";
import { makeProgram as makePrediction } from "../../../qkvlib/widgets/predict/program.js";
import { makeLocal as makeReadAloud } from "../../../qkvlib/widgets/read_aloud/local.js";
import { makeProgram as makeShapes } from "../../../qkvlib/widgets/shapes/program.js";
import { read, write } from "../bytes.mjs";

const LOCALS = {
  heads: makeHeads,
  lines: makeLines,
  predict: makePrediction,
  read_aloud: makeReadAloud,
  shapes: makeShapes,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { widget, setup, state, requests } = JSON.parse(line, read);
  const local = LOCALS[widget](setup, state);
  local.adopt(state, {});
  const can = (request) => local.can?.(request) ?? true;
  const states = requests.map((request) => can(request) && local.carryOut(request));
  console.log(JSON.stringify(states, write));
}
