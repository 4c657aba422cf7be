import assert from "node:assert/strict";
import { test } from "node:test";
import { numbersIn } from "./bytes.js";

test("numbers may begin anywhere in what arrived", () => {
  const message = new Uint8Array([99, 0, 0, 128, 63, 0, 0, 0, 64, 99]); // 1 and 2, after one byte
  const view = new DataView(message.buffer, 1, 8);
  assert.deepEqual([...numbersIn(view, Float32Array)], [1, 2]);
});

test("no bytes are no numbers", () => {
  assert.equal(numbersIn(new DataView(new ArrayBuffer(0)), Int8Array).length, 0);
});
