// The page of answers in words: one answer at a time, marked with keys. The browser stores each
// mark under this file's name until marks.csv is downloaded and `qkv grade` has read it.

const articles = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("article")]);
const others = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#others > i")]);
const KEPT = `qkv marks ${location.pathname} `;
const FORMULA = /((?:^|[;\t|])[\s"]*)([=+\-@|%＝＋－＠])/g;
const PAUSE = 600; // milliseconds after the last key, when a comment is saved

/** @type {{at: number, points: string, comment: string}[]} */
const undone = [];
/** @type {Set<HTMLElement>} */
const unsaved = new Set();
let at = 0;
let keeps = true; // whether this browser stores anything
/** @type {ReturnType<typeof setTimeout> | undefined} */
let pause;

/** @template {HTMLElement} T @param {string} name @returns {T} */
const part = (name) => /** @type {T} */ (document.getElementById(name));
const comment = /** @type {HTMLTextAreaElement} */ (part("comment"));
const most = () => Number(articles[at].dataset.most);

/** @param {string} words */
function say(words) {
  part("said").textContent = words;
}

/** Go to an answer and show it. @param {number} number */
function go(number) {
  if (number < 0 || number >= articles.length) {
    say(number < 0 ? "This is the first answer." : "This is the last answer.");
    return;
  }
  keepComment();
  at = number;
  show();
  articles[at].focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Show the current answer. */
function show() {
  for (const [i, article] of articles.entries()) article.classList.toggle("away", i !== at);
  for (const section of document.querySelectorAll("section.asked")) {
    section.classList.toggle("away", !section.contains(articles[at]));
  }
  const { points = "", comment: words = "" } = articles[at].dataset;
  const choices = Array.from({ length: most() + 1 }, (_, i) => {
    const choice = document.createElement("button");
    choice.type = "button";
    choice.textContent = String(i);
    choice.setAttribute("aria-pressed", String(points !== "" && Number(points) === i));
    choice.addEventListener("click", () => score(String(i)));
    return choice;
  });
  part("choices").replaceChildren(...choices);
  const given = points === "" ? "not marked" : points;
  part("given").textContent = `${given} of ${most()}`;
  if (comment.value !== words) comment.value = words;
  const marked = articles.filter((article) => article.dataset.points !== "").length;
  const bar = /** @type {HTMLProgressElement} */ (part("done"));
  bar.max = articles.length;
  bar.value = marked;
  part("count").textContent = `${marked} of ${articles.length} marked. This is number ${at + 1}.`;
  /** @type {HTMLButtonElement} */ (part("undo")).disabled = undone.length === 0;
}

/** Give points, or take them back with "". @param {string} points */
function score(points) {
  if (Number(points) > most()) {
    say(`This answer has 0 to ${most()} points.`);
    return;
  }
  change(points, articles[at].dataset.comment ?? "");
  if (points !== "" && /** @type {HTMLInputElement} */ (part("onward")).checked) go(at + 1);
}

/** @param {string} points @param {string} words */
function change(points, words) {
  const data = articles[at].dataset;
  if (data.points === points && data.comment === words) return;
  undone.push({ at, points: data.points ?? "", comment: data.comment ?? "" });
  put(points, words);
}

/** @param {string} points @param {string} words */
function put(points, words) {
  articles[at].dataset.points = points;
  articles[at].dataset.comment = words;
  unsaved.add(articles[at]);
  keep(articles[at]);
  show();
  sayWhatIsLeft();
}

function sayWhatIsLeft() {
  const where = keeps
    ? "kept in this browser"
    : "NOT KEPT: this browser keeps nothing. Download them before you close the page";
  say(`${unsaved.size} not downloaded yet, ${where}.`);
}

/** @param {HTMLElement} article */
const keyOf = ({ dataset: d }) => KEPT + JSON.stringify([d.student, d.answer]);

/** Store a mark, and the mark that it replaced. @param {HTMLElement} article */
function keep(article) {
  const { points, comment: words, was } = article.dataset;
  try {
    localStorage.setItem(keyOf(article), JSON.stringify({ points, comment: words, was }));
  } catch {
    keeps = false;
  }
}

/** Load what this browser has stored. Changes made in marks.csv since then take precedence. */
function takeUp() {
  let given = 0;
  for (const article of articles) {
    const data = article.dataset;
    data.was ??= JSON.stringify([data.points, data.comment]);
    try {
      const kept = JSON.parse(localStorage.getItem(keyOf(article)) ?? "null");
      if (!kept) continue;
      if (kept.was === data.was) {
        Object.assign(data, { points: kept.points, comment: kept.comment });
        unsaved.add(article);
      } else {
        if (JSON.stringify([kept.points, kept.comment]) !== data.was) given += 1;
        localStorage.removeItem(keyOf(article));
      }
    } catch {
      keeps = false;
    }
  }
  if (given) say(`${given} kept here are given up: marks.csv says something else since then.`);
  else if (unsaved.size) sayWhatIsLeft();
}

function keepComment() {
  clearTimeout(pause);
  change(articles[at].dataset.points ?? "", comment.value);
}

function undo() {
  keepComment();
  const last = undone.pop();
  if (!last) return;
  at = last.at;
  put(last.points, last.comment);
}

/** Return a cell that no spreadsheet takes for a formula, as in `csv_files.py`. @param {string} text */
function harmless(text) {
  return text.replace(/\r\n|\r|\n/g, " ").replace(FORMULA, "$1'$2");
}

/** Return all marks, as the table that `qkv grade` reads. */
function table() {
  const rows = [["student", "answer", "points", "possible", "comment"]];
  for (const { dataset: d } of [...articles, ...others]) {
    rows.push([d.student, d.answer, d.points, d.most, harmless(d.comment ?? "")].map(String));
  }
  const quoted = (/** @type {string} */ cell) =>
    /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return `\ufeff${rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("")}`;
}

function download() {
  keepComment();
  takeUp(); // marks that were given in another window meanwhile
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([table()], { type: "text/csv" }));
  link.download = "marks.csv";
  link.click();
  URL.revokeObjectURL(link.href);
  unsaved.clear();
  say("Put marks.csv into the folder with the results, and run `qkv grade` again.");
}

function nextUnmarked() {
  const later = [...articles.keys()].map((i) => (at + 1 + i) % articles.length);
  const next = later.find((i) => articles[i].dataset.points === "");
  if (next === undefined) say("Every answer is marked.");
  else go(next);
}

/** @type {Record<string, () => void>} */
const KEYS = {
  j: () => go(at + 1),
  k: () => go(at - 1),
  n: nextUnmarked,
  u: undo,
  x: () => score(""),
  c: () => comment.focus(),
  ".": () => score(String(Math.min(most(), Math.floor(Number(articles[at].dataset.points)) + 0.5))),
};

/** @param {KeyboardEvent} event */
function pressed(event) {
  if (event.target === comment) {
    if (event.key === "Escape") articles[at].focus();
    return;
  }
  const on = /** @type {HTMLInputElement} */ (part("keys")).checked;
  if (!on || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = /^[0-9]$/.test(event.key) ? () => score(event.key) : KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
}

function begin() {
  takeUp();
  part("desk").hidden = false;
  part("words").hidden = true;
  const { j: next, k: prev, n: skip, x: clear, ".": half } = KEYS;
  for (const [name, act] of Object.entries({ prev, next, skip, undo, clear, half, download })) {
    part(name).addEventListener("click", act);
  }
  part("names").addEventListener("change", (event) => {
    const shown = /** @type {HTMLInputElement} */ (event.target).checked;
    for (const name of document.querySelectorAll(".name")) name.classList.toggle("away", !shown);
  });
  comment.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(keepComment, PAUSE);
  });
  comment.addEventListener("change", keepComment);
  document.addEventListener("keydown", pressed);
  addEventListener("beforeunload", (event) => {
    keepComment();
    if (unsaved.size && !keeps) event.preventDefault();
  });
  at = Math.max(
    0,
    articles.findIndex((article) => article.dataset.points === ""),
  );
  show();
}

if (articles.length) begin();
