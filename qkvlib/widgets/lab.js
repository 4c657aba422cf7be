const STEP_SIZE = 0.05;
const DRAG_PIXELS = 100; // a hand's way for a change of 1
const REST_MS = 1000;
const SPEEDS = [1, 4, 12, 30];
const RATES = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30];
const VIEW_NAMES = { weights: "Weights", both: "Both", gradients: "Gradients", backward: "Backward" };

/** @param {{ model: Model, el: HTMLElement }} given */
function render(given) {
  const { model } = given;
  /** @type {Setup} */
  const setup = model.get("setup");
  const trained = Boolean(setup.sizes.target);
  const { root, gate, ended, unmount } = mount(given, "lab", "Attention lab", answered);
  const announce = announcer(root, ended);
  const read = makeReader(setup);

  const matrices = makeMatrices(setup);
  const all = Object.values(matrices);
  const picture = make("div", { class: "lab-picture" });
  const wires = makeWires(picture, matrices);
  const words = make("p", { class: "lab-words" });
  const trouble = make("p", { class: "lab-trouble", role: "alert" });
  const strip = setup.goal && goalStrip(setup.goal);
  const lossCard = makeLossCard("mean of (O − T)²");
  const headMaps = makeHeadMaps(setup, (chosen) => {
    head = chosen;
    show();
  });
  const views = Object.entries(VIEW_NAMES).filter(([name]) => !(name === "backward" && setup.function));
  const tabs = makeTabs("view", views);
  /** @param {string} text @param {string} [kind] */
  const button = (text, kind) => /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: kind ?? null }, text));
  const stepButton = button("Step", "qkv-main");
  const playButton = button("Play");
  const undo = button("Undo");
  const reset = button("Reset");
  const speed = makeSelect("speed", SPEEDS, (value) => `${value} a second`);
  speed.select.value = "12";
  const rate = makeSelect("learning rate", RATES, String);
  const locks = Object.fromEntries(WEIGHT_NAMES.map((name) => {
    const lock = button("");
    set(lock, { class: "lab-lock", "aria-label": `freeze ${NAMES[name].spoken}`, title: "Frozen weights are not trained" });
    matrices[name].box.firstElementChild?.append(lock);
    lock.addEventListener("click", () => gate.ask({ do: "freeze", choice: name }));
    return [name, lock];
  }));
  const walk = makeWalk(setup);
  const spacer = make("span", { class: "lab-spacer" });
  const bar = make("div", { class: "lab-bar" },
    ...(trained ? [tabs.box, make("span", { class: "lab-group" }, stepButton, playButton, speed.box), rate.box] : []),
    spacer, make("span", { class: "lab-group" }, undo, reset));
  /** @param {string} text */
  const sign = (text) => make("span", { class: "lab-sign", "aria-hidden": true }, text);
  const left = make("div", { class: "lab-left" }, matrices.x.box,
    ...["q", "k", "v"].flatMap((role, row) => {
      const line = [sign("×"), matrices[`w_${role}`].box, sign("="), matrices[role].box];
      line.forEach((part, column) => (part.style.gridArea = `${row + 1} / ${column + 2}`));
      return line;
    }));
  const right = make("div", { class: "lab-right" }, matrices.scores.box, matrices.weights.box, matrices.output.box);
  const side = make("div", { class: "lab-side" });
  if (setup.heads > 1) side.append(headMaps.box);
  if (trained) {
    side.append(lossCard.box);
    right.append(matrices.target.box);
  }
  if (side.childElementCount) right.append(side);
  picture.append(wires.svg, left, right);
  root.prepend(...(strip ? [strip.strip] : []), bar, picture, words, trouble, walk.box);
  root.style.setProperty("--rows", String(Math.max(setup.sizes.x[0], setup.sizes.x[1])));
  root.style.setProperty("--tokens", String(setup.tokens.length));
  set(root, { "data-trained": trained, "data-side": Boolean(side.childElementCount) });

  let head = 0;
  let gesture = 0;
  let playing = false;
  let due = 0;
  let timer = 0;
  let resting = 0;
  /** @type {string} */
  let view = model.get("state").view;
  /** The cell that the words speak of. @type {Place | null} */
  let pointed = null;
  /** @type {Place | null} */
  let focused = null;
  /** What the hand has set and the kernel has not answered yet. @type {Record<string, number>} */
  let ahead = {};
  /** @type {null | { place: Place, value: number, x: number, y: number, moved: boolean }} */
  let dragging = null;
  /** Scales only grow, so that colours do not jump under the hand. @type {Record<string, number>} */
  const reach = {};

  /** @returns {State} */
  const present = () => model.get("state");

  /** Every number of one head, with what the hand has set already. @param {number} which @returns {Book} */
  function bookOf(which) {
    const book = read(present(), which);
    if (!Object.keys(ahead).length) return book;
    return { ...book, at: (name, i, j) => ahead[`${name} ${which} ${i} ${j}`] ?? book.at(name, i, j) };
  }

  /** Whether a matrix may be moved by hand. @param {string} name */
  function movable(name) {
    const { goal } = present();
    const bound = setup.goal && !goal?.met;
    return (view === "weights" || view === "both") && (!bound || setup.goal?.touch.includes(name));
  }

  /** The losses as this page knows them: answers carry the last one only. @param {State} state */
  function keepLosses(state) {
    const { losses } = state;
    if (losses.length > state.moves) losses.length = state.moves;
    while (losses.length < state.moves) losses.push(state.loss);
    losses[state.moves - 1] = state.loss;
  }

  /** Whether a matrix shows its gradient now. @param {string} name */
  function showsGradient(name) {
    if (name === "target") return false;
    if (view === "gradients") return true;
    return view === "backward" && walk.found(name);
  }

  function show() {
    const state = present();
    keepLosses(state);
    const book = bookOf(head);
    set(root, { "data-view": view, "data-stale": trained && !state.gradients });
    for (const matrix of all) paint(matrix, book);
    showLights(book);
    for (const name of WEIGHT_NAMES) {
      const frozen = state.frozen.includes(name);
      const open = movable(name);
      set(matrices[name].box, { "data-frozen": frozen, "data-still": !open });
      set(locks[name], { "aria-pressed": String(frozen) });
      say(locks[name], frozen ? "frozen" : "freeze");
      locks[name].hidden = !trained;
    }
    set(matrices.scores.box, { "data-still": !movable("mask") });
    lossCard.show(state);
    if (setup.heads > 1) headMaps.show(bookOf, head);
    if (strip && state.goal) strip.show(state.goal);
    tabs.show(view);
    say(playButton, playing ? "Pause" : "Play");
    set(playButton, { "aria-pressed": String(playing) });
    showRate(state.rate);
    undo.disabled = !state.undo;
    say(trouble, [state.error, state.note].filter(Boolean).join(" "));
    trouble.hidden = !trouble.textContent;
    walk.box.hidden = view !== "backward";
    if (view === "backward") walk.show(book);
  }

  /** @param {number} value */
  function showRate(value) {
    if (document.activeElement === rate.select && Number(rate.select.value) === value) return;
    if (![...rate.select.options].some((option) => Number(option.value) === value)) {
      rate.select.append(make("option", { value }, String(value)));
    }
    rate.select.value = String(value);
  }

  /** @param {ReturnType<typeof makeMatrix>} matrix @param {Book} book */
  function paint(matrix, book) {
    const { name } = matrix;
    const gradient = showsGradient(name);
    const shown = gradient ? `d_${name}` : name;
    const now = reachOf(book, shown);
    reach[name] = Math.max(reach[name] ?? 1, gradient ? 0 : now);
    const digits = gradient ? decimalsFor(now) : decimalsFor(reach[name]);
    const slopes = view === "both" && name.startsWith("w_");
    const steepest = slopes ? Math.max(...WEIGHT_NAMES.map((w) => reachOf(book, `d_${w}`))) : 0;
    matrix.entitle(gradient);
    matrix.cells.forEach((row, i) => row.forEach(({ cell, number, strip: mark }, j) => {
      const value = book.at(shown, i, j);
      const missing = Number.isNaN(value);
      say(number, compact(value, digits));
      if (!gradient && name === "weights") tint(cell, "weight", value);
      else tintSigned(cell, missing ? 0 : value, gradient ? now : reach[name]);
      if (name === "scores" || name === "weights") {
        const open = book.allowed(i, j);
        set(cell, { "data-hidden": !open, "aria-checked": name === "scores" ? String(open) : null });
      }
      if (slopes) markSlope(mark, book, { name, i, j }, steepest, digits);
      if (name.startsWith("w_")) {
        set(cell, {
          "aria-valuenow": missing ? null : Number(value.toFixed(4)),
          "aria-valuemin": -setup.limit,
          "aria-valuemax": setup.limit,
          "aria-readonly": movable(name) ? null : "true",
        });
      }
    }));
  }

  /** The gradient as a bar, and the value that the next step would give. @param {HTMLElement} mark @param {Book} book @param {Place} place @param {number} steepest @param {number} digits */
  function markSlope(mark, book, { name, i, j }, steepest, digits) {
    const slope = book.at(`d_${name}`, i, j);
    const frozen = book.state.frozen.includes(name);
    const next = book.at(name, i, j) - book.state.rate * slope;
    const far = Math.abs(slope) / (steepest || 1);
    const still = frozen || far < 1e-6;
    say(mark, still ? "stays" : `${slope > 0 ? "↓" : "↑"}${fixed(next, digits)}`);
    // The root of the share: what is a hundredth of the steepest can still be seen.
    tint(mark, slope < 0 ? "minus" : "plus", 0.8 * Math.sqrt(far));
  }

  /** Light what the cell in hand comes from and feeds, and say its arithmetic. @param {Book} book */
  function showLights(book) {
    const place = dragging?.place ?? pointed ?? focused;
    const backward = view === "backward";
    const stage = backward ? walk.stage(book, place) : null;
    const spoken = stage ? stage.place : place;
    let from = /** @type {Lines[]} */ ([]);
    let to = from;
    let far = from;
    if (stage) from = gradientSources(stage.place);
    else if (place && view === "gradients" && place.name !== "target") from = gradientSources(place);
    else if (place) {
      from = [...sources(place), ...partners(place)];
      to = readers(place);
      far = reached(place);
    }
    const lit = Boolean(place) && !backward;
    set(picture, { "data-lit": lit });
    for (const { name, cells, box } of all) {
      if (backward) set(box, { "data-found": walk.found(name), "data-reads": walk.reads(name), "data-result": walk.result() === name });
      cells.forEach((row, i) => row.forEach(({ cell }, j) => {
        const here = { name, i, j };
        const self = spoken !== null && spoken.name === name && spoken.i === i && spoken.j === j;
        const light = self ? "self" : covers(from, here) ? "from" : covers(to, here) ? "to" : covers(far, here) ? "far" : null;
        set(cell, { "data-light": light });
      }));
    }
    for (const { from: a, to: b, path } of wires.wires) {
      const on = backward ? a === walk.result() : lit && [...from, ...to, ...far, [place?.name]].some(([name]) => name === a) &&
        [...from, ...to, ...far, [place?.name]].some(([name]) => name === b);
      set(path, { "data-on": on });
    }
    words.hidden = backward;
    if (backward) return;
    words.replaceChildren(...(place ? explained(book, place) : hint()));
  }

  /** @param {Book} book @param {Place} place @returns {Words} */
  function explained(book, place) {
    if (view === "gradients" && place.name !== "target") return gradientWords(book, place);
    return [...valueWords(book, place), ...stepWords(book, place)];
  }

  /** @returns {Words} */
  function hint() {
    const editing = view === "weights" || view === "both";
    return [editing
      ? "Drag a weight, or focus it and use ↑ ↓, the wheel, or type a number. Click a score to hide it with the mask. Point at any cell to see its arithmetic."
      : "Point at any cell, or reach it with Tab and the arrow keys, to see how its gradient comes about."];
  }

  /** @param {EventTarget | null} target @returns {Place | null} */
  function placeOf(target) {
    const at = target instanceof Element && target.closest("[data-at]")?.getAttribute("data-at")?.split(" ");
    return at ? { name: at[0], i: Number(at[1]), j: Number(at[2]) } : null;
  }

  /** @param {Place} place */
  const cellOf = ({ name, i, j }) => matrices[name].cells[i][j].cell;
  /** @param {Place} place */
  const valueOf = ({ name, i, j }) => bookOf(head).at(name, i, j);

  /** @param {Place} place @param {number} wish */
  function move(place, wish) {
    if (!movable(place.name) || Number.isNaN(wish)) return;
    pause();
    const value = Math.round(10000 * Math.min(Math.max(wish, -setup.limit), setup.limit)) / 10000;
    const key = `${place.name} ${head} ${place.i} ${place.j}`;
    ahead[key] = value;
    // The touched cell first: the hand sees it move before the kernel has answered.
    say(matrices[place.name].cells[place.i][place.j].number, fixed(value, decimalsFor(reach[place.name] ?? 1)));
    gate.edit({ [key]: value }, gesture);
    set(cellOf(place), { "aria-valuenow": value });
  }

  function speak() {
    const place = focused ?? pointed;
    if (!place) return;
    const book = bookOf(head);
    const line = make("p", {}, ...explained(book, place));
    if (WEIGHT_NAMES.includes(place.name)) {
      set(cellOf(place), { "aria-valuetext": `${fixed(valueOf(place))}. ${make("p", {}, ...stepWords(book, place)).textContent}` });
    }
    announce(line.textContent ?? "");
  }

  /** After every answer, and when none comes. */
  function answered() {
    if (!gate.busy && !dragging) ahead = {};
    if (present().note || present().error) pause();
    show();
    pump();
    // Answers to a moving hand are short. When it rests, the page asks for what they left out, so
    // that a notebook saved then has everything.
    clearTimeout(resting);
    if (trained && !gate.busy && !present().gradients) {
      resting = window.setTimeout(() => gate.ask({ do: "look" }), REST_MS);
    }
  }

  const placeWires = () => wires.place(view === "gradients" || view === "backward");

  function pause() {
    clearTimeout(timer);
    playing = false;
  }

  /** Ask for the next step when it is due; more than two are never under way. */
  function pump() {
    clearTimeout(timer);
    if (!playing || gate.full) return;
    const now = performance.now();
    if (now < due) {
      timer = window.setTimeout(pump, due - now);
      return;
    }
    const interval = 1000 / Number(speed.select.value);
    due = Math.max(due + interval, now);
    gate.ask({ do: "step", gesture });
    pump();
  }

  /** @param {Place} place @param {string} [text] */
  function typeInto(place, text) {
    if (!movable(place.name)) return;
    const cell = cellOf(place);
    const input = /** @type {HTMLInputElement} */ (make("input", {
      class: "lab-input", type: "text", inputmode: "decimal", "aria-label": `new value of ${spokenName(place, setup)}`,
    }));
    input.value = text ?? String(Number(valueOf(place).toFixed(4)));
    cell.append(input);
    input.focus();
    if (text === undefined) input.select();
    let open = true;
    /** @param {boolean} keep */
    const close = (keep) => {
      if (!open) return;
      open = false;
      const wish = Number(input.value.trim().replace(",", ".").replace("−", "-"));
      const had = document.activeElement === input;
      input.remove();
      if (keep && input.value.trim() && Number.isFinite(wish)) {
        gesture += 1;
        move(place, wish);
        show();
      }
      if (had) cell.focus();
    };
    input.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") {
        event.preventDefault();
        close(event.key === "Enter");
      }
      if (event.key !== "Tab") event.stopPropagation();
    });
    input.addEventListener("blur", () => close(true));
  }

  /** Where an arrow key leads within a matrix. @param {Place} place @param {string} key @returns {Place | null} */
  function beside({ name, i, j }, key) {
    const [rows, cols] = setup.sizes[name];
    const by = {
      ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-1, 0], PageDown: [1, 0],
      ...(WEIGHT_NAMES.includes(name) && movable(name) ? {} : { ArrowUp: [-1, 0], ArrowDown: [1, 0] }),
      Home: [0, -j], End: [0, cols - 1 - j],
    }[key];
    if (!by) return null;
    return { name, i: Math.min(Math.max(i + by[0], 0), rows - 1), j: Math.min(Math.max(j + by[1], 0), cols - 1) };
  }

  /** @param {Place} place */
  function toggleMask(place) {
    if (place.name === "scores" && movable("mask")) gate.ask({ do: "mask", choice: [place.i, place.j] });
  }

  picture.addEventListener("pointerover", (event) => {
    const place = placeOf(event.target);
    if (dragging || (!place && !pointed)) return;
    pointed = place;
    showLights(bookOf(head));
    if (view === "backward") walk.show(bookOf(head));
  });
  picture.addEventListener("pointerleave", () => {
    pointed = null;
    if (!dragging) showLights(bookOf(head));
  });
  picture.addEventListener("focusin", (event) => {
    const place = placeOf(event.target);
    if (!place) return;
    focused = place;
    pointed = null;
    matrices[place.name].stopAt(place.i, place.j);
    showLights(bookOf(head));
    if (view === "backward") walk.show(bookOf(head));
    speak();
  });
  picture.addEventListener("focusout", () => {
    focused = null;
    showLights(bookOf(head));
  });
  picture.addEventListener("pointerdown", (event) => {
    const place = placeOf(event.target);
    if (!place || event.button !== 0 || event.target instanceof HTMLInputElement) return;
    const cell = cellOf(place);
    if (WEIGHT_NAMES.includes(place.name) && movable(place.name)) {
      event.preventDefault();
      cell.focus({ preventScroll: true });
      cell.setPointerCapture(event.pointerId);
      gesture += 1;
      dragging = { place, value: valueOf(place), x: event.clientX, y: event.clientY, moved: false };
      set(cell, { "data-dragging": true });
    }
  });
  picture.addEventListener("pointermove", (event) => {
    if (!dragging) return;
    const way = event.clientX - dragging.x - (event.clientY - dragging.y);
    if (!dragging.moved && Math.abs(way) < 3) return;
    dragging.moved = true;
    const value = dragging.value + ((event.shiftKey ? 10 : 1) * way) / DRAG_PIXELS;
    move(dragging.place, Math.round(100 * value) / 100);
  });
  picture.addEventListener("lostpointercapture", () => {
    if (!dragging) return;
    set(cellOf(dragging.place), { "data-dragging": null });
    dragging = null;
    answered();
    speak();
  });
  picture.addEventListener("click", (event) => {
    const place = placeOf(event.target);
    if (place) toggleMask(place);
  });
  picture.addEventListener("dblclick", (event) => {
    const place = placeOf(event.target);
    if (place && WEIGHT_NAMES.includes(place.name) && !(event.target instanceof HTMLInputElement)) typeInto(place);
  });
  picture.addEventListener("wheel", (event) => {
    const place = placeOf(event.target);
    if (!place || !focused || cellOf(place) !== document.activeElement || !WEIGHT_NAMES.includes(place.name)) return;
    event.preventDefault();
    if (event.timeStamp - lastWheel > 600) gesture += 1;
    lastWheel = event.timeStamp;
    nudge(place, (event.deltaY < 0 ? 1 : -1) * (event.shiftKey ? 10 : 1));
  }, { passive: false });
  let lastWheel = -Infinity;

  /** @param {Place} place @param {number} steps */
  function nudge(place, steps) {
    move(place, Math.round(1000 * (valueOf(place) + STEP_SIZE * steps)) / 1000);
    show();
    speak();
  }

  picture.addEventListener("keydown", (event) => {
    const place = placeOf(event.target);
    if (!place || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
    const next = beside(place, event.key);
    const weight = WEIGHT_NAMES.includes(place.name);
    if (next) {
      cellOf(next).focus();
    } else if (weight && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      if (!event.repeat) gesture += 1;
      nudge(place, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 10 : 1));
    } else if (weight && event.key === "0") {
      gesture += 1;
      move(place, 0);
      show();
      speak();
    } else if (weight && /^[1-9.,+-]$/.test(event.key)) {
      typeInto(place, event.key === "." || event.key === "," ? "0." : event.key);
    } else if (weight && event.key === "Enter" && !event.shiftKey) {
      typeInto(place);
    } else if (place.name === "scores" && (event.key === " " || (event.key === "Enter" && !event.shiftKey))) {
      toggleMask(place);
    } else return;
    event.preventDefault();
  });

  for (const tab of tabs.buttons) {
    tab.addEventListener("click", () => {
      view = tab.dataset.value ?? view;
      gate.ask({ do: "view", choice: view });
      show();
      placeWires();
    });
  }
  stepButton.addEventListener("click", () => {
    pause();
    gesture += 1;
    gate.ask({ do: "step", gesture });
  });
  playButton.addEventListener("click", () => {
    playing = !playing;
    gesture += 1;
    due = performance.now();
    show();
    pump();
  });
  speed.select.addEventListener("change", () => {
    due = performance.now();
    pump();
  });
  rate.select.addEventListener("change", () => gate.ask({ do: "rate", choice: Number(rate.select.value) }));
  undo.addEventListener("click", () => {
    pause();
    gate.ask({ do: "undo" });
  });
  reset.addEventListener("click", () => {
    pause();
    gate.ask({ do: "reset" });
  });
  walk.moved(() => show());
  ended.addEventListener("abort", () => {
    pause();
    clearTimeout(resting);
  });

  const watcher = new ResizeObserver(() => {
    fit(root, setup, trained);
    placeWires();
  });
  watcher.observe(root);
  ended.addEventListener("abort", () => watcher.disconnect());

  show();
  return unmount;
}

export default { render };
