import assert from "node:assert/strict";
import { test } from "node:test";
import {
  backwards,
  betweenTokens,
  covers,
  GRAPH,
  gradientProducts,
  gradientSources,
  isRooted,
  ofTokens,
  partners,
  plain,
  ROLES,
  reached,
  readers,
  sources,
  valuesIn,
  WEIGHT_NAMES,
  WIRES,
} from "./graph.js";

/** The lines that a table gives for the second cell of the first row of each matrix. */
const table = (look) =>
  Object.fromEntries(Object.keys(GRAPH).map((name) => [name, look({ name, i: 0, j: 1 })]));

test("a value is computed from a row and a column, a score from two rows", () => {
  assert.deepEqual(table(sources), {
    x: [],
    w_q: [],
    w_k: [],
    w_v: [],
    q: [
      ["x", 0, null],
      ["w_q", null, 1],
    ],
    k: [
      ["x", 0, null],
      ["w_k", null, 1],
    ],
    v: [
      ["x", 0, null],
      ["w_v", null, 1],
    ],
    scores: [
      ["q", 0, null],
      ["k", 1, null],
    ],
    weights: [["scores", 0, null]],
    output: [
      ["weights", 0, null],
      ["v", null, 1],
    ],
    target: [],
  });
});

test("a value is read by a row or a column of what is made of it", () => {
  assert.deepEqual(table(readers), {
    x: [
      ["q", 0, null],
      ["k", 0, null],
      ["v", 0, null],
    ],
    w_q: [["q", null, 1]],
    w_k: [["k", null, 1]],
    w_v: [["v", null, 1]],
    q: [["scores", 0, null]],
    k: [["scores", null, 0]],
    v: [["output", null, 1]],
    scores: [["weights", 0, null]],
    weights: [["output", 0, null]],
    output: [["target", 0, 1]],
    target: [],
  });
});

test("a weight meets what it weighs, and a target the output", () => {
  assert.deepEqual(table(partners), {
    x: [],
    w_q: [["x", null, 0]],
    w_k: [["x", null, 0]],
    w_v: [["x", null, 0]],
    q: [],
    k: [],
    v: [],
    scores: [],
    weights: [["v", 1, null]],
    output: [],
    target: [["output", 0, 1]],
  });
});

test("a gradient is computed from the gradient of what was made, and what it was made with", () => {
  assert.deepEqual(table(gradientSources), {
    x: [
      ["q", 0, null],
      ["w_q", 1, null],
      ["k", 0, null],
      ["w_k", 1, null],
      ["v", 0, null],
      ["w_v", 1, null],
    ],
    w_q: [
      ["x", null, 0],
      ["q", null, 1],
    ],
    w_k: [
      ["x", null, 0],
      ["k", null, 1],
    ],
    w_v: [
      ["x", null, 0],
      ["v", null, 1],
    ],
    q: [
      ["scores", 0, null],
      ["k", null, 1],
    ],
    k: [
      ["scores", null, 0],
      ["q", null, 1],
    ],
    v: [
      ["weights", null, 0],
      ["output", null, 1],
    ],
    scores: [["weights", 0, null]],
    weights: [
      ["output", 0, null],
      ["v", 1, null],
    ],
    output: [["target", 0, 1]],
    target: [],
  });
});

/** Write products in the usual way, with ' for a transpose. */
const written = (name) =>
  gradientProducts(name)
    .map((pair) => pair.map((factor) => factor.name + (factor.turned ? "'" : "")).join(" "))
    .join(" + ");

test("the walk goes back from the output to X, by the chain rule", () => {
  assert.deepEqual(
    backwards().map((name) => `d_${name} = ${written(name)}`),
    [
      "d_output = ",
      "d_v = weights' d_output",
      "d_weights = d_output v'",
      "d_scores = ",
      "d_q = d_scores k",
      "d_k = d_scores' q",
      "d_w_v = x' d_v",
      "d_w_q = x' d_q",
      "d_w_k = x' d_k",
      "d_x = d_q w_q' + d_k w_k' + d_v w_v'",
    ],
  );
  assert.deepEqual(Object.keys(GRAPH).filter(isRooted), ["q", "k"]);
});

test("shapes fit: in every product the columns of one count what the rows of the other do", () => {
  // X's tokens are queries to W_Q, and keys to the others.
  const same = (count) => (["tokens", "queries", "keys"].includes(count) ? "tokens" : count);
  const counts = ({ name, turned }) => {
    const shape = GRAPH[plain(name)].counts.map(same);
    return turned ? shape.reverse() : shape;
  };
  for (const name of backwards())
    for (const [a, b] of gradientProducts(name)) {
      assert.equal(counts(a)[1], counts(b)[0], `in d_${name}`);
      assert.deepEqual([counts(a)[0], counts(b)[1]], counts({ name }), `of d_${name}`);
    }
});

test("a step back reads the values that its product names", () => {
  assert.deepEqual(valuesIn("v"), ["weights"]);
  assert.deepEqual(valuesIn("q"), ["k"]);
  assert.deepEqual(valuesIn("x"), ["w_q", "w_k", "w_v"]);
  assert.deepEqual(valuesIn("scores"), []);
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

test("wires lead from X to the signs before the weights, and on from what is made", () => {
  assert.equal(
    WIRES.map((wire) => wire.join(" ")).join(", "),
    "x w_q, x w_k, x w_v, q scores, k scores, scores weights, weights output, v output",
  );
  assert.deepEqual(WEIGHT_NAMES, ["w_q", "w_k", "w_v"]);
  assert.deepEqual(ROLES, ["q", "k", "v"]);
});

test("tokens are rows of all but the weights that are trained, and columns between tokens", () => {
  assert.deepEqual(
    Object.keys(GRAPH).filter((name) => !ofTokens(`d_${name}`)),
    ["w_q", "w_k", "w_v"],
  );
  assert.deepEqual(Object.keys(GRAPH).filter(betweenTokens), ["scores", "weights"]);
});
