import assert from "node:assert/strict";
import { test } from "node:test";
import { placesOf, unpack, weightsOf } from "./weights.js";

const setup = {
  layers: [
    { name: "layer 0", heads: 2 },
    { name: "layer 1", heads: 1 },
  ],
};

test("whole numbers are shares of the largest that fits", () => {
  const maps = new DataView(Uint8Array.from([0, 255, 51]).buffer);
  assert.deepEqual(unpack({ maps, bits: 8 }), [0, 1, 0.2]);
  const fine = new DataView(Uint16Array.from([65535, 0]).buffer);
  assert.deepEqual(unpack({ maps: fine, bits: 16 }), [1, 0]);
});

test("after a layer of several heads comes their mean, which has no job", () => {
  const places = placesOf(setup);
  assert.deepEqual(
    places.map(({ name, job }) => [name, job]),
    [
      ["layer 0, head 1", 0],
      ["layer 0, head 2", 1],
      ["layer 0, mean of heads", null],
      ["layer 1", 2],
    ],
  );
});

test("a head has its own weights, and a mean those of its layer", () => {
  const all = [1, 0, 0, 1, 0.5, 0.5];
  const [, second, mean, last] = placesOf(setup);
  assert.deepEqual(weightsOf(setup, all, second, 2), [0, 1]);
  assert.deepEqual(weightsOf(setup, all, mean, 2), [0.5, 0.5]);
  assert.deepEqual(weightsOf(setup, all, last, 2), [0.5, 0.5]);
});
