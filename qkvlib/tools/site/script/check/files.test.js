import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";
import { canKeep, keepOnly, kept, load, NotLoaded } from "./files.js";

const PAGE = "https://x.example/course/";
const FILES = { "lock.json": `${PAGE}lock.bin`, "core.wasm": `${PAGE}core.bin` };
const PLAIN = "Python ".repeat(1000);
const PACKED = gzipSync(PLAIN);

/** A browser's cache, in memory. */
class Store {
  files = new Map();
  async match(address) {
    return this.files.get(address)?.clone();
  }
  async put(address, response) {
    this.files.set(address, response);
  }
  async keys() {
    return [...this.files.keys()].map((url) => ({ url }));
  }
  async delete({ url }) {
    this.files.delete(url);
  }
}

let store;
let asked;

const served = () => new Response(PACKED, { headers: { "Content-Length": `${PACKED.length}` } });

beforeEach(() => {
  store = new Store();
  asked = [];
  globalThis.caches = { open: async () => store };
  globalThis.location = { href: PAGE };
  globalThis.fetch = async (address) => {
    asked.push(address);
    return served();
  };
});

test("a file comes unpacked, is counted on the way, and is kept", async () => {
  const told = [];
  const files = await load(FILES, (done) => told.push(done));
  for (const name of Object.keys(FILES)) assert.equal(await files[name].text(), PLAIN);
  assert.equal(files["core.wasm"].headers.get("Content-Type"), "application/wasm");
  const { loaded, total } = told.at(-1);
  assert.equal(loaded, 2 * PACKED.length);
  assert.equal(total, loaded);
  assert.equal(new TextDecoder().decode(await kept(FILES["lock.json"])), PLAIN);
  await load(FILES, () => assert.fail("nothing is loaded"));
  assert.equal(asked.length, 2);
});

test("without a store it is loaded each time, and with a full one, too", async () => {
  const full = Object.assign(new Store(), {
    put: async () => Promise.reject(new DOMException("full", "QuotaExceededError")),
  });
  for (const [caches, keeps] of [
    [{ open: async () => Promise.reject(new Error("The operation is insecure.")) }, false],
    [undefined, false],
    [{ open: async () => full }, true],
  ]) {
    asked = [];
    globalThis.caches = caches;
    assert.equal(await canKeep(), keeps);
    for (let visit = 0; visit < 2; visit++) {
      const files = await load(FILES, () => {});
      assert.equal(await files["lock.json"].text(), PLAIN);
    }
    assert.equal(asked.length, 4);
    assert.equal(await kept(FILES["lock.json"]), undefined);
    await keepOnly([]);
  }
});

test("what does not come is told apart from what is wrong", async () => {
  const broken = new ReadableStream({
    start(on) {
      on.enqueue(PACKED.subarray(0, 10));
      on.error(new TypeError("network error"));
    },
  });
  for (const answer of [
    async () => Promise.reject(new TypeError("Failed to fetch")),
    async () => new Response("gone", { status: 404 }),
    async () => new Response(broken),
  ]) {
    globalThis.fetch = answer;
    await assert.rejects(
      load({ "lock.json": FILES["lock.json"] }, () => {}),
      NotLoaded,
    );
    assert.equal(store.files.size, 0);
  }
});

test("what another edition of the site kept goes", async () => {
  await load(FILES, () => {});
  await keepOnly(["lock.bin"]);
  assert.deepEqual([...store.files.keys()], [FILES["lock.json"]]);
});
