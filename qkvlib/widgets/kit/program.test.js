import assert from "node:assert/strict";
import { test } from "node:test";
import { makeProgram } from "./program.js";

/** @typedef {{ x: number, y: number, both?: number }} State */

const RULES = {
  moved: (/** @type {State} */ state, /** @type {any} */ change) => {
    const now = { ...state, ...change };
    return { ...now, both: now.x + now.y };
  },
  kept: (/** @type {State} */ { x, y }) => ({ x, y }),
};
const START = { x: 1, y: 2 };

function opened() {
  const opening = { ...START };
  const program = makeProgram(RULES, START, opening);
  program.adopt(opening, {});
  /** @param {any} edit @param {number} gesture */
  const edit = (edit, gesture) => program.carryOut({ edit, gesture });
  return { ...program, edit };
}

test("Undo takes back a gesture, and Reset everything, which Undo takes back", () => {
  const { edit, carryOut } = opened();
  for (const x of [5, 6, 7]) edit({ x }, 1);
  assert.deepEqual(edit({ y: 9 }, 2), { x: 7, y: 9, both: 16, undo: 2 });
  assert.deepEqual(carryOut({ do: "undo" }), { x: 7, y: 2, both: 9, undo: 1 });
  assert.deepEqual(carryOut({ do: "reset" }), { x: 1, y: 2, both: 3, undo: 2 });
  assert.equal(carryOut({ do: "undo" }).x, 7);
  assert.equal(carryOut({ do: "undo" }).x, 1);
});

test("Python receives what it does not know yet, and where it knows nothing, everything", () => {
  const { edit, rest } = opened();
  edit({ x: 5 }, 1);
  assert.deepEqual(rest({ x: 1, y: 2 }), { x: 5 });
  assert.deepEqual(rest({ x: 5, y: 2 }), {});
  assert.deepEqual(rest(null), { x: 5, y: 2 });
});

test("a state of Python's is adopted with what the hand does meanwhile", () => {
  const { edit, adopt } = opened();
  edit({ x: 5 }, 1);
  assert.deepEqual(adopt({ x: 1, y: 8 }, { x: 5 }), { x: 5, y: 8, both: 13, undo: 1 });
});
