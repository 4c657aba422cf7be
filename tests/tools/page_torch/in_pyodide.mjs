/*
 * Run Pyodide with the page's torch. Read a list of Python programs from each line, and write what
 * each of them left in `result`, in the form of `programs.py`.
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadPyodide } from "../../../node_modules/pyodide/pyodide.mjs";
import { install } from "../../../qkvlib/tools/page_torch/loops/index.js";

const [layer, programs] = process.argv.slice(2);

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`); // without Pyodide's own source, which is one long line
  process.exit(1);
});

const pyodide = await loadPyodide();
install(pyodide);
pyodide.FS.mkdirTree("/page/torch");
pyodide.mountNodeFS("/page/torch", layer);
pyodide.runPython(`
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "/page")
`);
pyodide.runPython(readFileSync(programs, "utf8"));
const outcomes = pyodide.globals.get("outcomes");

for await (const line of createInterface({ input: process.stdin }))
  process.stdout.write(`${outcomes(line)}\n`);
