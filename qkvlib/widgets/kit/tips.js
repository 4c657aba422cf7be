/* Move the tips of arrows, with the pointer and with keys. */

import { followFinger } from "./dom.js";
import { isCommand } from "./page.js";
import { around, under } from "./plane.js";
import { lengthOf, turned, within } from "./points.js";

/** @import { Point } from "./points.js" */

const STEP = 0.05;
const REACH = 24; // pixels
const TURNS = ["[", "]", "{", "}"];

/**
 * @typedef {object} Grips  the tips, and the functions called when the learner moves them
 * @property {(tip: number) => Point} pointOf
 * @property {(tip: number) => boolean} pinned  whether the tip cannot be moved
 * @property {() => boolean} turning  whether lengths are fixed
 * @property {() => number} limit  the greatest length of an arrow
 * @property {SVGElement} svg  the plane, around the origin
 * @property {() => void} grasp  called when a new gesture begins
 * @property {(tip: number, point: Point) => void} move
 * @property {(tip: number) => void} pick  called when the pointer or the focus reaches a tip
 * @property {() => void} rest  called when it leaves the tip or lets it go
 */

/** Let the learner move tips. @param {SVGElement[]} tips @param {Grips} grips */
export function listenToTips(tips, grips) {
  /** The tip in hand, and the length to keep. @type {null | { tip: number, length: number | null }} */
  let held = null;
  tips.forEach((element, tip) => {
    followFinger(element);
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const wanted = nearest(tips, grips, event, tip);
      tips[wanted].focus({ preventScroll: true });
      if (event.button !== 0 || grips.pinned(wanted)) return;
      tips[wanted].setPointerCapture(event.pointerId);
      grips.grasp();
      held = { tip: wanted, length: grips.turning() ? lengthOf(grips.pointOf(wanted)) : null };
    });
    element.addEventListener("pointermove", (event) => {
      if (held?.tip !== tip) return;
      move(grips, tip, under(event, grips.svg, around(grips.limit(), 1)), held.length);
    });
    element.addEventListener("lostpointercapture", () => {
      held = null;
      grips.rest();
    });
    element.addEventListener("focus", () => grips.pick(tip));
    element.addEventListener("blur", () => grips.rest());
    element.addEventListener("keydown", (event) => pressKey(grips, tip, event));
  });
}

/**
 * Move a tip towards the wish if allowed. @param {Grips} grips @param {number} tip @param {Point} wish
 * @param {number | null} length  the length to keep
 */
function move(grips, tip, wish, length) {
  const point = within(wish, grips.limit(), length);
  if (point) grips.move(tip, point);
}

/**
 * Return the tip to drag. Tips can overlap: choose the nearest one within reach that can be moved,
 * and not the one that happens to be drawn last.
 * @param {SVGElement[]} tips @param {Grips} grips @param {PointerEvent} event
 * @param {number} pressed
 */
function nearest(tips, grips, { clientX, clientY }, pressed) {
  let [best, least] = [pressed, REACH];
  tips.forEach((element, tip) => {
    const box = element.getBoundingClientRect();
    const far = Math.hypot(box.x + box.width / 2 - clientX, box.y + box.height / 2 - clientY);
    if (far < least && !grips.pinned(tip)) [best, least] = [tip, far];
  });
  return best;
}

/** Move a tip by a key. @param {Grips} grips @param {number} tip @param {KeyboardEvent} event */
function pressKey(grips, tip, event) {
  const point = grips.pointOf(tip);
  const wish = wished(event, point, grips.turning());
  const jump = event.altKey && event.key.length > 1; // Alt and an arrow key go back in the browser
  if (!wish || jump || isCommand(event)) return;
  event.preventDefault();
  if (grips.pinned(tip)) return;
  if (!event.repeat) grips.grasp();
  const turns = grips.turning() || TURNS.includes(event.key); // a turn keeps the length
  move(grips, tip, wish, turns ? lengthOf(point) : null);
}

/**
 * Return where a key press moves a tip, or null if the key means nothing here. On some keyboards
 * Shift and a bracket give a brace; on others, where a bracket needs AltGr, they give a bracket.
 * @param {Pick<KeyboardEvent, "key" | "shiftKey">} event @param {Point} point @param {boolean} turning
 * @returns {Point | null}
 */
export function wished({ key, shiftKey }, [x, y], turning) {
  const far = shiftKey ? 10 : 1;
  const turns = { "[": far, "]": -far, "{": 10, "}": -10 }[key];
  if (turns) return turned([x, y], turns);
  const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[key];
  if (!by) return null;
  if (turning) return turned([x, y], far * (by[1] - by[0]));
  return [x + STEP * far * by[0], y + STEP * far * by[1]];
}
