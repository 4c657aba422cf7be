import assert from "node:assert/strict";
import { test } from "node:test";
import { unpack, weightsOf } from "./weights.js";

test("a byte is the middle of a bin, and only a zero is a zero", () => {
  const maps = new DataView(Uint8Array.from([0, 1, 57, 201]).buffer);
  const shares = [...unpack(maps)].map((share) => Number(share.toFixed(4)));
  assert.deepEqual(shares, [0, 0.0025, 0.2825, 1]);
});

test("each place has its own weights", () => {
  const all = Float32Array.from([1, 0, 0, 1, 0.5, 0.5]);
  assert.deepEqual([...weightsOf(all, 1, 2)], [0, 1]);
});
