/*
 * List the functions of scripts that do not fit on a screen: `node functions.mjs LINES SCRIPT...`
 * prints the lines, script and name of each. TypeScript's parser finds them: a name is the function's
 * own, or that of the variable it is assigned to.
 */

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [most, ...scripts] = process.argv.slice(2);
const ts = createRequire(`${process.cwd()}/`)("typescript");

/** @param {string} script */
function longFunctions(script) {
  const text = readFileSync(script, "utf8");
  const source = ts.createSourceFile(script, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const lineOf = (at) => source.getLineAndCharacterOfPosition(at).line;
  const found = [];
  const visit = (node) => {
    if (ts.isFunctionLike(node) && node.body) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      const name = (node.name ?? node.parent.name)?.getText(source) ?? "without a name";
      if (lines > Number(most)) found.push(`${lines} ${script} ${name}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

for (const line of scripts.flatMap(longFunctions)) console.log(line);
