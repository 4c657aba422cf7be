import assert from "node:assert/strict";
import { test } from "node:test";
import { ofHalf, readWeights } from "./safetensors.js";

/**
 * Make a file with one weight.
 * @param {string} dtype
 * @param {number[]} bits
 * @param {number} begin  of the file in its buffer
 */
function fileOf(dtype, bits, begin) {
  const told = { dtype, shape: [2, 1], data_offsets: [0, 2 * bits.length] };
  const header = new TextEncoder().encode(JSON.stringify({ __metadata__: { by: "é" }, w: told }));
  const bytes = new Uint8Array(begin + 8 + header.length + 2 * bits.length);
  const view = new DataView(bytes.buffer, begin);
  view.setUint32(0, header.length, true);
  bytes.set(header, begin + 8);
  bits.forEach((each, at) => {
    view.setUint16(8 + header.length + 2 * at, each, true);
  });
  return view;
}

test("a number in half precision is what its bits say", () => {
  const said = [0x0000, 0x3c00, 0xc000, 0x3555, 0x7bff, 0x0001, 0x83ff].map(ofHalf);
  assert.deepEqual(said, [0, 1, -2, 0.333251953125, 65504, 2 ** -24, -1023 * 2 ** -24]);
});

test("weights have their names and shapes, wherever the file begins", () => {
  for (const begin of [0, 3]) {
    const { w, ...others } = readWeights(fileOf("F16", [0x3c00, 0xc000], begin));
    assert.deepEqual([w.rows, w.cols, ...w.numbers], [2, 1, 1, -2]);
    assert.deepEqual(others, {});
  }
});

test("weights in another precision are refused", () => {
  assert.throws(() => readWeights(fileOf("F32", [0, 0], 0)), /w is kept as F32/);
});
