/*
 * What every widget shares in the browser, beside kernel.js. Python puts both files before
 * the widget's own module: a notebook loads modules from a blob, where relative imports fail.
 */

/**
 * Make an element; attributes that are null or false are left out.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Make an element of a drawing.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
function draw(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (
    document.createElementNS("http://www.w3.org/2000/svg", tag)
  );
  set(element, attributes);
  element.append(...children);
  return element;
}

/**
 * Write only the attributes that changed.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else {
      const text = value === true ? "" : String(value);
      if (element.getAttribute(name) !== text) element.setAttribute(name, text);
    }
  }
}

/**
 * Write a text only when it changed.
 * @param {Element} element
 * @param {string} text
 */
function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A number in words of the page: a true minus, no "-0.00", a dash for what is no number.
 * @param {number | null | undefined} value
 * @param {number} [digits]
 */
function fixed(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? "−" + text : text;
}

/** A name within a sentence, where "its" would be read along; k₁ or t0 stands out by itself. @param {string} name */
const quoted = (name) => (/^\p{L}[\d₀-₉]+$/u.test(name) ? name : `“${name}”`);

/** @param {HTMLElement} root @param {AbortSignal} ended */
function followTheme(root, ended) {
  const show = () => set(root, { "data-theme": isDark() ? "dark" : "light" });
  const watcher = new MutationObserver(show);
  watcher.observe(document.body, { attributes: true });
  watcher.observe(document.documentElement, { attributes: true });
  ended.addEventListener("abort", () => watcher.disconnect());
  show();
}

/** JupyterLab says so; elsewhere the page's own background does. */
function isDark() {
  const said = document.body.dataset.jpThemeLight;
  if (said) return said === "false";
  const [red, green, blue, alpha = 1] = (
    getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g) ?? ["0", "0", "0", "0"]
  ).map(Number);
  if (alpha === 0) return matchMedia("(prefers-color-scheme: dark)").matches;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 128;
}

/**
 * Keep typed keys from the notebook, whose `d d` deletes the cell; Ctrl, Meta and Shift+Enter pass.
 * @param {HTMLElement} root
 */
function keepKeys(root) {
  root.addEventListener("keydown", (event) => {
    const notebooks = isCommand(event) || (event.key === "Enter" && event.shiftKey);
    if (!notebooks) event.stopPropagation();
  });
}

/**
 * Whether a key is a command to the page and no typed letter. Many keyboards type [ with AltGr,
 * which Windows calls Ctrl and Alt, or with Option, which is Alt.
 * @param {KeyboardEvent} event
 */
function isCommand(event) {
  const letter = event.altKey && event.key.length === 1;
  return event.metaKey || (event.ctrlKey && !letter);
}

/**
 * Put up a widget's root with everything that all widgets need.
 * @param {{ model: Model, el: HTMLElement }} given
 * @param {string} name
 * @param {string} label  what a screen reader calls the widget
 * @param {() => void} show  draws the present state
 */
function mount({ model, el }, name, label, show) {
  const ending = new AbortController();
  const ended = ending.signal;
  const root = make("div", { class: `qkv qkv-${name}`, role: "group", "aria-label": label });
  el.append(root);
  followTheme(root, ended);
  keepKeys(root);
  const gate = openGate(model, root, ended, () => show());
  const changed = () => {
    if (!gate.receiving) show();
  };
  for (const name of ["change:state", "change:shown"]) {
    model.on(name, changed);
    ended.addEventListener("abort", () => model.off(name, changed));
  }
  // The frame after next: by then the first drawing is on the screen.
  requestAnimationFrame(() => requestAnimationFrame(() => set(root, { "data-ready": true })));
  const unmount = () => {
    ending.abort();
    root.remove(); // JupyterLab keeps `el`, and would keep all of this with it
  };
  return { root, gate, ended, unmount };
}

/**
 * A line for screen readers, spoken when the hand rests: no flood of half-way numbers.
 * @param {HTMLElement} root
 * @param {AbortSignal} ended
 */
function announcer(root, ended) {
  const line = make("div", { class: "qkv-spoken", "aria-live": "polite" });
  root.append(line);
  let timer = 0;
  ended.addEventListener("abort", () => clearTimeout(timer));
  /** @param {string} text */
  return (text) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => say(line, text), 400);
  };
}

/** Words with what stands between asterisks in italics. @param {string} text */
const emphasised = (text) =>
  text.split("*").map((part, k) => (k % 2 ? make("em", {}, part) : part));

/**
 * The strip that says a goal, how far one has come, and when it is met.
 * @param {{ words: string, met_before: boolean }} goal
 */
function goalStrip(goal) {
  const name = make("span", { class: "qkv-goal-name" });
  const bar = make("div");
  const status = make("span", { role: "status" });
  const meter = make(
    "div",
    { class: "qkv-goal-bar", role: "progressbar", "aria-label": "way to the goal" },
    bar,
  );
  const strip = make(
    "div",
    { class: "qkv-goal" },
    name,
    make("span", { class: "qkv-goal-words" }, ...emphasised(goal.words)),
    make("span", { class: "qkv-goal-way" }, meter, status),
  );
  /** @param {{ met: boolean, share: number, words: string }} standing */
  const show = (standing) => {
    const percent = Math.round(100 * (standing.met ? 1 : standing.share));
    say(name, standing.met ? "✓ Goal met" : goal.met_before ? "Goal (met before)" : "Goal");
    say(status, standing.words);
    set(strip, { "data-met": standing.met });
    set(meter, { "aria-valuenow": percent });
    bar.style.width = `${percent}%`;
  };
  return { strip, show };
}
