import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { open } from "./owner.js";

const ADDRESSES = { worker: "assets/worker.js", "course.zip": "assets/course.bin" };
const SOURCES = [
  ["dot", "def dot(a, b): ..."],
  ["centre", "def centre(x): ..."],
];
const RIGHT = { outcome: "right" };

/** The workers so far. They run nothing: each test plays their part. */
let workers;
/** Whether the worker's script is at its address. */
let there;

class FakeWorker {
  asked = [];
  ended = false;
  constructor(address) {
    this.address = address;
    workers.push(this);
  }
  postMessage(message) {
    this.asked.push(message);
  }
  terminate() {
    this.ended = true;
  }
  says(data) {
    this.onmessage({ data });
  }
  fails(scriptIsThere = true) {
    there = scriptIsThere;
    this.onerror({ preventDefault() {} });
  }
}

/** Wait until everything that waits only for promises has gone on. */
const settled = async () => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

/** Return the last worker, with Python in it and a question asked. */
async function asked() {
  await settled();
  workers.at(-1).says({ ready: true });
  await settled();
  return workers.at(-1);
}

beforeEach(({ mock }) => {
  workers = [];
  there = true;
  mock.timers.enable({ apis: ["setTimeout"] });
  globalThis.Worker = FakeWorker;
  globalThis.document = { baseURI: "https://x.example/course/01.html" };
  globalThis.fetch = async () => ({ ok: there });
});

afterEach(() => {
  delete globalThis.Worker;
});

test("the first check begins the worker, and the next one asks the same", async () => {
  const checker = open(ADDRESSES);
  await settled();
  assert.equal(workers.length, 0);
  for (const name of ["dot", "centre"]) {
    const verdict = checker.check(name, SOURCES);
    if (name === "dot") await asked();
    await settled();
    const [worker] = workers;
    assert.deepEqual(worker.asked.at(-1), { check: { name, sources: SOURCES, stops: {} } });
    worker.says({ verdict: RIGHT });
    assert.deepEqual(await verdict, RIGHT);
  }
  assert.equal(workers.length, 1);
  assert.deepEqual(workers[0].asked[0], {
    start: { "course.zip": "https://x.example/course/assets/course.bin" },
  });
});

test("a check waits for the one before it", async () => {
  const checker = open(ADDRESSES);
  const [first, second] = [checker.check("dot", SOURCES), checker.check("centre", SOURCES)];
  const worker = await asked();
  assert.equal(worker.asked.length, 2);
  worker.says({ verdict: RIGHT });
  await first;
  await settled();
  assert.equal(worker.asked.at(-1).check.name, "centre");
  worker.says({ verdict: RIGHT });
  await second;
});

test("a run that takes too long ends its worker, and another is told of it", async ({ mock }) => {
  const checker = open(ADDRESSES);
  const verdict = checker.check("centre", SOURCES);
  const worker = await asked();
  worker.says({ begins: { exercise: "dot", run: 1, seconds: 3 } });
  worker.says({ ends: true });
  worker.says({ begins: { exercise: "dot", run: 2, seconds: 3 } });
  worker.says({ printed: "at 1\n" });
  mock.timers.tick(2_999);
  assert.equal(worker.ended, false);
  mock.timers.tick(1);
  assert.equal(worker.ended, true);
  const other = await asked();
  assert.notEqual(other, worker);
  const stop = { run: 2, seconds: 3, printed: "at 1\n", error: "" };
  assert.deepEqual(other.asked.at(-1).check.stops, { dot: stop });
  other.says({ verdict: RIGHT });
  await verdict;
});

test("what was stopped is remembered for the same texts alone", async ({ mock }) => {
  const checker = open(ADDRESSES);
  const first = checker.check("dot", SOURCES);
  const worker = await asked();
  worker.says({ begins: { exercise: "dot", run: 1, seconds: 3 } });
  mock.timers.tick(3_000);
  const other = await asked();
  other.says({ verdict: RIGHT });
  await first;
  const again = checker.check("centre", SOURCES);
  await settled();
  assert.deepEqual(Object.keys(other.asked.at(-1).check.stops), ["dot"]);
  other.says({ verdict: RIGHT });
  await again;
  checker.check("dot", [["dot", "def dot(a, b): return 1"]]);
  await settled();
  assert.deepEqual(other.asked.at(-1).check.stops, {});
});

test("a stop is of the texts down to its exercise", async ({ mock }) => {
  const checker = open(ADDRESSES);
  const verdict = checker.check("centre", SOURCES);
  const worker = await asked();
  worker.says({ begins: { exercise: "centre", run: 1, seconds: 3 } });
  mock.timers.tick(3_000);
  const other = await asked();
  assert.deepEqual(Object.keys(other.asked.at(-1).check.stops), ["centre"]);
  other.says({ verdict: RIGHT });
  await verdict;
  checker.check("centre", [SOURCES[0], ["centre", "def centre(x): return x"]]);
  await settled();
  assert.deepEqual(other.asked.at(-1).check.stops, {});
});

test("Python that breaks under a learner's lines is told of as theirs", async () => {
  const checker = open(ADDRESSES);
  checker.check("dot", SOURCES);
  const worker = await asked();
  worker.says({ begins: { exercise: "dot", run: 4, seconds: 3 } });
  worker.says({ broken: "RuntimeError: memory access out of bounds" });
  assert.equal(worker.ended, true);
  const { stops } = (await asked()).asked.at(-1).check;
  assert.equal(stops.dot.run, 4);
  assert.match(stops.dot.error, /more memory than a page has/);
});

for (const [how, breaks] of Object.entries({
  "that breaks by itself": (worker) => worker.says({ broken: "out of memory" }),
  "that was ended without a word": (_, mock) => mock.timers.tick(60_000),
}))
  test(`of a Python ${how} it is said, and the next check has another`, async ({ mock }) => {
    const checker = open(ADDRESSES);
    const verdict = checker.check("dot", SOURCES);
    const worker = await asked();
    breaks(worker, mock);
    await assert.rejects(verdict, /could not go on.*Check once more; in JupyterLab it may go on\./);
    assert.equal(worker.ended, true);
    const next = checker.check("dot", SOURCES);
    (await asked()).says({ verdict: RIGHT });
    assert.deepEqual(await next, RIGHT);
    assert.equal(workers.length, 2);
  });

for (const [why, fails, words] of [
  ["its script is not there", (worker) => worker.fails(false), /Are you connected\?/],
  ["a file is not there", (worker) => worker.says({ away: true }), /Are you connected\?/],
  ["the browser is too old", (worker) => worker.fails(), /This browser cannot run Python/],
  [
    "something is amiss",
    (worker) => worker.says({ broken: "Error: no" }),
    /could not be started in this page \(Error: no\)/,
  ],
  ["nothing comes", (_, mock) => mock.timers.tick(60_000), /Are you connected\?/],
  [
    "a file stops coming",
    (worker, mock) => {
      worker.says({ loading: { loaded: 1, total: 5 } });
      mock.timers.tick(60_000);
    },
    /Are you connected\?/,
  ],
  [
    "it was ended without a word",
    (worker, mock) => {
      worker.says({ loading: { loaded: 0, total: 0 } });
      mock.timers.tick(60_000);
    },
    /This browser cannot run Python/,
  ],
])
  test(`where Python does not start because ${why}, it is said what works`, async ({ mock }) => {
    const checker = open(ADDRESSES);
    const verdict = checker.check("dot", SOURCES);
    await settled();
    fails(workers[0], mock);
    await assert.rejects(verdict, words);
    await assert.rejects(verdict, /[Aa]ll else on the page works/);
    assert.equal(workers[0].ended, true);
    const next = checker.check("dot", SOURCES); // it may be there by now
    (await asked()).says({ verdict: RIGHT });
    assert.deepEqual(await next, RIGHT);
  });

test("a loading that goes on is waited for", async ({ mock }) => {
  const told = [];
  const checker = open(ADDRESSES);
  const verdict = checker.check("dot", SOURCES, (done) => told.push(done));
  await settled();
  for (let loaded = 0; loaded < 5; loaded++) {
    mock.timers.tick(50_000);
    workers[0].says({ loading: { loaded, total: 5 } });
  }
  (await asked()).says({ verdict: RIGHT });
  assert.deepEqual(await verdict, RIGHT);
  assert.equal(told.length, 5);
});

test("a browser without WebAssembly is told, and nothing is begun", async () => {
  const before = globalThis.WebAssembly;
  delete globalThis.WebAssembly;
  await assert.rejects(open(ADDRESSES).check("dot", SOURCES), /nothing is checked here/);
  assert.equal(workers.length, 0);
  globalThis.WebAssembly = before;
});
