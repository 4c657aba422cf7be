// For each line of JSON, write the states that a widget's page reaches, request after request.
import { createInterface } from "node:readline";
import { makeProgram as makeHeads } from "../../../qkvlib/widgets/heads/program.js";
import { makeProgram as makeLines } from "../../../qkvlib/widgets/lines/program.js";
import { makeProgram as makePrediction } from "../../../qkvlib/widgets/predict/program.js";
import { makeProgram as makeReadAloud } from "../../../qkvlib/widgets/read_aloud/program.js";
import { read, write } from "../bytes.mjs";

const PROGRAMS = {
  heads: makeHeads,
  lines: makeLines,
  predict: makePrediction,
  read_aloud: makeReadAloud,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { widget, setup, state, requests } = JSON.parse(line, read);
  const program = PROGRAMS[widget](setup, state);
  program.adopt(state, {});
  const can = (request) => program.can?.(request) ?? true;
  const states = requests.map((request) => can(request) && program.carryOut(request));
  console.log(JSON.stringify(states, write));
}
