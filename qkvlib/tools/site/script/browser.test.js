import assert from "node:assert/strict";
import { test } from "node:test";
import { keepsFiles, lacks } from "./browser.js";

const ALL = { runs: true, keeps: true, keepsFiles: true };

test("a browser that can do everything is told nothing", () => {
  assert.deepEqual(lacks(ALL), []);
});

test("each lack has a sentence of its own, which says what works", () => {
  for (const [lack, words] of [
    ["runs", /nothing is checked here; all else works/],
    ["keeps", /keeps nothing.*all works until you close the page/],
    ["keepsFiles", /loads Python anew; all works/],
  ]) {
    const said = lacks({ ...ALL, [lack]: false });
    assert.equal(said.length, 1);
    assert.match(said[0], words);
  }
});

test("where nothing is checked, nobody is told how long it takes", () => {
  assert.equal(lacks({ ...ALL, runs: false, keepsFiles: false }).length, 1);
});

test("files are kept where the store can be opened", async () => {
  assert.equal(await keepsFiles(), false); // node has none
  const refuses = { has: async () => Promise.reject(new Error("The operation is insecure.")) };
  for (const [caches, keeps] of [
    [refuses, false],
    [{ has: async () => false }, true],
  ]) {
    globalThis.caches = caches;
    assert.equal(await keepsFiles(), keeps);
    delete globalThis.caches;
  }
});
