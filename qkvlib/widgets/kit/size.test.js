import assert from "node:assert/strict";
import test from "node:test";
import { sizeOf } from "./dom.js";

/** @type {(changes: object[]) => void} */
let change = () => {};
const watched = new Set();
Object.assign(globalThis, {
  ResizeObserver: class {
    /** @param {typeof change} noted */
    constructor(noted) {
      change = noted;
    }
    observe = (/** @type {object} */ target) => watched.add(target);
    unobserve = (/** @type {object} */ target) => watched.delete(target);
  },
});
const drawing = () => /** @type {Element} */ (/** @type {unknown} */ ({}));
const to = (/** @type {object} */ target, /** @type {number} */ width) => ({
  target,
  contentRect: { width, height: 38 },
});

test("a widget is drawn again once, when several of its drawings change their size", () => {
  const [one, other] = [drawing(), drawing()];
  const ending = new AbortController();
  let redrawn = 0;
  const resized = () => {
    redrawn += 1;
  };
  const sizes = [one, other].map((svg) => sizeOf(svg, { width: 200, height: 38 }, ending.signal, resized));
  change([to(one, 310.4), to(other, 99.6)]);
  assert.deepEqual(
    sizes.map(({ width }) => width),
    [310, 100],
  );
  assert.equal(redrawn, 1);
  change([to(one, 310.2), to(other, 0)]); // the same pixels, and hidden
  assert.equal(redrawn, 1);
  ending.abort();
  assert.equal(watched.size, 0);
});
