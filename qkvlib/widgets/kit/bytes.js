/* Numbers that are sent as bytes. */

/**
 * Return the numbers in some bytes. They are copied, because in a message they may start at any
 * offset, while typed arrays need an aligned one.
 * @template Numbers
 * @param {DataView} bytes
 * @param {new (buffer: ArrayBuffer) => Numbers} Kind  such as Float32Array
 */
export function numbersIn({ buffer, byteOffset, byteLength }, Kind) {
  return new Kind(/** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength)));
}
