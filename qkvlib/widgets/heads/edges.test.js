import assert from "node:assert/strict";
import { test } from "node:test";
import { howToRead, inWords, ring, twoRows } from "./edges.js";

/** @param {string[]} words */
const look = (words) => ({
  rows: words,
  columns: words,
  weights: words.flatMap(() => words.map(() => 0.5)),
});
const SHORT = look(["the", "law"]);
const LONG = look(Array.from({ length: 9 }, (_, i) => `considerable${i}`));

test("words stand across where there is room, and down where there is none", () => {
  assert.deepEqual(twoRows(SHORT, 640).sides, ["upper", "lower"]);
  assert.deepEqual(twoRows(LONG, 640).sides, ["left", "right"]);
  assert.match(howToRead("lines", LONG, 640), /^The left words/);
});

test("no node of a graph leaves the picture", () => {
  for (const wide of [320, 480, 640]) {
    const { node, height } = ring(LONG, wide);
    for (let i = 0; i < LONG.rows.length; i++) {
      const { x, y } = node(i);
      assert.ok(x > 0 && x < wide && y > 0 && y < height, `node ${i} of ${wide}`);
    }
  }
});

test("a sentence names who is looked at, most first, and who is hidden", () => {
  const words = ["the", "law", "its"];
  const weights = [0.2, 0.8, 0, 0.3, 0.4, 0.3, 0.02, 0.96, 0.02];
  const from = { rows: words, columns: words, weights };
  assert.equal(
    inWords(from, { side: "row", index: 0 }),
    "“the” looks at “law” 0.80, “the” 0.20. 1 word is hidden from it.",
  );
  assert.equal(
    inWords(from, { side: "row", index: 2 }),
    "“its” looks at “law” 0.96, and others a little.",
  );
});
