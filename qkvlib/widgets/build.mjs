/*
 * Bundle every widget into static/, a script and a stylesheet each: `make widgets`.
 *
 * --watch bundles again after each change; --into names another folder, for the test that holds
 * static/ to its source.
 */

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { build, context } from "esbuild";

const here = import.meta.dirname;
const { values } = parseArgs({
  options: { watch: { type: "boolean" }, into: { type: "string", default: `${here}/static` } },
});

/** The folder and the name of each widget's files. */
const WIDGETS = [
  ["cache", "index", "cache"],
  ["heads", "index", "heads"],
  ["lab", "index", "lab"],
  ["learn_to_look", "index", "learn_to_look"],
  ["lines", "index", "lines"],
  ["next_token", "index", "next_token"],
  ["predict", "index", "predict"],
  ["predict", "recap", "recap"],
  ["read_aloud", "index", "read_aloud"],
  ["replay", "index", "replay"],
  ["shapes", "index", "shapes"],
  ["soft_lookup", "index", "soft_lookup"],
  ["turning", "index", "turning"],
  ["vectors", "index", "vectors"],
];

/** @type {import("esbuild").BuildOptions} */
const options = {
  absWorkingDir: here,
  entryPoints: [
    { in: "../tools/site/script/index.js", out: "site" },
    { in: "../tools/site/script/check/worker.js", out: "worker" },
    ...WIDGETS.flatMap(([folder, script, name]) => [
      { in: `${folder}/${script}.js`, out: name },
      { in: `${folder}/${name}.css`, out: name },
    ]),
  ],
  outdir: values.into,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

/** @type {import("esbuild").BuildOptions} */
const embedding = {
  ...options,
  entryPoints: [{ in: "../tools/site/script/embed.js", out: "embed" }],
  format: "iife",
  globalName: "qkv", // the site writes the rest of the module under it
};

/** The packages that come into a page, with their notices, which go where they go. */
const NOTICES = [
  "@codemirror/state",
  "@lezer/common",
  "@lezer/python",
  "@marijn/find-cluster-break",
  "crelt",
  "style-mod",
  "w3c-keyname",
];
const notices = new Set(
  NOTICES.map((name) => readFileSync(`${here}/../../node_modules/${name}/LICENSE`, "utf8").trim()),
);

/** @type {import("esbuild").BuildOptions} */
const editing = {
  ...options,
  entryPoints: [{ in: "../tools/site/script/wake_exercises.js", out: "exercises" }],
  banner: { js: `/* The editor is CodeMirror.\n\n${[...notices].join("\n\n")} */` },
};

for (const each of [options, embedding, editing])
  if (values.watch) await (await context({ ...each, logLevel: "info" })).watch();
  else await build(each);
