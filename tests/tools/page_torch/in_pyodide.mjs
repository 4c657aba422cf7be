/*
 * Pyodide with the page's torch. Each line that comes in is a list of programs in Python; the line
 * that goes out has what each of them left in `result`, as `programs.py` writes it down.
 */

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadPyodide } from "../../../node_modules/pyodide/pyodide.mjs";
import { install } from "../../../qkvlib/tools/page_torch/loops/index.js";

const [layer, programs] = process.argv.slice(2);

process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.message}\n`); // without Pyodide's own source, which is one line
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
