/* Run Python with the course in node: read an answer to judge in each line, and write its record. */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadPyodide } from "../../node_modules/pyodide/pyodide.mjs";
import create from "../../node_modules/pyodide/pyodide.asm.mjs";
import { startPython } from "../../qkvlib/tools/site/script/check/python.js";
import { install } from "../../qkvlib/tools/page_torch/loops/index.js";

const nobody = { begins() {}, printed() {}, ends() {} };
const archive = new Uint8Array(readFileSync(process.argv[2]));
let picture;
const load = (options) => loadPyodide({ ...options, stdout: console.error });
process.on("uncaughtException", (error) => { console.error(String(error.stack).slice(-3000)); process.exit(1); });
let check = await startPython(
  { load, create, archive, install, taken: (bytes) => (picture = bytes) },
  nobody,
);

for await (const line of createInterface({ input: process.stdin })) {
  const question = JSON.parse(line);
  const started = performance.now();
  let answer;
  try {
    if (question.again) {
      check = await startPython({ load, create, archive, install, picture }, nobody);
      answer = { bytes: picture.length };
    } else answer = check(question);
  } catch (error) {
    answer = { broken: String(error) };
  }
  console.log(JSON.stringify({ ...answer, milliseconds: performance.now() - started }));
}
