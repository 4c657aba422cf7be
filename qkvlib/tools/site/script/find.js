/*
 * The search: without scripts it is a link to the questions; with scripts it opens a dialog with a
 * field and a list of results. Its data is loaded the first time it is opened.
 */

import { make, makeButton, say } from "../../../widgets/kit/dom.js";
import { makeSearch } from "./search.js";

/** @import { Entry } from "./search.js" */

/** Make the link to the questions open the search. */
export function offerSearch() {
  const link = /** @type {HTMLAnchorElement | null} */ (document.querySelector("a.find"));
  if (!link) return;
  /** @type {ReturnType<typeof makeDialog> | undefined} */
  let dialog;
  link.setAttribute("aria-haspopup", "dialog");
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens the page in a new tab
    event.preventDefault();
    dialog ??= makeDialog(/** @type {string} */ (link.dataset.index), link.href);
    dialog.open();
  });
}

/** Make the dialog. @param {string} index @param {string} questions  the addresses */
function makeDialog(index, questions) {
  const field = make("input", {
    type: "search",
    id: "search",
    autocomplete: "off",
    placeholder: "why divide by the root of d_k",
  });
  const status = make("p", { role: "status" });
  const list = make("ol", { "aria-label": "What is found" });
  const close = makeButton("Close", () => root.close(), { class: "close" });
  const label = make("label", { for: "search" }, "Search the course");
  const root = make(
    "dialog",
    { class: "search", "aria-label": "Search" },
    make("div", { class: "asked" }, label, field, close),
    status,
    list,
    make("p", {}, make("a", { href: questions }, "All questions")),
  );
  document.body.append(root);
  /** @type {Promise<(asked: string) => Entry[]> | undefined} */
  let loading;
  const show = async () => {
    const asked = field.value;
    try {
      loading ??= load(index);
      const search = await loading;
      if (asked === field.value) showFound(asked, search(asked), status, list);
    } catch {
      loading = undefined;
      say(status, "The search could not be loaded. Type again, or read all questions below.");
    }
  };
  field.addEventListener("input", show);
  listen(root, field, list);
  return {
    open() {
      root.showModal();
      field.select();
      show();
    },
  };
}

/** @param {string} index @returns {Promise<(asked: string) => Entry[]>} */
async function load(index) {
  const answer = await fetch(new URL(index, document.baseURI));
  if (!answer.ok) throw new Error(`${index}: ${answer.status}`);
  return makeSearch(await answer.json());
}

/**
 * Enter opens the first result; the arrow keys move through the list; Escape, or a click outside,
 * closes it.
 * @param {HTMLDialogElement} root @param {HTMLInputElement} field @param {HTMLOListElement} list
 */
function listen(root, field, list) {
  root.addEventListener("keydown", (event) => {
    const links = [...list.querySelectorAll("a")];
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
    const inField = document.activeElement === field;
    if (event.key === "Escape")
      root.close(); // otherwise a browser empties the field first
    else if (event.key === "Enter" && inField) links[0]?.click();
    else if (event.key === "ArrowDown" && (inField || at >= 0)) (links[at + 1] ?? links.at(-1))?.focus();
    else if (event.key === "ArrowUp" && at >= 0) (links[at - 1] ?? field).focus();
    else return;
    event.preventDefault();
  });
  root.addEventListener("click", ({ target }) => {
    if (target === root) root.close();
    // A place on this page is reached without loading the page again.
    if (target instanceof Element && target.closest("a")) root.close();
  });
}

/**
 * Show the results, or what to try if there are none.
 * @param {string} asked @param {Entry[]} found @param {HTMLElement} status @param {HTMLElement} list
 */
function showFound(asked, found, status, list) {
  const nothing = asked.trim() ? "Nothing found. Try fewer or other words." : "";
  say(status, found.length ? `${found.length} found` : nothing);
  list.replaceChildren(
    ...found.map(([kind, title, address, where, text]) => {
      const name = kind[0].toUpperCase() + kind.slice(1);
      const about = where ? `${name}, ${where}` : name;
      const link = make("a", { href: address }, make("b", {}, title));
      return make("li", {}, link, make("span", { class: "about" }, about), make("p", {}, text));
    }),
  );
}
