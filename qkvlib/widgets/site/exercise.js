/* An exercise on a page: the stub becomes an editor; Check, Hint, Start again. */

import { make, say } from "../kit/dom.js";
import { leftToLoad } from "./checker.js";
import { makeEditor } from "./editor.js";
import { forget, keep, recall } from "./kept.js";
import { elementsOf } from "./verdict.js";
import { write, written } from "./written.js";

/** @import { Judged, Loading } from "./checker.js" */

/** Told on the document when an exercise was judged. */
export const JUDGED = "qkv-judged";

/**
 * Wake the exercise of a place.
 * @param {HTMLElement} place
 * @param {number} chapter
 * @param {(tell: (loading: Loading) => void) => Promise<Judged>} judge  asks of what is written now
 */
export function makeExercise(place, chapter, judge) {
  const name = place.dataset.exercise ?? "";
  const find = (/** @type {string} */ which) =>
    /** @type {HTMLElement} */ (place.querySelector(which));
  const [code, check, hint, again, standing, loading, verdict] = [
    "pre.code", ".check", ".hint", ".again", ".standing", ".loading", ".verdict",
  ].map(find); // biome-ignore format: a list of places
  const stub = stubOf(place);

  const field = make("div", { class: "code editing" });
  const editor = makeEditor(
    field,
    written(name) ?? stub,
    { "aria-label": `Your code for ${name}`, "aria-describedby": `keys-${name}` },
    { changed: kept, check: () => void checkIt() },
  );
  code?.replaceWith(field);

  function kept(/** @type {string} */ text) {
    write(name, text === stub ? null : text);
    offerAgain();
  }

  // Start again, and the way back from it.
  function offerAgain() {
    const back = editor.text() === stub && recall("former", name) !== null;
    say(again, back ? "Bring mine back" : "Start again");
  }
  again.addEventListener("click", () => {
    const text = editor.text();
    if (text !== stub) {
      keep("former", name, text);
      editor.replace(stub);
    } else {
      const former = recall("former", name);
      forget("former", name);
      if (former !== null) editor.replace(former);
    }
    editor.focus();
  });

  // Hints, one at a time.
  const hints = [
    .../** @type {NodeListOf<HTMLDetailsElement>} */ (place.querySelectorAll(".hints details")),
  ];
  const seen = () => Math.min(Number(recall("hints", name) ?? 0) || 0, hints.length);
  let shown = seen();
  function showHints() {
    hints.forEach((one, number) => one.toggleAttribute("data-seen", number < shown));
    hint.hidden = shown >= hints.length;
    say(hint, `Hint ${Math.min(shown + 1, hints.length)} of ${hints.length}`);
  }
  hint.addEventListener("click", () => {
    shown += 1;
    keep("hints", name, String(shown));
    showHints();
    const now = /** @type {HTMLDetailsElement} */ (hints[shown - 1]);
    now.open = true;
    if (hint.hidden) now.querySelector("summary")?.focus();
  });

  // Check.
  let checking = false;
  async function checkIt() {
    if (checking) return;
    checking = true;
    check.setAttribute("aria-disabled", "true");
    verdict.replaceChildren("Checking.");
    try {
      const judged = await judge(tellLoading);
      const printed = judged.printed
        ? [
            make("p", { class: "what" }, "Printed:"),
            make("pre", { class: "printed scroll" }, judged.printed),
          ]
        : [];
      verdict.replaceChildren(...printed, ...elementsOf(judged.html));
      remember(name, chapter, judged);
      document.dispatchEvent(new Event(JUDGED));
    } catch (error) {
      verdict.replaceChildren(make("p", { class: "failed" }, couldNot(error)));
    } finally {
      loading.hidden = true;
      checking = false;
      check.removeAttribute("aria-disabled");
      showStanding();
    }
  }
  check.addEventListener("click", checkIt);

  function tellLoading(/** @type {Loading} */ now) {
    const bar = /** @type {HTMLProgressElement} */ (loading.querySelector("progress"));
    const words = /** @type {HTMLElement} */ (loading.querySelector("span"));
    const over = now.total > 0 && now.loaded >= now.total;
    loading.hidden = over;
    if (now.total) bar.value = now.loaded / now.total;
    else bar.removeAttribute("value");
    say(words, leftToLoad(now));
  }

  function showStanding() {
    say(standing, recall("exercises", name) === "right" ? "✓ Solved" : "");
  }

  showHints();
  showStanding();
  offerAgain();
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (
    place.querySelectorAll(".doing button")
  ))
    button.disabled = false;
  place.dataset.awake = "";

  return {
    name,
    stub,
    replace: (/** @type {string} */ text) => editor.replace(text),
  };
}

/** What stands in an exercise at the beginning. @param {HTMLElement} place */
const stubOf = (place) => (place.querySelector("pre.code")?.textContent ?? "").trimEnd();

/** Keep what a notebook keeps: the outcome until it was right, and the mistake that has a name. */
function remember(
  /** @type {string} */ name,
  /** @type {number} */ chapter,
  /** @type {Judged} */ { outcome, mistake },
) {
  if (recall("exercises", name) === "right") return;
  keep("exercises", name, outcome);
  if (!mistake) return;
  const day = new Date().toLocaleDateString("sv"); // as 2026-01-31
  keep("mistakes", `${name}.${mistake}`.toLowerCase(), JSON.stringify({ chapter, day }));
}

/** @param {unknown} error */
function couldNot(error) {
  const why = error instanceof Error ? error.message : String(error);
  return (
    `Python did not start in this page (${why}). What you have written is kept. Check again, or ` +
    "take it away at the end of the page and check it in JupyterLab."
  );
}
