/* Numbers that travel as bytes. */

/**
 * The numbers in some bytes. They are copied: in a message they may begin anywhere, and numbers of
 * several bytes may not.
 * @template Numbers
 * @param {DataView} bytes
 * @param {new (buffer: ArrayBuffer) => Numbers} Kind  such as Float32Array
 */
export function numbersIn({ buffer, byteOffset, byteLength }, Kind) {
  return new Kind(/** @type {ArrayBuffer} */ (buffer.slice(byteOffset, byteOffset + byteLength)));
}
