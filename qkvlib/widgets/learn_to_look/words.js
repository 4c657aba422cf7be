/* The sentence, its endings, and the words about the present state. */

import { make, makeButton, say, set } from "../kit/dom.js";
import { letterOf } from "../kit/maps.js";
import { makeSentence } from "../kit/sentence.js";
import { fixed, quoted } from "../kit/words.js";
import { hasLearned, NAMES } from "./compute.js";

/** @import { Pass, Place, Setup } from "./compute.js" */

/** A gradient of this length moves nothing visibly. */
const NOTHING = 0.03;

/** Write the sentence, and its ending. @param {Setup} setup */
export function makeStory({ sentence, words, asker, endings }) {
  const ending = make("b", { class: "look-ending" });
  const { line, show } = makeSentence(sentence, words, asker, " ", ending);
  return {
    line,
    /** @param {Pass} found @param {Place} place */
    show({ attention, ending: is }, { wish }) {
      show(attention);
      const wrong = wish !== null && wish !== is;
      say(ending, `${endings[is]}.${wrong ? " ✗" : wish === is ? " ✓" : ""}`);
      set(ending, { "data-wrong": wrong, "data-right": wish === is });
    },
  };
}

/**
 * Make a button for each ending, with its probability.
 * @param {Setup} setup
 * @param {(wish: number) => void} choose
 */
export function makeWishes({ endings }, choose) {
  const bars = endings.map(() => make("i"));
  const numbers = endings.map(() => make("span", { class: "look-chance" }));
  const buttons = endings.map((ending, i) => {
    const button = makeButton("", () => choose(i), { class: "look-wish" });
    const bar = make("b", { "aria-hidden": "true" }, bars[i]);
    button.append(make("span", { class: "look-wanted" }, ending), numbers[i], bar);
    return button;
  });
  const element = make(
    "div",
    { class: "look-wishes", role: "group", "aria-label": "It should end with" },
    make("span", { class: "look-should" }, "It should end with"),
    ...buttons,
  );
  /** @param {Pass} found @param {Place} place */
  const show = ({ chances }, { wish }) =>
    chances.forEach((chance, i) => {
      say(numbers[i], ` ${Math.round(100 * chance)} %`);
      bars[i].style.width = `${100 * chance}%`;
      set(buttons[i], { "aria-pressed": String(i === wish) });
    });
  return { element, show };
}

/**
 * @typedef {object} Told
 * @property {Setup} setup
 * @property {Place} place
 * @property {Pass} found
 * @property {number} steps  taken for this wish
 * @property {boolean} running
 * @property {null | { before: Pass }} moved  by a hand, and not by a step since
 */

/**
 * Tell whether there is a loss that pulls at nothing that may move.
 * @param {Place} place
 * @param {Pass} found
 */
export const isStuck = ({ locked }, { lengths }) =>
  lengths !== null && Math.hypot(lengths.w_q, lengths.w_k, locked ? 0 : lengths.w_v) < NOTHING;

/** Describe the present state in one or two sentences. @param {Told} told @returns {(Node | string)[]} */
export function told(told) {
  const { setup, place, found, steps, running, moved } = told;
  const { wish } = place;
  if (wish === null) return ["Choose how the sentence should end. Then let it learn."];
  if (moved && !running) return afterHand(found, moved.before);
  const ending = quoted(setup.endings[wish]);
  if (hasLearned(setup, place, found)) {
    if (!steps) return [`It ends with ${ending} already: the loss is small, and hardly pulls.`];
    return [`After ${steps} steps it ends with ${ending}. `, ...looks(setup, found, wish)];
  }
  if (isStuck(place, found))
    return [
      "It is stuck: one word has nearly all of the weight, and softmax then passes on almost no gradient. Move a weight.",
    ];
  if (running || steps) return [`Step ${steps}: the loss is ${fixed(found.loss)}. `, ARROWS];
  if (found.ending !== wish) return ["The ending is wrong. ", ARROWS, " Let it learn."];
  return ["The ending is right, but not certain. ", ARROWS];
}

const ARROWS = "Each arrow shows which way the loss pulls a weight.";

/**
 * Say where it looks in the end, and how that came about.
 * @param {Setup} setup
 * @param {Pass} found
 * @param {number} wish
 * @returns {(Node | string)[]}
 */
function looks({ asker, words }, { attention }, wish) {
  const best = attention.indexOf(Math.max(...attention));
  const where = `${quoted(asker)} attends to ${quoted(words[best])} (${fixed(attention[best])})`;
  if (best === wish) return [`Now ${where}. Nobody told it where to look.`];
  return [`But ${where}: `, letterOf("w_v"), ` has changed what ${quoted(words[best])} passes on.`];
}

/**
 * Say how a move has changed the gradients.
 * @param {Pass} found
 * @param {Pass} before
 * @returns {(Node | string)[]}
 */
function afterHand({ lengths: now }, { lengths: then }) {
  if (!now || !then) return [];
  const changes = NAMES.flatMap((name, i) => [
    i ? ", " : "",
    letterOf(name),
    ` ${fixed(then[name])} → ${fixed(now[name])}`,
  ]);
  return ["Your move has changed the gradients’ lengths: ", ...changes, ". Let it learn again."];
}
