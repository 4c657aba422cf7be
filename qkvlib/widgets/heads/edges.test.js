import assert from "node:assert/strict";
import { test } from "node:test";
import { howToRead, inWords } from "./edges.js";
import { ring, twoRows, wishedHeight } from "./layout.js";

/** @param {string[]} words */
const look = (words) => ({
  rows: words,
  columns: words,
  weights: words.flatMap(() => words.map(() => 0.5)),
});
const SHORT = look(["the", "law"]);
const FRAME = { wide: 640, tall: 300 };
const MANY = look(Array.from({ length: 40 }, (_, i) => `word${i}`));
const LONG = look(Array.from({ length: 9 }, (_, i) => `considerable${i}`));

test("words stand across where there is room, and down where there is none", () => {
  assert.deepEqual(twoRows(SHORT, FRAME).sides, ["upper", "lower"]);
  assert.deepEqual(twoRows(LONG, FRAME).sides, ["left", "right"]);
  assert.match(howToRead("lines", LONG, FRAME), /^The left words/);
});

test("words stand across only where their weights have room as well", () => {
  const letters = look([..."abcdefghijklmnopqr"]);
  assert.deepEqual(twoRows(letters, FRAME).sides, ["upper", "lower"]);
  assert.deepEqual(twoRows(letters, { wide: 600, tall: 300 }).sides, ["left", "right"]);
});

test("words below each other stay apart; more than fit are scrolled", () => {
  const { key, height, size } = twoRows(MANY, { wide: 640, tall: 300 });
  assert.equal(size, 12);
  assert.ok(key(1).y - key(0).y >= size);
  assert.ok(height > 300);
  assert.equal(wishedHeight(MANY, 640, true), 460);
});

test("two long words share the room of a narrow page, and neither leaves it", () => {
  const [asks, answers] = ["Ada first Gus second", "Hana grey"];
  const narrow = { rows: [asks], columns: Array(6).fill(answers), weights: Array(6).fill(1 / 6) };
  const wide = 324;
  const { query, key } = twoRows(narrow, { wide, tall: 280 });
  const letter = 8.2;
  assert.ok((query(0).most ?? 0) < asks.length);
  assert.ok((query(0).most ?? 0) > 12, "more than half of it is left");
  assert.ok(query(0).textX - (query(0).most ?? 0) * letter >= 0);
  assert.ok((key(0).most ?? 0) >= answers.length, "what has room is not cut");
  assert.ok(key(0).textX + answers.length * letter <= wide);
  assert.ok(key(0).x - query(0).x > 40, "and there is room for the lines");
});

test("no node of a graph leaves the picture", () => {
  for (const words of [SHORT, LONG, MANY])
    for (const wide of [320, 480, 640]) {
      const { node, height } = ring(words, { wide, tall: 300 });
      for (let i = 0; i < words.rows.length; i++) {
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
  assert.equal(inWords(from, { side: "row", index: 2 }), "“its” looks at “law” 0.96, and others a little.");
});

test("of many the first four are told", () => {
  const from = { ...look([..."abcdef"]), weights: new Array(36).fill(1 / 6) };
  assert.equal(
    inWords(from, { side: "row", index: 0 }),
    "“a” looks at “a” 0.17, “b” 0.17, “c” 0.17, “d” 0.17, and others less.",
  );
});
