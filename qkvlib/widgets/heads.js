/**
 * @typedef {object} Setup
 * @property {{ name: string, heads: number }[]} layers
 * @property {[string[], string[]][]} examples  the words that look, and those that are looked at
 * @property {boolean} of_itself  both are the same words
 * @property {boolean} can_silence
 * @property {null | { words: string, met_before: boolean }} goal
 *
 * @typedef {object} State
 * @property {number} example
 * @property {8 | 16} bits
 * @property {string} maps  all weights of the example, layer by layer, head by head
 * @property {[string, number][]} jobs
 * @property {[number, number][]} silenced
 * @property {number[]} before
 * @property {number[]} now
 * @property {{ met: boolean, share: number, words: string }} [goal]
 *
 * @typedef {{ rows: string[], columns: string[], weights: ArrayLike<number> }} Look
 * @typedef {{ side: "row" | "column", index: number }} Picked
 * @typedef {{ layer: number, head: number, name: string, job: number | null }} Place  A head, or a layer's mean.
 */

const [NARROWEST, WIDEST] = [320, 640];
const LETTER = 8.2;
const SHARE = 40; // room for a weight beside a word
const STEP = 26;
const FAINT = 0.02;

/** @param {State} state @returns {number[]} */
function unpack({ maps, bits }) {
  const { buffer } = Uint8Array.from(atob(maps), (letter) => letter.charCodeAt(0));
  const whole = bits === 16 ? new Uint16Array(buffer) : new Uint8Array(buffer);
  return Array.from(whole, (value) => value / (2 ** bits - 1));
}

/** The heads of all layers, and after each layer's the mean of several. @param {Setup} setup @returns {Place[]} */
function placesOf({ layers }) {
  let job = 0;
  return layers.flatMap(({ name, heads }, layer) => {
    const [prefix, alone] = layers.length > 1 ? [`${name}, `, name] : ["", "the head"];
    /** @type {Place[]} */
    const places = Array.from({ length: heads }, (_, head) => ({ layer, head, name: heads > 1 ? `${prefix}head ${head + 1}` : alone, job: job++ }));
    return heads > 1 ? [...places, { layer, head: -1, name: `${prefix}mean of heads`, job: null }] : places;
  });
}

/** The weights of a head, or the mean of a layer's. @param {Setup} setup @param {number[]} all @param {Place} place @param {number} size */
function weightsOf({ layers }, all, { layer, head }, size) {
  const start = layers.slice(0, layer).reduce((sum, { heads }) => sum + heads, 0) * size;
  if (head >= 0) return all.slice(start + head * size, start + (head + 1) * size);
  const { heads } = layers[layer];
  return Array.from({ length: size }, (_, i) => {
    let sum = 0;
    for (let h = 0; h < heads; h++) sum += all[start + h * size + i];
    return sum / heads;
  });
}

/** Where the words of two rows stand: across if there is room, else down. @param {Look} look @param {number} wide */
function twoRows({ rows, columns }, wide) {
  const longest = Math.max(...[...rows, ...columns].map((word) => word.length)) * LETTER + 14;
  const most = Math.max(rows.length, columns.length);
  if (most * longest <= wide) {
    const at = (/** @type {number} */ i, /** @type {number} */ count) => ((i + 0.5) * wide) / count;
    return {
      height: 230,
      query: (/** @type {number} */ i) => ({ x: at(i, rows.length), y: 32, textY: 20, anchor: "middle", textX: at(i, rows.length) }),
      key: (/** @type {number} */ j) => ({ x: at(j, columns.length), y: 198, textY: 218, anchor: "middle", textX: at(j, columns.length) }),
      curve: (/** @type {any} */ a, /** @type {any} */ b) => `M${a.x} ${a.y}C${a.x} ${a.y + 70} ${b.x} ${b.y - 70} ${b.x} ${b.y}`,
    };
  }
  const side = Math.min(longest, 0.375 * wide);
  const [left, right] = [side, wide - SHARE - side];
  const bend = 0.35 * (right - left);
  const y = (/** @type {number} */ i, /** @type {number} */ count) => ((i + 0.5) * most * STEP) / count + 6;
  return {
    height: most * STEP + 12,
    query: (/** @type {number} */ i) => ({ x: left, y: y(i, rows.length), textX: left - 8, textY: y(i, rows.length) + 5, anchor: "end" }),
    key: (/** @type {number} */ j) => ({ x: right, y: y(j, columns.length), textX: right + 8, textY: y(j, columns.length) + 5, anchor: "start" }),
    curve: (/** @type {any} */ a, /** @type {any} */ b) => `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`,
  };
}

/** Where the nodes of a graph stand, on a ring. @param {Look} look @param {number} wide */
function ring({ rows }, wide) {
  const [cx, cy, radius] = [wide / 2, 230, Math.min(170, wide / 2 - 80)];
  const angle = (/** @type {number} */ i) => (2 * Math.PI * i) / rows.length - Math.PI / 2;
  const at = (/** @type {number} */ i, r = radius) => ({ x: cx + r * Math.cos(angle(i)), y: cy + r * Math.sin(angle(i)) });
  const node = (/** @type {number} */ i) => {
    const [spot, word, side] = [at(i), at(i, radius + 34), Math.cos(angle(i))];
    return { ...spot, textX: word.x, textY: word.y + 5, anchor: side > 0.3 ? "start" : side < -0.3 ? "end" : "middle" };
  };
  /** From a key to the query that hears it, bent so that two ways do not lie on each other. @param {number} i @param {number} j */
  const curve = (i, j) => {
    if (i === j) {
      const [a, b] = [at(i, radius + 8), at(i, radius + 26)];
      const [dx, dy] = [(a.y - b.y) * 0.6, (b.x - a.x) * 0.6];
      return `M${a.x} ${a.y}C${b.x + dx} ${b.y + dy} ${b.x - dx} ${b.y - dy} ${a.x + dx * 0.3} ${a.y + dy * 0.3}`;
    }
    const [from, to] = [at(j), at(i)];
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const bend = { x: middle.x + (to.y - from.y) * 0.13, y: middle.y - (to.x - from.x) * 0.13 };
    const long = Math.hypot(to.x - bend.x, to.y - bend.y);
    const end = { x: to.x + ((bend.x - to.x) * 13) / long, y: to.y + ((bend.y - to.y) * 13) / long };
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  };
  return { height: 460, node, curve };
}

/**
 * The picture of one head: words and the edges between them.
 * @param {"lines" | "graph"} kind @param {Look} look @param {Picked | null} picked
 * @param {string} arrow @param {number} wide
 */
function drawEdges(kind, look, picked, arrow, wide) {
  const { rows, columns, weights } = look;
  const graph = kind === "graph" ? ring(look, wide) : null;
  const lines = twoRows(look, wide);
  /** @type {SVGElement[]} */
  const edges = [];
  rows.forEach((_, i) =>
    columns.forEach((__, j) => {
      const share = weights[i * columns.length + j];
      if (!share) return; // behind a mask there is no edge
      const away = picked && (picked.side === "row" ? picked.index !== i : picked.index !== j);
      edges.push(
        draw("path", {
          class: "heads-edge",
          d: graph ? graph.curve(i, j) : lines.curve(lines.query(i), lines.key(j)),
          "stroke-width": (0.8 + 6 * share).toFixed(2),
          opacity: away ? 0.03 : Math.max(share < FAINT ? 0.12 : 0.2, share).toFixed(3),
          "stroke-dasharray": share < FAINT ? "2 5" : null,
          "marker-end": graph && i !== j && share >= FAINT && !away ? `url(#${arrow})` : null,
        }),
      );
    }),
  );
  /** @param {"row" | "column"} side @param {string} word @param {number} index */
  const label = (side, word, index) => {
    const spot = graph ? graph.node(index) : side === "row" ? lines.query(index) : lines.key(index);
    const share = numberAt(look, picked, side, index, Boolean(graph));
    const mine = picked?.index === index && (graph || picked.side === side);
    const role = graph ? "" : side === "row" ? "qkv-query" : "qkv-key";
    const text = draw("text", { class: `heads-word ${role}`, x: spot.textX.toFixed(1), y: spot.textY.toFixed(1), "text-anchor": spot.anchor, "data-picked": mine }, word);
    if (share !== null) text.append(draw("tspan", { class: "heads-share" }, ` ${fixed(share)}`));
    const dot = draw("circle", { class: `heads-dot ${role}`, cx: spot.x.toFixed(1), cy: spot.y.toFixed(1), r: graph ? 8 : 3, "data-picked": mine });
    return draw("g", { class: "heads-node", "data-side": side, "data-index": index }, dot, text);
  };
  const words = rows.map((word, i) => label("row", word, i));
  if (!graph) words.push(...columns.map((word, j) => label("column", word, j)));
  return { height: graph ? graph.height : lines.height, parts: [...edges, ...words] };
}

/** The weight to write beside a word, when another is picked. @param {Look} look @param {Picked | null} picked @param {"row" | "column"} side @param {number} index @param {boolean} graph */
function numberAt({ columns, weights }, picked, side, index, graph) {
  if (!picked || (!graph && picked.side === side)) return null;
  return picked.side === "row" ? weights[picked.index * columns.length + index] : weights[index * columns.length + picked.index];
}

/** @param {Look} look @param {Picked | null} picked */
function inWords({ rows, columns, weights }, picked) {
  if (!picked) return "Point at a word to see its weights.";
  const looks = picked.side === "row";
  const others = (looks ? columns : rows).map((word, at) => ({
    word,
    share: looks ? weights[picked.index * columns.length + at] : weights[at * columns.length + picked.index],
  }));
  const told = others.filter(({ share }) => share >= 0.05).sort((one, other) => other.share - one.share);
  const missing = others.filter(({ share }) => !share).length;
  const list = told.map(({ word, share }) => `“${word}” ${fixed(share)}`).join(", ");
  const hidden = missing && looks ? ` ${missing} ${missing > 1 ? "words are" : "word is"} hidden from it.` : "";
  return looks
    ? `“${rows[picked.index]}” looks at ${list || "every word a little"}.${hidden}`
    : `“${columns[picked.index]}” is looked at by ${list || "nobody much"}.`;
}

/** @param {{ model: Model, el: HTMLElement }} given */
function render(given) {
  const { model } = given;
  /** @type {Setup} */
  const setup = model.get("setup");
  const { root, gate, ended, unmount } = mount(given, "heads", "Attention, head by head", show);
  const announce = announcer(root, ended);
  const places = placesOf(setup);
  const arrow = `arrow-${Math.random().toString(36).slice(2)}`;

  /** @type {"lines" | "map" | "graph"} */
  let kind = "lines";
  let chosen = 0;
  /** @type {Picked | null} */
  let picked = null;
  /** @type {Inks | null} */
  let inks = null;
  /** What the maps were made for. */
  let made = "";
  /** @type {ReturnType<typeof makeMap> | null} */
  let big = null;
  /** @type {ReturnType<typeof makeMap>[]} */
  let small = [];

  const strip = setup.goal && goalStrip(setup.goal);
  const kinds = /** @type {const} */ (["lines", "map", ...(setup.of_itself ? ["graph"] : [])]).map((name) => {
    const button = make("button", { type: "button" }, name[0].toUpperCase() + name.slice(1));
    button.addEventListener("click", () => { kind = /** @type {typeof kind} */ (name); picked = null; show(); });
    return { name, button };
  });
  const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": "Example" }, ...setup.examples.map((example) => make("option", {}, titleOf(example)))));
  select.addEventListener("change", () => { picked = null; gate.ask({ do: "example", choice: select.selectedIndex }); });
  const title = make("div", { class: "heads-title" });
  const svg = draw("svg", { class: "heads-edges", role: "img", tabindex: 0 });
  const mapBox = make("div", { class: "heads-map" });
  const words = make("p", { class: "heads-words" });
  const cards = places.map(makeCard);
  const hear = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Hear all heads"));
  hear.addEventListener("click", () => gate.ask({ do: "hear all" }));
  const answers = make("div", { class: "heads-answers", role: "status" });
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "heads-bar" },
      make("span", { class: "heads-kinds", role: "group", "aria-label": "How to show a head" }, ...kinds.map(({ button }) => button)),
      ...(setup.examples.length > 1 ? [make("label", {}, "Example ", select)] : []),
    ),
    make(
      "div",
      { class: "heads-body" },
      make("div", { class: "heads-main" }, title, svg, mapBox, words),
      make(
        "div",
        { class: "heads-side" },
        ...(setup.can_silence ? [make("div", { class: "heads-tested" }, answers, hear)] : []),
        make("div", { class: "heads-cards" }, ...cards.map(({ card }) => card)),
      ),
    ),
  );

  /** @param {Place} place @param {number} at */
  function makeCard(place, at) {
    const box = make("span", { class: "heads-small" });
    const job = make("span", { class: "heads-job" });
    const pick = make("button", { type: "button", class: "heads-pick" }, box, make("span", {}, make("strong", {}, place.name), job));
    pick.addEventListener("click", () => { chosen = at; show(); });
    const silence = /** @type {HTMLButtonElement} */ (make("button", { type: "button", class: "heads-silence" }, "Silence"));
    silence.addEventListener("click", () => gate.ask({ do: "silence", choice: [place.layer, place.head] }));
    const can = setup.can_silence && place.head >= 0;
    const card = make("div", { class: "heads-card" }, pick, ...(can ? [silence] : []));
    return { card, box, job, pick, silence };
  }

  /** @returns {State} */
  const present = () => model.get("state");
  /** @param {State} state @returns {Look} */
  function lookNow(state) {
    const [rows, columns] = setup.examples[state.example];
    return { rows, columns, weights: weightsOf(setup, unpack(state), places[chosen], rows.length * columns.length) };
  }

  function show() {
    if (!root.isConnected) return;
    inks ??= readInks(root);
    const state = present();
    const look = lookNow(state);
    select.selectedIndex = state.example;
    showCards(state, look, inks);
    for (const { name, button } of kinds) set(button, { "aria-pressed": String(name === kind) });
    const silent = state.silenced.some(([layer, head]) => layer === places[chosen].layer && head === places[chosen].head);
    say(title, `${places[chosen].name}${silent ? ", silenced" : ""}`);
    mapBox.hidden = kind !== "map";
    svg.style.display = kind === "map" ? "none" : "";
    if (kind === "map") big?.show(look.weights, 0, inks, (share) => fixed(share));
    else {
      // As many units as pixels, so that words keep their size.
      const wide = Math.min(Math.max(svg.clientWidth, NARROWEST), WIDEST);
      const { height, parts } = drawEdges(kind, look, picked, arrow, wide);
      set(svg, { viewBox: `0 0 ${wide} ${height}`, "aria-label": `${places[chosen].name}, ${kind}. Arrow keys go from word to word.` });
      svg.replaceChildren(draw("defs", {}, draw("marker", { id: arrow, viewBox: "0 0 8 8", refX: 4, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, draw("path", { d: "M0 0L8 4L0 8Z" }))), ...parts);
    }
    if (kind !== "map") say(words, inWords(look, picked));
    else if (!picked) say(words, "Point at a cell to read it.");
    showAnswers(state);
    if (strip && state.goal) strip.show(state.goal);
  }

  /** @param {State} state @param {Look} look @param {Inks} ink */
  function showCards(state, { rows, columns }, ink) {
    if (made !== `${state.example}`) {
      made = `${state.example}`;
      const options = { rows: rows.length, columns: columns.length, scale: /** @type {Scale} */ ("weight") };
      small = places.map(({ name }) => makeMap({ ...options, most: 0, label: name }));
      small.forEach(({ element }, i) => cards[i].box.replaceChildren(element));
      big = makeMap({ ...options, rowNames: rows, columnNames: columns, room: 560, label: "attention", point: pointCell, leave: () => { picked = null; big?.mark(null); show(); } });
      mapBox.replaceChildren(big.element);
    }
    const all = unpack(state);
    places.forEach((place, i) => {
      const { card, job, pick, silence } = cards[i];
      small[i].show(weightsOf(setup, all, place, rows.length * columns.length), 0, ink, String);
      const silent = state.silenced.some(([layer, head]) => layer === place.layer && head === place.head);
      set(card, { "data-silent": silent, "data-chosen": i === chosen });
      set(pick, { "aria-pressed": String(i === chosen) });
      say(silence, silent ? "Hear" : "Silence");
      set(silence, { "aria-label": `${silent ? "Hear" : "Silence"} ${place.name}` });
      if (place.job !== null) {
        const [name, score] = state.jobs[place.job];
        say(job, name === "no clear job" ? `no clear job (at most ${fixed(score)})` : `${name} ${fixed(score)}`);
      }
    });
  }

  /** @param {State} state */
  function showAnswers({ before, now, silenced }) {
    hear.disabled = !silenced.length;
    const lines = now.map((share, question) => {
      const name = now.length > 1 ? `question ${question + 1}` : "Right answers";
      const change = Math.abs(share - before[question]) >= 0.005 ? `${fixed(before[question])} → ${fixed(share)}` : fixed(share);
      return `${name}: ${change}`;
    });
    say(answers, (now.length > 1 ? "Right answers: " : "") + lines.join(" · "));
    set(answers, { "data-lost": now.some((share, question) => share < before[question] - 0.05) });
  }

  /** @param {number} row @param {number} column */
  function pointCell(row, column) {
    const { rows, columns, weights } = lookNow(present());
    picked = { side: "row", index: row };
    big?.mark(row, column);
    const share = weights[row * columns.length + column];
    const text = `“${rows[row]}” gives “${columns[column]}” the weight ${share ? fixed(share) : "0: it is hidden"}.`;
    say(words, text);
    announce(text);
  }
  /** @param {Picked | null} next */
  function pick(next) {
    if (next?.side === picked?.side && next?.index === picked?.index) return;
    picked = next;
    show();
    if (picked) announce(inWords(lookNow(present()), picked));
  }
  svg.addEventListener("pointermove", (event) => {
    const node = /** @type {Element} */ (event.target).closest(".heads-node");
    if (node) pick({ side: /** @type {any} */ (node.getAttribute("data-side")), index: Number(node.getAttribute("data-index")) });
  });
  svg.addEventListener("pointerleave", () => pick(null));
  svg.addEventListener("blur", () => pick(null));
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[/** @type {KeyboardEvent} */ (event).key];
    if (!by) return;
    event.preventDefault();
    const [rows, columns] = setup.examples[present().example];
    const count = rows.length + (kind === "graph" ? 0 : columns.length);
    const at = picked ? picked.index + (picked.side === "row" ? 0 : rows.length) : by > 0 ? -1 : count;
    const next = (at + by + count) % count;
    pick(next < rows.length ? { side: "row", index: next } : { side: "column", index: next - rows.length });
  });

  const watcher = new MutationObserver(() => { inks = null; show(); });
  watcher.observe(root, { attributes: true, attributeFilter: ["data-theme"] });
  const sizer = new ResizeObserver(show);
  sizer.observe(root);
  ended.addEventListener("abort", () => { watcher.disconnect(); sizer.disconnect(); });
  show();
  return unmount;
}

/** @param {[string[], string[]]} example */
function titleOf([rows, columns]) {
  const text = rows.length === 1 ? `${rows[0]}: ${columns.join(", ")}` : rows.join(" ");
  return text.length > 48 ? `${text.slice(0, 47)}…` : text;
}

export default { render };
