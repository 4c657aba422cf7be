/*
 * Connect a widget whose numbers the page owns: the page carries out at once what the learner does.
 * Python receives the state when the hand rests, and a few times a second while something plays.
 */

import { set } from "./dom.js";
import { asking, BEHIND, lookAt, PATIENCE_MS, reaches, stateIn, write } from "./kernel.js";
import { farther } from "./pursuit.js";

/** @import { AnyModel } from "@anywidget/types" */
/** @import { Ask, Gate as Asking } from "./kernel.js" */

/**
 * @typedef {object} Program  a widget's numbers, and what moves them
 * @property {(request: Ask) => any} carryOut  carry out a request, and return the new state
 * @property {(told: any, meanwhile: Record<string, any>) => any} adopt  continue from a state of
 * Python's, or a saved one, with what the learner has moved meanwhile; return the complete state
 * @property {(known: any) => Record<string, any>} rest  return what Python must receive: everything
 * movable that differs from the state that Python knows, or all of it if Python knows none
 * @property {(request: Ask) => boolean} [can]  tell whether it can; if not, Python receives the request
 *
 * @typedef {{ model: AnyModel<any>, root: HTMLElement, python: Asking, name: string }} View
 *
 * @typedef {ReturnType<typeof makeOwner>} Owner
 *
 * @typedef {ReturnType<ReturnType<typeof owning>>} Gate
 */

const REST_MS = 250; // a hand that has not moved for this long rests
const PLAY_MS = 333;

/**
 * The owner of each widget. All views of a widget share it, and a view that is shown again
 * continues with it.
 * @type {WeakMap<object, Owner>}
 */
const OWNERS = new WeakMap();

/**
 * Connect to Python in a page that owns the numbers: see `mount`.
 * @param {(setup: any, opening: any) => Program} makeProgram
 */
export const owning =
  (makeProgram) =>
  /**
   * @param {AnyModel<any>} model @param {HTMLElement} root @param {AbortSignal} ended
   * @param {() => void} settled
   */
  (model, root, ended, settled) => {
    // anywidget makes a new `model` for each view, but the setup object is the same for all of
    // them.
    const setup = model.get("setup");
    const owner = OWNERS.get(setup) ?? makeOwner(model, makeProgram);
    OWNERS.set(setup, owner);
    const name = Math.random().toString(36).slice(2); // views may number their gestures alike
    const view = { model, root, python: asking(model, root, ended, settled), name };
    owner.views.add(view);
    adopt(owner, model);
    listen(owner, view, ended);
    watch(owner);
    /** @param {Ask} request */
    const ask = (request) => carryOut(owner, view, request);
    return {
      ask,
      /** @param {Record<string, any>} edit @param {number} gesture */
      edit: (edit, gesture) => ask({ edit, gesture }),
      /** The notice that Python is behind, if the widget has space for it near the hand. */
      patience: view.python.patience,
    };
  };

/** @param {AnyModel<any>} model @param {(setup: any, opening: any) => Program} makeProgram */
function makeOwner(model, makeProgram) {
  const opening = model.get("state");
  return {
    program: makeProgram(model.get("setup"), opening),
    /** Empty, so that `adopt` completes the opening. @type {any} */
    state: null,
    /** The state that Python has. @type {any} */
    known: opening,
    /**
     * The parts that the learner has moved and that Python has not received yet.
     * @type {Record<string, any>}
     */
    touched: {},
    /** Whether there is something to deliver. */
    dirty: false,
    /**
     * The message that has been sent but not yet received.
     * @type {{ seq: number, state: any, touched: Record<string, any> } | null}
     */
    underWay: null,
    /** Python has moved something in the meantime, so it will get the whole state again. */
    crossed: false,
    /** True on a page that never had a kernel: see saved.js. */
    alone: "alone" in model,
    gone: false,
    behind: false,
    /** The kernel's state when we last looked. */
    status: "",
    seq: 0,
    name: Math.random().toString(36).slice(2, 6),
    /** Timers: for a resting hand, and for an unanswered message. */
    resting: 0,
    watching: 0,
    /** @type {Set<View>} */
    views: new Set(),
  };
}

/** Connect a view until it ends. @param {Owner} owner @param {View} view @param {AbortSignal} ended */
function listen(owner, view, ended) {
  const { model } = view;
  const moved = () => adopt(owner, model);
  /** @param {any} message @param {DataView[]} [buffers] */
  const answered = (message, buffers) => {
    if (message.view !== owner.name || view !== [...owner.views][0]) return;
    const text = message.trouble ? `The kernel could not do this. ${message.trouble}` : "";
    for (const { python } of owner.views) write(python.notice, text);
    received(owner, message.seq, () => {
      if (message.state) model.set("state", stateIn(message, buffers));
    });
  };
  model.on("change:state", moved);
  model.on("msg:custom", answered);
  ended.addEventListener("abort", () => {
    model.off("change:state", moved);
    model.off("msg:custom", answered);
    if (owner.views.size === 1) close(owner, view);
    owner.views.delete(view);
  });
}

/** The last view is closing: send Python what it has not received. @param {Owner} owner @param {View} view */
function close(owner, view) {
  if (owner.dirty) {
    owner.underWay = null;
    deliver(owner, view);
  }
  clearTimeout(owner.resting);
  clearTimeout(owner.watching);
  owner.resting = owner.watching = 0;
}

/** Carry out a request, here or in Python. @param {Owner} owner @param {View} view @param {Ask} request */
function carryOut(owner, view, request) {
  if (owner.program.can?.(request) === false) {
    if (owner.dirty) deliver(owner, view);
    return view.python.ask(request); // it may know what the page does not
  }
  if (owner.alone) write(view.python.patience, "");
  Object.assign(owner.touched, request.edit);
  const { gesture } = request;
  const told = gesture === undefined ? request : { ...request, gesture: `${view.name} ${gesture}` };
  put(owner, view.model, owner.program.carryOut(told));
  const drags = request.edit && gesture !== undefined; // a choice rests at once
  soon(owner, view, drags ? REST_MS : request.do === "step" ? PLAY_MS : 0);
}

/** Replace the state. @param {Owner} owner @param {AnyModel<any>} model @param {any} state */
function put(owner, model, state) {
  owner.state = state;
  model.set("state", state);
}

/**
 * Python has moved something, or the page is opening: continue from Python's state, together with
 * what the learner has moved in the meantime.
 * @param {Owner} owner @param {AnyModel<any>} model
 */
function adopt(owner, model) {
  const told = model.get("state");
  if (told === owner.state) return;
  const { program, underWay } = owner;
  const first = !owner.state;
  const state = program.adopt(told, { ...underWay?.touched, ...owner.touched });
  owner.known = told;
  owner.crossed = underWay !== null;
  put(owner, model, state);
  const [view] = owner.views;
  const met = state.goal && farther(told.goal ?? { met: false }, state.goal);
  if (!first && (met || owner.crossed)) soon(owner, view, 0);
}

/**
 * Deliver when the hand rests, or after this time at the latest.
 * @param {Owner} owner
 * @param {View} view
 * @param {number} ms
 */
function soon(owner, view, ms) {
  if (owner.alone) return;
  owner.dirty = true;
  mark(owner);
  if (ms === PLAY_MS && owner.resting) return;
  clearTimeout(owner.resting);
  owner.resting = window.setTimeout(() => deliver(owner, view), ms);
}

/** Send Python what it does not have, one message at a time. @param {Owner} owner @param {View} view */
function deliver(owner, view) {
  const { program, known, state, name } = owner;
  clearTimeout(owner.resting);
  owner.resting = 0;
  if (owner.underWay) return; // this will be sent once the other message has been received
  if (lookAt(view.model, view.root) === "gone") return lose(owner);
  const seq = ++owner.seq;
  const rest = program.rest(known);
  owner.underWay = { seq, state, touched: owner.touched };
  [owner.touched, owner.dirty] = [{}, false];
  try {
    view.model.send({ rest, view: name, seq });
    watch(owner);
  } catch {
    lose(owner);
  }
}

/** @param {Owner} owner @param {number} seq @param {() => void} answer  takes in what Python says to it */
function received(owner, seq, answer) {
  const { underWay } = owner;
  if (underWay?.seq !== seq) return answer();
  owner.known = owner.crossed ? null : underWay.state;
  if (owner.crossed) owner.dirty = true;
  owner.underWay = null;
  owner.gone = owner.crossed = false;
  answer(); // before the next message is sent, or the two would seem to cross
  tellOf(owner, false);
  if (owner.dirty && !owner.resting) deliver(owner, [...owner.views][0]);
  watch(owner);
}

/** The kernel is gone: everything waits until there is one again. @param {Owner} owner */
function lose(owner) {
  owner.touched = { ...owner.underWay?.touched, ...owner.touched };
  owner.known = owner.underWay = null;
  owner.gone = owner.dirty = true;
  tellOf(owner, true);
  watch(owner);
}

/** Look at the kernel later, if something is still under way. @param {Owner} owner */
function watch(owner) {
  clearTimeout(owner.watching);
  const waits = owner.underWay || owner.gone;
  owner.watching = waits ? window.setTimeout(() => look(owner), PATIENCE_MS) : 0;
  mark(owner);
}

/**
 * Nothing has been received for a while: find out why. A kernel that was gone may also have come
 * back.
 * @param {Owner} owner
 */
function look(owner) {
  const [view] = owner.views;
  if (!view) return;
  const kernel = lookAt(view.model, view.root);
  if (kernel === "gone" || (kernel !== owner.status && !reaches(view.model))) return lose(owner);
  owner.status = kernel;
  if (owner.gone) return deliver(owner, view);
  tellOf(owner, true);
  watch(owner);
}

/** Show that Python is behind, or stop showing it. @param {Owner} owner @param {boolean} behind */
function tellOf(owner, behind) {
  owner.behind = behind;
  for (const { python } of owner.views) write(python.patience, behind ? BEHIND : "");
}

/** Mark on the page how much Python has not received. @param {Owner} owner */
function mark(owner) {
  for (const { root } of owner.views)
    set(root, {
      "data-waiting": Number(owner.dirty) + Number(owner.underWay !== null),
      "data-behind": owner.behind ? (owner.gone ? "gone" : "silent") : null,
    });
}
