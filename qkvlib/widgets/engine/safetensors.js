/*
 * Read a model's weights from a safetensors file in half precision: the length of a JSON header,
 * the header, which says where each weight is, and the numbers.
 */

import { matrix } from "./matrix.js";

/** @import { Weights } from "./blocks.js" */

const LENGTH = 8; // bytes; a header needs only four of them

/** @param {DataView} file @returns {Weights} */
export function readWeights(file) {
  const size = file.getUint32(0, true);
  const text = new Uint8Array(file.buffer, file.byteOffset + LENGTH, size);
  const { __metadata__, ...header } = JSON.parse(new TextDecoder().decode(text));
  const weights = Object.entries(header).map(([name, { dtype, shape, data_offsets }]) => {
    if (dtype !== "F16") throw new Error(`${name} is kept as ${dtype}, not in half precision`);
    const [from, to] = data_offsets;
    const [cols, rows = 1] = [...shape].reverse();
    const numbers = Array.from({ length: (to - from) / 2 }, (_, at) =>
      ofHalf(file.getUint16(LENGTH + size + from + 2 * at, true)),
    );
    return [name, matrix(rows, cols, numbers)];
  });
  return Object.fromEntries(weights);
}

/**
 * Decode a half-precision number: one bit of sign, five of exponent, ten of fraction.
 * @param {number} bits
 */
export function ofHalf(bits) {
  const sign = bits >> 15 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  return sign * (exponent ? (1 + fraction) * 2 ** (exponent - 15) : fraction * 2 ** -14);
}
