import assert from "node:assert/strict";
import { test } from "node:test";
import { isSilent, placesOf, unpack, weightsOf } from "./weights.js";

const setup = /** @type {any} */ ({
  count_from: 1,
  layers: [
    { name: "layer 0", heads: 2 },
    { name: "layer 1", heads: 1 },
  ],
});

test("a byte is the middle of a bin, and only a zero is a zero", () => {
  const maps = new DataView(Uint8Array.from([0, 1, 57, 201]).buffer);
  const shares = [...unpack(maps)].map((share) => Number(share.toFixed(4)));
  assert.deepEqual(shares, [0, 0.0025, 0.2825, 1]);
});

test("heads are numbered within their layer, and a head alone has its layer's name", () => {
  const places = placesOf(setup);
  assert.deepEqual(
    places.map(({ name, job }) => [name, job]),
    [
      ["layer 0, head 1", 0],
      ["layer 0, head 2", 1],
      ["layer 1", 2],
    ],
  );
  assert.equal(placesOf({ ...setup, count_from: 0 })[0].name, "layer 0, head 0");
});

test("each place has its own weights", () => {
  const all = Float32Array.from([1, 0, 0, 1, 0.5, 0.5]);
  assert.deepEqual([...weightsOf(all, 1, 2)], [0, 1]);
});

test("a head is silent by its layer and its number", () => {
  const state = /** @type {any} */ ({ silenced: [[0, 1]] });
  assert.deepEqual(
    placesOf(setup).map((place) => isSilent(state, place)),
    [false, true, false],
  );
});
