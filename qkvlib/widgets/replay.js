/**
 * @typedef {object} Sheet  One matrix of a layer.
 * @property {string} name
 * @property {number} rows
 * @property {number} columns
 * @property {number} at  where its numbers begin in a frame
 * @property {number | null} slope  where its gradient's begin; null when it is frozen
 *
 * @typedef {{ name: string, sheets: Sheet[], heads: number, looks: number | null }} Layer
 *
 * @typedef {object} Run
 * @property {string} name
 * @property {Layer[]} layers
 * @property {[string[], string[]][]} examples  the words beside the rows and columns of attention
 * @property {[number, number]} widths  how many numbers a frame has, and how many of attention
 * @property {[number, number | null][]} curve  some steps and their losses, for a still picture
 *
 * @typedef {object} Setup
 * @property {Run[]} runs
 * @property {number[]} bits  how finely each film was packed
 * @property {[number, number, number]} largest  the weight, gradient and score whose share is 1
 * @property {string[]} tokens
 *
 * @typedef {{ step: number, stills: { numbers: string, looks: string }[] }} State
 *
 * @typedef {object} Film  What is known of a run: all of it, or the frame that was saved.
 * @property {number[]} steps
 * @property {(number | null)[]} losses
 * @property {number[]} accuracy
 * @property {number[]} frames  the steps that have a frame
 * @property {Int8Array | Int16Array} numbers
 * @property {Int8Array | Int16Array} looks
 * @property {number} top  the whole number that stands for a share of 1
 */

const STILL_BYTES = 3000; // for all runs of a widget together
const MOST_NAMED = 20; // rows of scores with their names beside them
const AGAIN = "Run this cell again to play it.";
const SPEEDS = [1, 3, 10, 30, 100, 300, 1000];

/** @param {DataView} view @param {new (buffer: ArrayBuffer) => any} Kind */
const copied = (view, Kind) =>
  new Kind(/** @type {ArrayBuffer} */ (view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength)));

/** @param {DataView[]} buffers @param {number} bits @returns {Film} */
function filmOf([steps, losses, accuracy, frames, numbers, looks], bits) {
  const Kind = bits === 16 ? Int16Array : Int8Array;
  return {
    steps: [...copied(steps, Int32Array)],
    losses: [...copied(losses, Float32Array)].map((loss) => (Number.isFinite(loss) ? loss : null)),
    accuracy: [...copied(accuracy, Float32Array)],
    frames: [...copied(frames, Int32Array)],
    numbers: copied(numbers, Kind),
    looks: copied(looks, Kind),
    top: 2 ** (bits - 1) - 1,
  };
}

/** What a saved notebook still has. @param {Run} run @param {State} state @param {number} i @returns {Film} */
function stillOf(run, state, i) {
  const { numbers, looks } = state.stills[i];
  /** @param {string} text */
  const bytes = (text) => new Int8Array(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
  const [steps, losses] = [run.curve.map(([step]) => step), run.curve.map(([, loss]) => loss)];
  return { steps, losses, accuracy: [], frames: [state.step], numbers: bytes(numbers), looks: bytes(looks), top: 127 };
}

/** The last place whose step is not after `step`. @param {number[]} steps @param {number} step */
function placeOf(steps, step) {
  let [low, high] = [0, steps.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (steps[middle] <= step) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The shares at a step, halfway between two frames where need be; NaN for what is no number.
 * @param {Film} film @param {Int8Array | Int16Array} packed @param {number} step @param {Float32Array} into
 */
function sample({ frames, top }, packed, step, into) {
  const at = placeOf(frames, step);
  const next = Math.min(at + 1, frames.length - 1);
  const gap = frames[next] - frames[at];
  const share = gap ? Math.min(Math.max((step - frames[at]) / gap, 0), 1) : 0;
  const width = into.length;
  for (let i = 0; i < width; i++) {
    const [one, other] = [packed[at * width + i], packed[next * width + i]];
    into[i] = one < -top || other < -top ? NaN : (one + share * (other - one)) / top;
  }
}

/** Every token's score with every token, one map a head. @param {Layer} layer @param {Float32Array} numbers @param {Float32Array} into @param {[number, number, number]} largest */
function scores(layer, numbers, into, [weight, , score]) {
  const { embedding, query, key, tokens, width } = sidesOf(layer);
  const project = (/** @type {Sheet} */ sheet) => {
    if (!embedding) return numbers.subarray(sheet.at, sheet.at + sheet.rows * sheet.columns);
    const projected = new Float32Array(tokens * sheet.columns);
    for (let t = 0; t < tokens; t++)
      for (let d = 0; d < sheet.rows; d++) {
        const x = numbers[embedding.at + t * sheet.rows + d];
        for (let c = 0; c < sheet.columns; c++)
          projected[t * sheet.columns + c] += x * numbers[sheet.at + d * sheet.columns + c];
      }
    return projected;
  };
  const [q, k] = [project(query), project(key)];
  const scale = weight ** (embedding ? 4 : 2) / Math.sqrt(width) / score;
  for (let head = 0, at = 0; head < layer.heads; head++)
    for (let i = 0; i < tokens; i++)
      for (let j = 0; j < tokens; j++, at++) {
        let sum = 0;
        for (let c = head * width; c < (head + 1) * width; c++) sum += q[i * query.columns + c] * k[j * key.columns + c];
        into[at] = sum * scale;
      }
}

/** @param {Layer} layer */
function sidesOf({ sheets, heads }) {
  const find = (/** @type {string} */ name) => sheets.find((sheet) => sheet.name === name);
  const query = /** @type {Sheet} */ (find("w_q"));
  const embedding = find("embedding");
  return { embedding, query, key: find("w_k") ?? query, tokens: (embedding ?? query).rows, width: query.columns / heads };
}

/** Whether the scores of all tokens can be drawn. @param {Layer} layer */
function hasScores(layer) {
  const { query, key, tokens, embedding } = sidesOf(layer);
  const fits = query.rows === key.rows && query.columns === key.columns;
  return fits && tokens <= 128 && (!embedding || embedding.columns === query.rows);
}

/**
 * Everything of one run: its numbers of the moment, and the maps that show them.
 * @param {Run} run @param {Setup} setup @param {number} which
 * @param {(key: string, row: number | null, column: number) => void} point
 */
function makeRun(run, { largest, runs, tokens }, which, point) {
  const line = draw("svg", { class: "rep-sample", viewBox: "0 0 24 8" }, draw("path", { d: "M0 4H24", "data-run": which }));
  const loss = make("span");
  const head = make("div", { class: "rep-head" }, ...(runs.length > 1 ? [line, make("strong", {}, run.name)] : []), loss);
  const maps = make("div", { class: "rep-maps" });
  const element = make("section", { class: "rep-run", "aria-label": run.name }, head, maps);
  /** @type {{ key: string, map: ReturnType<typeof makeMap>, source: "numbers" | "looks" | "scores", at: number, words: (row: number, column: number) => string, number: (share: number) => string }[]} */
  let shown = [];
  /** What writes how large a gradient is. @type {(() => void)[]} */
  let sizes = [];
  const now = { numbers: new Float32Array(run.widths[0]), looks: new Float32Array(run.widths[1]), scores: new Float32Array(0) };

  /** Put up the maps of a layer and an example. @param {number} index @param {number} example */
  const lay = (index, example) => {
    const layer = run.layers[index];
    [shown, sizes] = [[], []];
    /** @param {string} key @param {Omit<MapOptions, "point" | "leave">} options @param {Omit<typeof shown[number], "key" | "map">} rest */
    const add = (key, options, rest) => {
      const map = makeMap({ ...options, point: (row, column) => point(key, row, column), leave: () => point(key, null, 0) });
      shown.push({ key, map, ...rest });
      return map.element;
    };
    maps.replaceChildren(...layMatrices(layer, add, largest), ...layLooks(run, index, example, add), ...layScores(layer, tokens, add, largest));
    now.scores = new Float32Array(hasScores(layer) ? layer.heads * sidesOf(layer).tokens ** 2 : 0);
  };

  /** @param {Film} film @param {number} step @param {number} index @param {Inks} inks */
  const show = (film, step, index, inks) => {
    const place = placeOf(film.steps, step);
    const words = [`loss ${fixed(film.losses[place], 3)}`];
    if (film.accuracy.length) words.push(`accuracy ${fixed(film.accuracy[place])}`);
    say(loss, words.join(" · "));
    sample(film, film.numbers, step, now.numbers);
    sample(film, film.looks, step, now.looks);
    for (let i = 0; i < now.looks.length; i++) now.looks[i] = (now.looks[i] + 1) / 2;
    if (now.scores.length) scores(run.layers[index], now.numbers, now.scores, largest);
    for (const write of sizes) write();
    for (const { map, source, at, number } of shown) map.show(now[source], at, inks, number);
  };
  /** The words of a cell, for all maps of this kind. @param {string} key @param {number} row @param {number} column */
  const wordsOf = (key, row, column) => shown.find((one) => one.key === key)?.words(row, column) ?? "";
  /** @param {string} key @param {number | null} row @param {number} column */
  const mark = (key, row, column) => {
    for (const one of shown) one.map.mark(one.key === key ? row : null, column);
  };

  /** @param {Sheet} sheet @param {number} at @param {number} row @param {number} column */
  const shareOf = (sheet, at, row, column) => now.numbers[at + row * sheet.columns + column];

  /** @param {Layer} layer @param {(key: string, options: any, rest: any) => HTMLElement} add @param {[number, number, number]} largest */
  function layMatrices(layer, add, [weight, gradient]) {
    const columns = layer.sheets.map((sheet) => {
      const { name, rows, columns, at, slope } = sheet;
      const across = name === "w_o" || name === "embedding" ? 1 : layer.heads;
      /** @type {[number, number]} */
      const blocks = [name === "w_o" ? layer.heads : 1, across];
      const value = (/** @type {number} */ share) => fixed(known(share * weight));
      const slopeOf = (/** @type {number} */ share) => fixed(known(share * Math.abs(share) * gradient), 4);
      const words = (/** @type {number} */ row, /** @type {number} */ column) => {
        const cell = `${nameOf(name)}[${row}, ${column}] is ${value(shareOf(sheet, at, row, column))}`;
        if (slope === null) return `${cell}, frozen`;
        return `${cell}, its gradient ${slopeOf(shareOf(sheet, slope, row, column))}`;
      };
      const label = nameOf(name);
      const options = { rows, columns, scale: "signed", blocks, most: 24, room: 140 };
      const most = make("small");
      if (slope !== null) sizes.push(() => {
        const part = now.numbers.subarray(slope, slope + rows * columns);
        const top = part.reduce((high, share) => Math.max(high, Math.abs(share)), 0);
        say(most, part[0] === part[0] ? top ? `≤ ${small(top * top * gradient)}` : "≈ 0" : "");
      });
      const changes =
        slope === null
          ? make("div", { class: "rep-frozen" }, "frozen")
          : add(`d ${name}`, { ...options, label: `gradient of ${label}` }, { source: "numbers", at: slope, words, number: slopeOf });
      return make(
        "div",
        { class: "rep-column", style: `flex-grow: ${Math.sqrt(columns)}` },
        make("div", { class: "rep-name" }, weightLetter(name), make("small", {}, `${rows}×${columns}`)),
        add(name, { ...options, label }, { source: "numbers", at, words, number: value }),
        make("div", { class: "rep-name" }, make("i", {}, "d"), weightLetter(name), most),
        changes,
      );
    });
    return [make("div", { class: "rep-columns" }, ...columns)];
  }

  /** @param {Run} run @param {number} index @param {number} example @param {(key: string, options: any, rest: any) => HTMLElement} add */
  function layLooks({ layers, examples }, index, example, add) {
    const { looks: start, heads } = layers[index];
    if (start === null) return [];
    const [rows, columns] = examples[example];
    const shape = examples[0];
    const cells = shape[0].length * shape[1].length;
    const at = start + example * heads * cells;
    const number = (/** @type {number} */ share) => fixed(share);
    const share = (/** @type {number} */ place) => fixed(now.looks[at + place]);
    if (rows.length === 1) {
      const words = (/** @type {number} */ head, /** @type {number} */ column) =>
        `${headName(head, heads)}“${rows[0]}” gives “${columns[column]}” the weight ${share(head * cells + column)}`;
      const rowNames = heads > 1 ? Array.from({ length: heads }, (_, head) => `head ${head + 1}`) : rows;
      const options = { rows: heads, columns: columns.length, scale: "weight", rowNames, columnNames: columns, label: "attention" };
      return [titled(`Where “${rows[0]}” looks`, [add("looks", options, { source: "looks", at, words, number })])];
    }
    const each = Array.from({ length: heads }, (_, head) => {
      const words = (/** @type {number} */ row, /** @type {number} */ column) =>
        `${headName(head, heads)}“${rows[row]}” gives “${columns[column]}” the weight ${share(head * cells + row * columns.length + column)}`;
      const options = { rows: rows.length, columns: columns.length, scale: "weight", rowNames: rows, columnNames: columns, label: `attention of head ${head + 1}` };
      return headed(head, heads, add(`looks ${head}`, options, { source: "looks", at: at + head * cells, words, number }));
    });
    return [titled("Where each word looks", each)];
  }

  /** @param {Layer} layer @param {string[]} names @param {(key: string, options: any, rest: any) => HTMLElement} add @param {[number, number, number]} largest */
  function layScores(layer, names, add, [, , score]) {
    if (!hasScores(layer)) return [];
    const { embedding, tokens: n } = sidesOf(layer);
    const number = (/** @type {number} */ share) => fixed(share * score);
    const name = (/** @type {number} */ i) => (embedding ? (names[i] ?? `token ${i}`) : `feature ${i}`);
    const maps = Array.from({ length: layer.heads }, (_, head) => {
      const words = (/** @type {number} */ row, /** @type {number} */ column) =>
        `${headName(head, layer.heads)}“${name(row)}” as a query scores ${number(now.scores[head * n * n + row * n + column])} with “${name(column)}” as a key`;
      const named = names.length && n <= MOST_NAMED && layer.heads === 1 ? Array.from({ length: n }, (_, i) => name(i)) : undefined;
      const options = { rows: n, columns: n, scale: "signed", rowNames: named, columnNames: named, room: 0, label: `scores of head ${head + 1}` };
      return headed(head, layer.heads, add(`scores ${head}`, options, { source: "scores", at: head * n * n, words, number }));
    });
    const [q, k] = [weightLetter("w_q"), weightLetter("w_k")];
    const formula = embedding
      ? ["Each token’s score with each: ", weightLetter("embedding"), " ", q, " ", k, "ᵀ ", weightLetter("embedding"), "ᵀ / √d"]
      : ["What the scores are made of: ", q, " ", k, "ᵀ / √d"];
    return [titled(make("span", {}, ...formula), maps)];
  }

  return { element, lay, show, wordsOf, mark, name: run.name };
}

/** A size that may be tiny: 0.21, 0.0034, 2e-7. @param {number} value */
const small = (value) => (value >= 0.1 ? fixed(value) : value >= 0.001 ? fixed(value, 4) : value.toExponential(0).replace("-", "−"));
/** @param {number} value */
const known = (value) => (Number.isFinite(value) ? value : null);
/** @param {string} name */
const nameOf = (name) => (name === "embedding" ? "E" : name.toUpperCase());
/** @param {number} head @param {number} heads */
const headName = (head, heads) => (heads > 1 ? `head ${head + 1}: ` : "");
/** @param {Node | string} title @param {HTMLElement[]} maps */
const titled = (title, maps) => make("div", { class: "rep-part" }, make("div", { class: "rep-title" }, title), make("div", { class: "rep-each" }, ...maps));
/** @param {number} head @param {number} heads @param {HTMLElement} map */
const headed = (head, heads, map) => make("div", { class: "rep-headed" }, ...(heads > 1 ? [make("div", { class: "rep-name" }, `head ${head + 1}`)] : []), map);

/** The loss curves. @param {Setup} setup */
function makeCurve({ runs }) {
  const paths = runs.map((_, i) => draw("path", { class: "rep-loss", "data-run": i }));
  const most = make("span", { class: "rep-most" });
  const cursor = make("b", { class: "rep-cursor" });
  const drawing = draw("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...paths);
  const element = make("div", { class: "rep-curve", title: "Click to jump to a step" }, drawing, most, make("span", { class: "rep-least" }, "0"), cursor);
  /** @param {Film[]} films @param {number} last */
  const lay = (films, last) => {
    const top = Math.max(...films.flatMap(({ losses }) => losses.map((loss) => loss ?? 0))) || 1;
    say(most, `loss ${fixed(top)}`);
    films.forEach(({ steps, losses }, i) => {
      let path = "";
      losses.forEach((loss, at) => {
        if (loss === null) return;
        path += `${path ? "L" : "M"}${((1000 * steps[at]) / (last || 1)).toFixed(1)} ${(98 - (94 * loss) / top).toFixed(1)}`;
      });
      set(paths[i], { d: path });
    });
  };
  /** @param {number} share */
  const show = (share) => {
    cursor.style.left = `${100 * share}%`;
  };
  return { element, lay, show };
}

/** @param {{ model: Model, el: HTMLElement }} given */
function render(given) {
  const { model } = given;
  /** @type {Setup} */
  const setup = model.get("setup");
  const { runs } = setup;
  const { root, gate, ended, unmount } = mount(given, "replay", "A training run, played back", answered);
  const announce = announcer(root, ended);

  /** @type {State} */
  const saved = model.get("state");
  let films = runs.map((run, i) => stillOf(run, saved, i));
  let loaded = false;
  let asked = false;
  let step = saved.step;
  const last = Math.max(...runs.map(({ curve: points }) => points[points.length - 1][0]));
  let playing = 0;
  let speed = SPEEDS.find((some) => last / some <= 12) ?? SPEEDS[SPEEDS.length - 1];
  let layer = 0;
  let example = 0;
  /** @type {null | [string, number, number]} */
  let pointed = null;
  /** @type {Inks | null} */
  let inks = null;

  const play = /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: "qkv-main rep-play", disabled: true }, "▶ Play"));
  const scrubber = /** @type {HTMLInputElement} */ (
    make("input", { type: "range", min: 0, max: last, step: "any", "aria-label": "step", disabled: true })
  );
  const where = make("span", { class: "rep-where" });
  const curve = makeCurve(setup);
  const words = make("p", { class: "rep-words" });
  const notice = make("p", { class: "rep-still", role: "status" });
  const views = runs.map((run, i) => makeRun(run, setup, i, point));
  const speeds = SPEEDS.filter((some) => last / some <= 200 && last / some >= 1);
  if (!speeds.includes(speed)) speeds.push(speed);
  const pace = choice("Speed", speeds.map((some) => `${some} steps a second`), speeds.indexOf(speed), (i) => { speed = speeds[i]; });
  const layers = choice("Layer", runs[0].layers.map(({ name }) => name), 0, (i) => { layer = i; lay(); });
  const examples = choice("Example", runs[0].examples.map(titleOf), 0, (i) => { example = i; lay(); });
  layers.hidden = runs[0].layers.length < 2;
  examples.hidden = runs[0].examples.length < 2 || runs[0].layers.every(({ looks }) => looks === null);
  root.prepend(
    make("div", { class: "rep-bar" }, play, where, pace, layers, examples),
    make("div", { class: "rep-track" }, curve.element, scrubber),
    notice,
    make("div", { class: "rep-runs", "data-count": runs.length }, ...views.map(({ element }) => element)),
    legend(setup),
    words,
  );

  function lay() {
    pointed = null;
    for (const view of views) view.lay(Math.min(layer, runs[0].layers.length - 1), example);
    show();
  }
  function show() {
    if (!root.isConnected) return;
    inks ??= readInks(root);
    const ink = inks;
    views.forEach((view, i) => {
      view.show(films[i], step, layer, ink);
      if (pointed) view.mark(...pointed);
    });
    curve.show(last ? step / last : 0);
    scrubber.value = String(step);
    set(scrubber, { "aria-valuetext": `step ${Math.round(step)} of ${last}` });
    say(where, `step ${Math.round(step)} of ${last}`);
    say(words, wordsNow());
  }
  function wordsNow() {
    if (!pointed) return "Point at a cell to read its number.";
    const [key, row, column] = pointed;
    const each = views.map((view) => `${views.length > 1 ? `${view.name}: ` : ""}${view.wordsOf(key, row, column)}`);
    return `${each.join(" · ")}.`;
  }
  /** @param {string} key @param {number | null} row @param {number} column */
  function point(key, row, column) {
    pointed = row === null ? null : [key, row, column];
    for (const view of views) view.mark(key, row, column);
    say(words, wordsNow());
    if (pointed && !playing) announce(wordsNow());
  }

  /** Stop at the nearest step that was kept, so that a picture at rest is never in between. @param {number} wanted */
  function rest(wanted) {
    stop();
    const near = stops().reduce((best, some) => (Math.abs(some - wanted) < Math.abs(best - wanted) ? some : best));
    step = near;
    show();
    announce(`step ${step} of ${last}. ${runs.map((run, i) => `${runs.length > 1 ? run.name : ""} loss ${fixed(films[i].losses[placeOf(films[i].steps, step)], 3)}`).join(", ")}`);
    if (loaded) model.set("state", { step, stills: views.map((_, i) => stillNow(films[i], step, runs[i].widths, STILL_BYTES / runs.length)) });
  }
  const stops = () => [...new Set(films.flatMap(({ frames }) => frames))].sort((one, other) => one - other);
  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    say(play, "▶ Play");
  }
  function start() {
    if (step >= last) step = 0;
    say(play, "❚❚ Pause");
    let before = performance.now();
    const frame = (/** @type {number} */ now) => {
      step = Math.min(step + (Math.max(now - before, 0) * speed) / 1000, last);
      before = now;
      if (step >= last) return rest(last);
      playing = requestAnimationFrame(frame);
      show();
    };
    playing = requestAnimationFrame(frame);
  }
  function answered() {
    if (!asked || loaded) return;
    say(notice, gate.busy ? "" : AGAIN);
    set(root, { "data-still": !gate.busy });
  }
  /** @param {any} _ @param {DataView[]} [buffers] */
  function receive(_, buffers) {
    if (loaded || !buffers?.length) return;
    loaded = true;
    const each = buffers.length / runs.length;
    films = runs.map((_run, i) => filmOf(buffers.slice(i * each, (i + 1) * each), setup.bits[i]));
    say(notice, "");
    set(root, { "data-still": false, "data-loaded": true });
    play.disabled = scrubber.disabled = false;
    curve.lay(films, last);
    show();
  }

  play.addEventListener("click", () => (playing ? rest(step) : start()));
  scrubber.addEventListener("input", () => { stop(); step = Number(scrubber.value); show(); });
  scrubber.addEventListener("change", () => rest(Number(scrubber.value)));
  scrubber.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [all, now] = [stops(), step];
    const at = placeOf(all, now);
    const far = event.shiftKey ? 10 : 1;
    const to = {
      ArrowRight: at + far, ArrowUp: at + far, ArrowLeft: at - far, ArrowDown: at - far,
      PageUp: at + 10, PageDown: at - 10, Home: 0, End: all.length - 1,
    }[event.key];
    if (event.key === " ") play.click();
    else if (to !== undefined) rest(all[Math.min(Math.max(to, 0), all.length - 1)]);
    else return;
    event.preventDefault();
  });
  let dragging = false;
  const jump = (/** @type {PointerEvent} */ event) => {
    const box = curve.element.getBoundingClientRect();
    stop();
    step = last * Math.min(Math.max((event.clientX - box.left) / box.width, 0), 1);
    show();
  };
  curve.element.addEventListener("pointerdown", (event) => {
    if (!loaded) return;
    curve.element.setPointerCapture(event.pointerId);
    dragging = true;
    jump(event);
  });
  curve.element.addEventListener("pointermove", (event) => dragging && jump(event));
  for (const name of ["pointerup", "pointercancel"])
    curve.element.addEventListener(name, () => { if (dragging) { dragging = false; rest(step); } });

  const watcher = new MutationObserver(() => { inks = null; show(); });
  watcher.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  const sizer = new ResizeObserver(show);
  sizer.observe(root);
  model.on("msg:custom", receive);
  ended.addEventListener("abort", () => {
    stop();
    watcher.disconnect();
    sizer.disconnect();
    model.off("msg:custom", receive);
  });

  curve.lay(films, last);
  lay();
  gate.ask({ do: "film" });
  asked = true;
  answered();
  return unmount;
}

/**
 * What to save of a frame: attention, and the numbers if there is room for them.
 * @param {Film} film @param {number} step @param {[number, number]} widths @param {number} room
 */
function stillNow(film, step, widths, room) {
  const parts = widths.map((width) => new Float32Array(width));
  sample(film, film.numbers, step, parts[0]);
  sample(film, film.looks, step, parts[1]);
  const [numbers, looks] = parts.map((part) =>
    btoa(String.fromCharCode(...new Uint8Array(Int8Array.from(part, (share) => (share === share ? Math.round(127 * share) : -128)).buffer))),
  );
  return { numbers: widths[0] + widths[1] <= room ? numbers : "", looks };
}

/** @param {string} name @param {string[]} options @param {number} chosen @param {(i: number) => void} choose */
function choice(name, options, chosen, choose) {
  const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": name }, ...options.map((text) => make("option", {}, text))));
  select.selectedIndex = chosen;
  select.addEventListener("change", () => choose(select.selectedIndex));
  return make("label", { class: "rep-choice" }, name, " ", select);
}

/** @param {[string[], string[]]} example */
function titleOf([rows, columns]) {
  const text = rows.length === 1 ? `${rows[0]}: ${columns.join(", ")}` : rows.join(" ");
  return text.length > 48 ? `${text.slice(0, 47)}…` : text;
}

/** What the colours mean. @param {Setup} setup */
function legend({ largest: [weight, gradient] }) {
  /** @param {string} name @param {string} kind @param {string} low @param {string} high */
  const bar = (name, kind, low, high) =>
    make("span", { class: "rep-key" }, `${name} `, make("span", {}, low), make("i", { class: `rep-${kind}` }), make("span", {}, high));
  const [w, g] = [fixed(weight), small(gradient)];
  return make("div", { class: "rep-legend" },
    bar("weights", "signed", `−${w}`, w), bar("gradients (roots)", "signed", `−${g}`, g), bar("attention", "weight", "0", "1"));
}

export default { render };
