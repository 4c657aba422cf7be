/*
 * The worker in which Python runs. It is ended when a learner's loop does not end, and then started
 * again.
 */

import { install } from "../../../page_torch/loops/index.js";
import { canKeep, keep, keepOnly, kept, load, NotLoaded } from "./files.js";
import { startPython } from "./python.js";

/** @import { Question, Verdict } from "./python.js" */
/** @typedef {Record<string, string>} Addresses  of Pyodide's files and the course, by name */

/** @type {(question: Question) => Verdict} */
let check;
/** @type {(message: object) => void} */
const say = (message) => self.postMessage(message);

/** Import a module from its text, without a request to the network. @param {Response} response */
async function imported(response) {
  const text = new Blob([await response.blob()], { type: "text/javascript" });
  return import(URL.createObjectURL(text));
}

/** @param {Addresses} addresses */
async function start(addresses) {
  const files = await load(addresses, (done) => say({ loading: done }));
  const pictureAt = `${addresses["course.zip"]}?picture`;
  const picture = await kept(pictureAt);
  say({ loading: { loaded: 0, total: 0 } });
  const [{ loadPyodide }, { default: create }] = await Promise.all(
    ["pyodide.mjs", "pyodide.asm.mjs"].map((name) => imported(files[name])),
  );
  const wasm = files["pyodide.asm.wasm"];
  const library = files["python_stdlib.zip"];
  // Everything is here: from now on there are no requests to the network.
  self.fetch = async (address) => (String(address).endsWith(".wasm") ? wasm : library).clone();
  const lock = await files["lock.json"].json(); // without any packages
  const archive = new Uint8Array(await files["course.zip"].arrayBuffer());
  /** @param {object} options */
  const begin = (options) =>
    loadPyodide({
      ...options,
      indexURL: new URL("./", location.href).href,
      stdLibURL: "python_stdlib.zip",
      lockFileContents: lock,
      packageBaseUrl: "./",
    });
  /** @type {((picture: Uint8Array) => void) | undefined} */
  let taken;
  if (!picture && (await canKeep()))
    taken = (bytes) => keep(pictureAt, new Response(new Blob([/** @type {BlobPart} */ (bytes)])));
  const watch = {
    /** @param {string} exercise @param {number} run @param {number} seconds */
    begins: (exercise, run, seconds) => say({ begins: { exercise, run, seconds } }),
    /** @param {string} text */
    printed: (text) => say({ printed: text }),
    ends: () => say({ ends: true }),
  };
  check = await startPython({ load: begin, create, archive, install, picture, taken }, watch);
  await keepOnly([...Object.values(addresses), pictureAt]);
}

self.onmessage = async ({ data }) => {
  try {
    if (data.start) {
      await start(data.start);
      say({ ready: true });
    } else say({ verdict: check(data.check) });
  } catch (error) {
    say(error instanceof NotLoaded ? { away: true } : { broken: String(error) });
  }
};
