import assert from "node:assert/strict";
import { test } from "node:test";
import {
  covers,
  gradientSources,
  inside,
  partners,
  products,
  reached,
  readers,
  same,
  sources,
} from "./words.js";

const NAMES = ["x", "w_q", "w_k", "w_v", "q", "k", "v", "scores", "weights", "output"];
const FIRST = NAMES.slice(0, 4);

test("what a value is computed from reads it, and it alone is read", () => {
  // Beside the products of X, whose other factor is a partner, the two tables mirror each other.
  for (const name of NAMES) {
    const after = readers({ name, i: 1, j: 2 }).map(([other]) => other);
    for (const other of after.filter((one) => one !== "target")) {
      const before = sources({ name: other, i: 1, j: 2 }).map(([one]) => one);
      assert.ok(before.includes(name), `${other} is not made of ${name}`);
    }
    if (!FIRST.includes(name)) assert.ok(sources({ name, i: 0, j: 0 }).length);
  }
});

test("a score comes from a row of Q and a row of K", () => {
  assert.deepEqual(sources({ name: "scores", i: 1, j: 3 }), [
    ["q", 1, null],
    ["k", 3, null],
  ]);
});

test("a weight of V reaches a column of the output, and one of K every weight", () => {
  const v = reached({ name: "w_v", i: 0, j: 1 });
  assert.ok(covers(v, { name: "output", i: 2, j: 1 }));
  assert.ok(!covers(v, { name: "output", i: 2, j: 0 }));
  assert.ok(!covers(v, { name: "weights", i: 0, j: 0 }));
  const k = reached({ name: "w_k", i: 0, j: 1 });
  assert.ok(covers(k, { name: "weights", i: 3, j: 3 }));
  assert.ok(covers(k, { name: "output", i: 0, j: 0 }));
});

test("the gradient of a weight matrix comes from a column of X and one of what it made", () => {
  assert.deepEqual(gradientSources({ name: "w_k", i: 2, j: 1 }), [
    ["x", null, 2],
    ["k", null, 1],
  ]);
  assert.equal(gradientSources({ name: "x", i: 0, j: 0 }).length, 6);
});

test("a weight meets a feature of X, and a share of attention a value", () => {
  assert.deepEqual(partners({ name: "w_q", i: 2, j: 0 }), [["x", null, 2]]);
  assert.deepEqual(partners({ name: "weights", i: 0, j: 3 }), [["v", 3, null]]);
});

test("a long sum of products ends in dots", () => {
  assert.equal(
    products([
      [1, -2],
      [0.5, 4],
    ]),
    "1.00 × −2.00 + 0.50 × 4.00",
  );
  const long = products(
    Array.from({ length: 6 }, () => [1, 1]),
    0,
  );
  assert.equal(long, "1 × 1 + 1 × 1 + 1 × 1 + 1 × 1 + …");
});

test("what was rounded is not said to be equal", () => {
  assert.equal(same(0.301, 0.304), " = ");
  assert.equal(same(0.301, 0.306), " ≈ ");
});

test("a learner's function keeps to itself what is between Q, K, V and the output", () => {
  assert.ok(inside({ function: "mine" }, "scores"));
  assert.ok(!inside({ function: "mine" }, "w_q"));
  assert.ok(!inside({ function: "" }, "scores"));
});
