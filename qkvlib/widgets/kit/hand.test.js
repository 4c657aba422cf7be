import assert from "node:assert/strict";
import { test } from "node:test";
import { makeHand } from "./hand.js";

/** A hand whose gate shows what it carries out by itself, and how often it was shown. */
function hand(/** @type {boolean} */ leads) {
  const shown = { times: 0 };
  const show = () => {
    shown.times += 1;
  };
  const gate = { leads, busy: !leads, edit: () => leads && show(), ask: () => leads && show() };
  const model = { get: () => ({ x: 1 }) };
  const twin = {
    moved: (/** @type {{}} */ state, /** @type {{}} */ change) => ({ ...state, ...change }),
  };
  const made = makeHand(
    /** @type {any} */ (model),
    /** @type {any} */ (gate),
    /** @type {any} */ (twin),
    () => true,
    show,
  );
  return { ...made, shown };
}

test("an edit is drawn once, whoever carries it out", () => {
  for (const leads of [true, false]) {
    const { edit, shown } = hand(leads);
    edit({ x: 2 });
    assert.equal(shown.times, 1);
  }
});

test("what Python has not answered yet is shown as the hand has set it", () => {
  const { edit, present } = hand(false);
  edit({ x: 2 });
  assert.deepEqual(present(), { x: 2 });
});
