/* An exercise on a page: the stub becomes an editor; Check, Hint, Start again. */

import { make, say } from "../../../widgets/kit/dom.js";
import { makeEditor } from "./editor.js";
import { makeLoading } from "./loading.js";
import { keep, keeps, recall } from "./storage.js";
import { elementsOf } from "./verdict.js";

/** @import { Tell } from "./check/files.js" */
/** @import { Verdict } from "./check/python.js" */

/**
 * Turn an exercise's stub into an editor.
 * @param {HTMLElement} place
 * @param {number} chapter
 * @param {(tell: Tell) => Promise<Verdict>} judge  asks of what is written now
 */
export function makeExercise(place, chapter, judge) {
  const name = place.dataset.exercise ?? "";
  const stub = stubOf(place);
  const field = make("div", { class: "code editing" });
  const check = offerCheck(place, name, chapter, judge);
  const editor = makeEditor(
    field,
    recall("code", name) ?? stub,
    { "aria-label": `Your code for ${name}`, "aria-describedby": `keys-${name}` },
    {
      changed(text) {
        keep("code", name, text === stub ? null : text);
        follow();
      },
      check,
    },
  );
  const follow = offerToStartAgain(place, name, stub, editor);
  offerHints(place, name);
  find(place, "pre.code").replaceWith(field);
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (place.querySelectorAll(".doing button")))
    button.disabled = false;
  place.dataset.awake = "";
  return { name, stub };
}

/**
 * Check when the button is pressed, or when the returned function is called.
 * @param {HTMLElement} place
 * @param {string} name
 * @param {number} chapter
 * @param {(tell: Tell) => Promise<Verdict>} judge
 */
function offerCheck(place, name, chapter, judge) {
  const button = find(place, ".check");
  const verdict = find(place, ".verdict");
  const loading = makeLoading(find(place, ".loading"));
  let checking = false;
  const check = async () => {
    if (checking) return;
    checking = true;
    button.setAttribute("aria-disabled", "true");
    verdict.replaceChildren("Checking.");
    try {
      const judged = await judge(loading.show);
      verdict.replaceChildren(...printed(judged.printed), ...elementsOf(judged.html));
      if (verdict.textContent?.includes("JupyterLab")) verdict.append(wayToJupyterLab());
      remember(name, chapter, judged);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      const stays = keeps() ? "is kept" : "stays here until you close the page";
      verdict.replaceChildren(`${why} What you have written ${stays}.`);
    }
    loading.hide();
    checking = false;
    button.removeAttribute("aria-disabled");
    verdict.scrollIntoView({ block: "nearest" });
    showStanding(place, name);
  };
  button.addEventListener("click", check);
  showStanding(place, name);
  return check;
}

/**
 * Start again without asking, because it can be undone, even on another day.
 * @param {HTMLElement} place
 * @param {string} name
 * @param {string} stub
 * @param {ReturnType<typeof makeEditor>} editor
 * @returns {() => void}  to be called when the text has changed
 */
function offerToStartAgain(place, name, stub, editor) {
  const button = find(place, ".again");
  let former = recall("former", name);
  const isBack = () => former !== null && editor.text() === stub;
  const follow = () => say(button, isBack() ? "Bring mine back" : "Start again");
  button.addEventListener("click", () => {
    const text = editor.text();
    if (former !== null && isBack()) {
      editor.replace(former);
    } else if (text !== stub) {
      former = text;
      keep("former", name, text);
      editor.replace(stub);
    }
    editor.focus();
  });
  follow();
  return follow;
}

/** Show hints one at a time, and remember how many. @param {HTMLElement} place @param {string} name */
function offerHints(place, name) {
  const button = find(place, ".hint");
  const hints = [.../** @type {NodeListOf<HTMLDetailsElement>} */ (place.querySelectorAll(".hints details"))];
  let shown = Math.min(Number(recall("hints", name)), hints.length);
  const show = () => {
    hints.forEach((one, number) => one.toggleAttribute("data-seen", number < shown));
    button.hidden = shown === hints.length;
    say(button, `Hint ${shown + 1} of ${hints.length}`);
  };
  button.addEventListener("click", () => {
    const next = /** @type {HTMLDetailsElement} */ (hints[shown]);
    shown += 1;
    keep("hints", name, String(shown));
    show();
    next.open = true;
    if (button.hidden) next.querySelector("summary")?.focus();
  });
  show();
}

/**
 * An exercise that was right once stays right, whatever is written later.
 * @param {HTMLElement} place
 * @param {string} name
 */
function showStanding(place, name) {
  say(find(place, ".standing"), recall("exercises", name) === "right" ? "✓ Solved" : "");
}

/** Link to where the work can be downloaded as a notebook, for what a page does not have. */
function wayToJupyterLab() {
  const link = make("a", { href: "#work" }, "Take your work to JupyterLab");
  return make("p", {}, link);
}

/** @param {string} text */
function printed(text) {
  if (!text) return [];
  return [make("p", { class: "what" }, "Printed:"), make("pre", { class: "printed" }, text)];
}

/** @param {HTMLElement} place @param {string} which */
const find = (place, which) => /** @type {HTMLElement} */ (place.querySelector(which));

/** Return an exercise's original text. @param {HTMLElement} place */
const stubOf = (place) => (place.querySelector("pre.code")?.textContent ?? "").trimEnd();

/**
 * Store what a notebook stores: the outcome, until it was right, and the mistake, if it has a name.
 * @param {string} name @param {number} chapter @param {Verdict} verdict
 */
function remember(name, chapter, { outcome, mistake }) {
  if (recall("exercises", name) === "right") return;
  keep("exercises", name, outcome);
  if (!mistake) return;
  const day = new Date().toLocaleDateString("sv"); // as 2026-01-31
  keep("mistakes", `${name}.${mistake}`.toLowerCase(), JSON.stringify({ chapter, day }));
}
