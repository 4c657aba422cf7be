import assert from "node:assert/strict";
import { test } from "node:test";
import { filmOf, framesOf, placeOf, sample } from "./frames.js";

/** @param {Int16Array | Int32Array | Float32Array} numbers */
const view = ({ buffer }) => new DataView(buffer);
const run = framesOf([
  view(Int32Array.of(0, 5, 10)),
  view(Float32Array.of(2, NaN, 1)),
  view(Float32Array.of(0, 0.5, 1)),
  view(Int32Array.of(0, 10)),
  view(Int16Array.of(0, 32767, 32767, -32768)),
  view(Int16Array.of(-32767, 32767)),
]);

test("the place of a step is the last that is not after it", () => {
  assert.deepEqual(
    [-1, 0, 4, 5, 99].map((step) => placeOf([0, 5, 10], step)),
    [0, 0, 0, 1, 2],
  );
});

test("a loss that is no number leaves a gap", () => {
  assert.deepEqual(run.losses, [2, null, 1]);
});

test("between two frames a number is on its way, and what is no number stays none", () => {
  const into = new Float32Array(2);
  sample(run, run.numbers, 0, into);
  assert.deepEqual([...into], [0, 1]); // exactly on a frame, gaps in the next one do not matter
  sample(run, run.numbers, 5, into);
  assert.equal(into[0], 0.5);
  assert.ok(Number.isNaN(into[1]));
  sample(run, run.numbers, 10, into);
  assert.equal(into[0], 1);
});

test("a film is what a saved notebook opens with", () => {
  const bytes = (/** @type {number[]} */ ...numbers) => new DataView(Int8Array.from(numbers).buffer);
  const film = { frames: [0, 10], numbers: bytes(0, 127, 127, -128), looks: bytes(-127, 127) };
  const opened = filmOf(
    {
      curve: [
        [0, 2],
        [10, 1],
      ],
    },
    { films: [film] },
    0,
  );
  assert.deepEqual(opened.frames, [0, 10]);
  assert.deepEqual(opened.losses, [2, 1]);
  const into = new Float32Array(1);
  sample(opened, opened.looks, 5, into);
  assert.equal(into[0], 0);
});
