/*
 * Compile what a page's Python will import, when the site is built: Python in node does it.
 * Arguments: the compiling program, and a folder with course.zip and python_stdlib.zip, which are
 * overwritten.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { loadPyodide } from "pyodide";
import { install } from "../../../page_torch/loops/index.js";
import { COURSE, PREPARE } from "./python.js";

const [program, folder] = process.argv.slice(2);
const LIBRARY = "/lib/python314.zip";

// Sets have a fixed order, so that the same source gives the same code.
const pyodide = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
/** @param {string} name */
const read = (name) => new Uint8Array(readFileSync(`${folder}/${name}`));
/** @param {string} what @param {string} name @param {string} home */
function compile(what, name, home) {
  const made = pyodide.globals.get(what)(pyodide.toPy(read(name)), home);
  writeFileSync(`${folder}/${name}`, made.toJs());
}

pyodide.FS.writeFile(COURSE, read("course.zip"));
install(pyodide);
pyodide.runPython(PREPARE); // what this loads of the library is what a page will load
pyodide.runPython(readFileSync(program, "utf8"));
compile("course", "course.zip", COURSE);
compile("library", "python_stdlib.zip", LIBRARY);
