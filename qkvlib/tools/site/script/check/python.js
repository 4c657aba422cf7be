/* Python in a worker or a process: Pyodide with the course in it, ready for questions. */

/**
 * @typedef {{
 *   begins: (exercise: string, run: number, seconds: number) => void,
 *   printed: (text: string) => void,
 *   ends: () => void,
 * }} Watch who is told when a learner's lines run
 * @typedef {{name: string, sources: [string, string][], stops?: Record<string, object>}} Question
 * @typedef {{
 *   outcome: "right" | "wrong" | "raised" | "not attempted", html: string, text: string,
 *   message: string, hints: string[], printed: string, mistake: string | null,
 * }} Verdict
 */

export const COURSE = "/course.zip";
export const PREPARE = `
import sys
sys.path.insert(0, "${COURSE}")
import qkvlib.tools.site.in_page.door
`;
/* Remove what is unique to one start, and what holds on to JavaScript. */
const LET_GO = `
import torch.engine
torch.engine.forget()
sys.modules.pop("qkv_tensors", None)
`;

/**
 * Create Pyodide's module with a memory as large as the snapshot that will be copied into it.
 * Pyodide requests that by a setting which its module no longer reads.
 * @param {(settings: any) => Promise<any>} create @returns {(settings: any) => Promise<any>}
 */
function withRoom(create) {
  return (settings) => {
    const { instantiateWasm, INITIAL_MEMORY } = settings;
    /** @param {any} imports @param {(instance: WebAssembly.Instance, module: any) => void} done */
    settings.instantiateWasm = (imports, done) =>
      instantiateWasm(imports, (/** @type {WebAssembly.Instance} */ instance, /** @type {any} */ module) => {
        const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
        const missing = (INITIAL_MEMORY ?? 0) - memory.buffer.byteLength;
        if (missing > 0) memory.grow(Math.ceil(missing / 65_536));
        done(instance, module);
      });
    return create(settings);
  };
}

/**
 * Start Python, or continue from a snapshot of its memory.
 * @param {{
 *   load: (options: object) => Promise<any>,
 *   create: (settings: any) => Promise<any>,
 *   archive: Uint8Array,
 *   install: (pyodide: any) => void,
 *   picture?: Uint8Array,
 *   taken?: (picture: Uint8Array) => void,
 * }} given  Pyodide's own way to start, and its module; the course; what lets tensors in; and who keeps a picture
 * @param {Watch} watch
 * @returns {Promise<(question: Question) => Verdict>}
 */
export async function startPython({ load, create, archive, install, picture, taken }, watch) {
  const pyodide = await load({
    createPyodideModule: withRoom(create),
    ...(picture ? { _loadSnapshot: picture } : taken ? { _makeSnapshot: true } : {}),
  });
  pyodide.FS.writeFile(COURSE, archive);
  if (!picture) {
    install(pyodide);
    pyodide.runPython(PREPARE);
    pyodide.runPython(LET_GO);
    pyodide.unregisterJsModule("qkv_tensors");
    taken?.(pyodide.makeMemorySnapshot());
  }
  install(pyodide);
  pyodide.registerJsModule("qkv_owner", watch);
  const check = pyodide.runPython("sys.modules['qkvlib.tools.site.in_page.door'].check");
  return (question) => JSON.parse(check(JSON.stringify(question)));
}
