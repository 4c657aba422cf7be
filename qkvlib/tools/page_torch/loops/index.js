/* The only interface: Python names a kernel and says where its tensors are in memory. */

import { elementwise } from "./elementwise.js";
import { Refusal, read, tensorsAt, write } from "./memory.js";
import { places } from "./places.js";
import { products } from "./products.js";
import { random } from "./random.js";
import { rows } from "./rows.js";

/** @import { Flat } from "./memory.js" */

/** @typedef {(inputs: Flat[], numbers: number[]) => Float64Array | Float64Array[]} Kernel */

/** @type {Record<string, Kernel>} */
const KERNELS = { ...elementwise, ...rows, ...products, ...places };

/**
 * Make the kernels for a memory that may grow, so it is looked up again each time.
 * @param {() => ArrayBuffer} memory
 */
export function makeDoor(memory) {
  /**
   * Compute, and write to the first `results` tensors. Return "", or the reason for a refusal.
   * @param {string} name @param {number} address @param {number} results @param {number[]} numbers
   */
  function run(name, address, results, ...numbers) {
    const tensors = tensorsAt(memory(), address);
    try {
      if (name in random) {
        const [out, state] = tensors;
        write(out, random[name](/** @type {Float64Array} */ (state.data), out, numbers));
        return "";
      }
      const made = KERNELS[name](tensors.slice(results).map(read), numbers);
      if (Array.isArray(made)) made.forEach((values, i) => write(tensors[i], values));
      else write(tensors[0], made);
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
    return "";
  }
  return { run };
}

/** Let Python in this Pyodide `import qkv_tensors`. @param {any} pyodide */
export function install(pyodide) {
  pyodide.registerJsModule(
    "qkv_tensors",
    makeDoor(() => pyodide._module.HEAPU8.buffer),
  );
}
