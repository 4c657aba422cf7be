/**
 * @typedef {[number, number]} Point
 *
 * @typedef {object} Setup
 * @property {string[]} names
 * @property {string} function  the learner's own similarity, or ""
 * @property {null | { words: string, touch: string[], keep_lengths: boolean, met_before: boolean }} goal
 *
 * @typedef {object} State
 * @property {Point} query
 * @property {Point[]} keys
 * @property {number} limit
 * @property {number} query_length
 * @property {number[]} lengths
 * @property {(number | null)[]} angles
 * @property {(number | null)[]} cosines
 * @property {(number | null)[]} scores
 * @property {(number | null)[]} weights
 * @property {string} error
 * @property {number} undo
 * @property {{ met: boolean, share: number, words: string }} [goal]
 */

const SIDE = 400;
const STEP = 0.05;

/** @param {Point} point */
const lengthOf = ([x, y]) => Math.hypot(x, y);

/** @param {Point} point @param {number} degrees @returns {Point} */
function turned([x, y], degrees) {
  const angle = (degrees * Math.PI) / 180;
  return [
    x * Math.cos(angle) - y * Math.sin(angle),
    x * Math.sin(angle) + y * Math.cos(angle),
  ];
}

/** @param {Point} point @param {number} length @returns {Point} */
function withLength([x, y], length) {
  const scale = length / (Math.hypot(x, y) || 1);
  return [x * scale, y * scale];
}

/** @param {Point} point */
const direction = ([x, y]) => (Math.atan2(y, x) * 180) / Math.PI;

/** A point of the plane in the drawing's units. @param {Point} point @param {number} limit */
const place = ([x, y], limit) => [
  SIDE / 2 + (x * SIDE) / 2 / limit,
  SIDE / 2 - (y * SIDE) / 2 / limit,
];

/** @param {number[][]} points */
const path = (...points) => "M" + points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");

/**
 * The drawing. `show` is a function of what it is given alone.
 * @param {string[]} names
 */
function makePlane(names) {
  const positive = draw("rect", { class: "vec-positive", y: -SIDE, width: SIDE, height: 2 * SIDE });
  const negative = draw("rect", { class: "vec-negative", x: -SIDE, y: -SIDE, width: SIDE, height: 2 * SIDE });
  const sides = draw("g", {}, positive, negative);
  const grid = draw("g", { class: "vec-grid" });
  const zero = draw("path", { class: "vec-zero" });
  const ray = draw("path", { class: "vec-ray" });
  const held = draw("circle", { class: "vec-held", cx: SIDE / 2, cy: SIDE / 2 });
  const shadow = draw("path", { class: "vec-shadow" });
  const drop = draw("path", { class: "vec-drop" });
  const arc = draw("path", { class: "vec-arc" });
  const arcText = draw("text", { class: "vec-arc-text" });
  const arrows = ["q", ...names].map((name, i) => {
    const line = draw("path", { class: "vec-line" });
    const head = draw("path", { class: "vec-head" });
    const label = draw("text", { class: "vec-label" }, name);
    const grip = draw("circle", { class: "vec-grip", r: 9 });
    const group = draw("g", { class: i ? "vec-arrow qkv-key" : "vec-arrow qkv-query" }, line, head, grip, label);
    const tip = draw("circle", {
      class: "vec-tip",
      r: 18,
      tabindex: 0,
      role: "slider",
      "aria-roledescription": "arrow tip",
      "aria-label": i ? `key ${name}` : "query q",
      "aria-valuemin": -180,
      "aria-valuemax": 180,
    });
    return { group, line, head, label, grip, tip };
  });
  const [first, ...rest] = arrows.map((arrow) => arrow.group);
  const svg = draw(
    "svg",
    { class: "vec-plane", viewBox: `0 0 ${SIDE} ${SIDE}`, role: "group", "aria-label": "The plane" },
    sides, grid, zero, ray, held, shadow, drop, arc, arcText, ...rest, first,
    ...arrows.map((arrow) => arrow.tip),
  );
  let gridLimit = 0;

  /**
   * @param {State} state
   * @param {{ picked: number, pinned: boolean[], holding: number | null }} hand
   */
  const show = (state, { picked, pinned, holding }) => {
    const { limit, query } = state;
    const middle = [SIDE / 2, SIDE / 2];
    if (limit !== gridLimit) {
      grid.replaceChildren(...gridLines(limit));
      gridLimit = limit;
    }
    const turn = -direction(query);
    const hasDirection = lengthOf(query) > 0;
    set(sides, { transform: `translate(${SIDE / 2} ${SIDE / 2}) rotate(${turn.toFixed(2)})` });
    sides.style.display = zero.style.display = ray.style.display = hasDirection ? "" : "none";
    const far = withLength(query, 3 * limit);
    const back = /** @type {Point} */ ([-far[0], -far[1]]);
    set(ray, { d: path(place(back, limit), place(far, limit)) });
    set(zero, { d: path(place(turned(far, 90), limit), place(turned(far, -90), limit)) });
    set(held, { r: holding === null ? 0 : (holding * SIDE) / 2 / limit });
    showShadow(state, picked, { shadow, drop });
    showAngle(state, picked, { arc, arcText });
    [query, ...state.keys].forEach((point, i) => {
      const { group, line, head, label, grip, tip } = arrows[i];
      const [x, y] = place(point, limit);
      const length = Math.hypot(x - SIDE / 2, y - SIDE / 2);
      const along = length ? [(x - SIDE / 2) / length, (y - SIDE / 2) / length] : [0, -1];
      const size = Math.min(13, length);
      const neck = [x - along[0] * size, y - along[1] * size];
      const wing = [-along[1] * size * 0.42, along[0] * size * 0.42];
      set(line, { d: path(middle, neck) });
      set(head, {
        d: `${path([x, y], [neck[0] + wing[0], neck[1] + wing[1]], [neck[0] - wing[0], neck[1] - wing[1]])}Z`,
      });
      // The query's letter steps aside, away from the shadow's right angle and the key in hand.
      const [ahead, aside] = i || !length ? [21, 0] : [4, 19 * farSide(state, picked)];
      const labelX = Math.min(Math.max(x + along[0] * ahead - along[1] * aside, 14), SIDE - 14);
      const labelY = Math.min(Math.max(y + along[1] * ahead + along[0] * aside + 5, 16), SIDE - 6);
      set(label, { x: labelX.toFixed(1), y: labelY.toFixed(1) });
      set(grip, { cx: x, cy: y });
      set(tip, {
        cx: x,
        cy: y,
        "aria-valuenow": Math.round(direction(point)),
        "aria-valuetext": spoken(state, i),
        "aria-readonly": pinned[i] ? "true" : null,
      });
      set(group, { "data-picked": i === picked + 1, "data-pinned": pinned[i] });
    });
  };
  return { svg, tips: arrows.map((arrow) => arrow.tip), show };
}

/** The side of the query away from the key in hand, as a sign. @param {State} state @param {number} picked */
function farSide({ query, keys }, picked) {
  return query[0] * keys[picked][1] - query[1] * keys[picked][0] < 0 ? -1 : 1;
}

/** @param {number} limit */
function gridLines(limit) {
  const unit = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500].find((size) => limit / size <= 5) ?? 1000;
  const parts = [];
  for (let n = -Math.floor(limit / unit); n <= limit / unit; n++) {
    const [x] = place([n * unit, 0], limit);
    const kind = n === 0 ? "vec-axis" : null;
    parts.push(draw("path", { class: kind, d: `M${x} 0V${SIDE}M0 ${x}H${SIDE}` }));
    if (n === 0 || Math.abs(n * unit) > 0.95 * limit) continue;
    const number = fixed(n * unit, unit < 1 ? 1 : 0);
    parts.push(draw("text", { x, y: SIDE / 2 + 13, "text-anchor": "middle" }, number));
    parts.push(draw("text", { x: SIDE / 2 - 5, y: SIDE - x + 4, "text-anchor": "end" }, number));
  }
  return parts;
}

/**
 * The projection of the key in hand on the query's line: signed, it is length times cosine.
 * @param {State} state @param {number} picked
 * @param {{ shadow: SVGElement, drop: SVGElement }} parts
 */
function showShadow({ query, keys, limit }, picked, { shadow, drop }) {
  const key = keys[picked];
  const size = lengthOf(query);
  shadow.style.display = drop.style.display = size ? "" : "none";
  if (!size) return;
  const amount = (key[0] * query[0] + key[1] * query[1]) / size;
  const foot = place(withLength(query, amount), limit);
  set(shadow, { d: path([SIDE / 2, SIDE / 2], foot), "data-sign": amount < 0 ? "minus" : "plus" });
  const tip = place(key, limit);
  const apart = Math.hypot(tip[0] - foot[0], tip[1] - foot[1]);
  const inward = Math.hypot(foot[0] - SIDE / 2, foot[1] - SIDE / 2);
  let corner = "";
  if (apart > 16 && inward > 16) {
    const up = [((tip[0] - foot[0]) / apart) * 8, ((tip[1] - foot[1]) / apart) * 8];
    const home = [((SIDE / 2 - foot[0]) / inward) * 8, ((SIDE / 2 - foot[1]) / inward) * 8];
    corner = path(
      [foot[0] + up[0], foot[1] + up[1]],
      [foot[0] + up[0] + home[0], foot[1] + up[1] + home[1]],
      [foot[0] + home[0], foot[1] + home[1]],
    );
  }
  set(drop, { d: path(tip, foot) + corner });
}

/**
 * @param {State} state @param {number} picked
 * @param {{ arc: SVGElement, arcText: SVGElement }} parts
 */
function showAngle({ query, keys, limit }, picked, { arc, arcText }) {
  const key = keys[picked];
  const shown = lengthOf(query) > 0 && lengthOf(key) > 0;
  arc.style.display = arcText.style.display = shown ? "" : "none";
  if (!shown) return;
  const from = direction(query);
  const sweep = ((direction(key) - from + 540) % 360) - 180;
  const radius = (34 * 2 * limit) / SIDE;
  /** @param {number} share @param {number} size */
  const at = (share, size) => place(turned([size, 0], from + share * sweep), limit);
  const steps = Array.from({ length: 25 }, (_, i) => at(i / 24, radius));
  set(arc, { d: path(...steps) });
  // A narrow angle has no room for its number: that stands beside it, behind the key.
  const middle = Math.abs(sweep) > 32 ? 0.5 : 1 + Math.sign(sweep || 1) * 20 / (sweep || 1);
  const [x, y] = at(middle, 1.45 * radius);
  set(arcText, { x: x.toFixed(1), y: (y + 4).toFixed(1) });
  say(arcText, `${Math.abs(sweep).toFixed(0)}°`);
}

/** What a screen reader says of an arrow. @param {State} state @param {number} i */
function spoken(state, i) {
  const [x, y] = i ? state.keys[i - 1] : state.query;
  const where = `x ${fixed(x)}, y ${fixed(y)}`;
  if (!i) return `${where}, length ${fixed(state.query_length)}`;
  const k = i - 1;
  return (
    `${where}, length ${fixed(state.lengths[k])}, score ${fixed(state.scores[k])}, ` +
    `angle ${fixed(state.angles[k], 0)} degrees, weight ${fixed(state.weights[k])}`
  );
}

/** @param {string} text @param {string} role */
const letter = (text, role) => make("span", { class: `qkv-letter qkv-${role}` }, text);

/**
 * The numbers beside the plane.
 * @param {Setup} setup
 */
function makeTable({ names, function: own }) {
  const score = own ? [`${own}(q, k)`] : [letter("q", "query"), " · ", letter("k", "key")];
  /** @param {...(Node | string)} text */
  const head = (...text) => make("th", { scope: "col" }, ...text);
  const queryCells = [make("td"), make("td")];
  const rows = names.map((name) => {
    const cells = Array.from({ length: 4 }, () => make("td"));
    const scoreText = make("span");
    const scoreBar = make("i");
    const weightText = make("span");
    const weightBar = make("i");
    const row = make(
      "tr",
      {},
      make("th", { scope: "row" }, letter(name, "key")),
      ...cells,
      make("td", { class: "vec-score" }, scoreText, make("b", {}, scoreBar)),
      make("td", { class: "vec-weight" }, weightText, make("b", {}, weightBar)),
    );
    return { row, cells, scoreText, scoreBar, weightText, weightBar };
  });
  const table = make(
    "table",
    { class: "vec-table" },
    make(
      "thead",
      {},
      make(
        "tr",
        {},
        make("td"),
        head("x, y"),
        head("length"),
        head("angle"),
        head("cosine"),
        head(...score),
        head("weight"),
      ),
    ),
    make(
      "tbody",
      {},
      make("tr", { class: "vec-query-row" }, make("th", { scope: "row" }, letter("q", "query")), ...queryCells, make("td", { colspan: 4 })),
      ...rows.map(({ row }) => row),
    ),
  );
  let reach = 1; // the longest score bar; it only grows, so that bars do not jump under the hand

  /** @param {State} state @param {number} picked */
  const show = (state, picked) => {
    say(queryCells[0], `${fixed(state.query[0])}, ${fixed(state.query[1])}`);
    say(queryCells[1], fixed(state.query_length));
    const most = Math.max(...state.weights.map((weight) => weight ?? 0));
    reach = Math.max(reach, ...state.scores.map((number) => Math.abs(number ?? 0)));
    rows.forEach(({ row, cells, scoreText, scoreBar, weightText, weightBar }, i) => {
      const number = state.scores[i];
      const weight = state.weights[i];
      say(cells[0], `${fixed(state.keys[i][0])}, ${fixed(state.keys[i][1])}`);
      say(cells[1], fixed(state.lengths[i]));
      say(cells[2], state.angles[i] === null ? "–" : `${fixed(state.angles[i], 0)}°`);
      say(cells[3], fixed(state.cosines[i]));
      say(scoreText, fixed(number));
      say(weightText, fixed(weight));
      const size = (50 * Math.abs(number ?? 0)) / reach;
      scoreBar.style.width = `${size}%`;
      scoreBar.style.left = `${(number ?? 0) < 0 ? 50 - size : 50}%`;
      set(scoreBar, { "data-sign": (number ?? 0) < 0 ? "minus" : "plus" });
      weightBar.style.width = `${100 * (weight ?? 0)}%`;
      set(row, { "data-picked": i === picked, "data-most": most > 0 && weight === most });
    });
  };
  return { table, rows: rows.map(({ row }) => row), show };
}

/**
 * The arithmetic of the key in hand, with its numbers.
 * @param {Setup} setup @param {State} state @param {number} picked
 * @returns {{ lines: (Node | string)[][], words: string }}
 */
function byHand({ names, function: own }, state, picked) {
  const q = () => letter("q", "query");
  const k = () => letter(names[picked], "key");
  const score = fixed(state.scores[picked]);
  if (state.error) return { lines: [], words: state.error };
  if (own) return { lines: [[`${own}(`, q(), ", ", k(), `) = ${score}`]], words: "" };
  const [x, y] = state.query;
  const [a, b] = state.keys[picked];
  const sum = `${fixed(x)} × ${fixed(a)} + ${fixed(y)} × ${fixed(b)}`;
  const rounded = [x, y, a, b].map((number) => Number(number.toFixed(2)));
  const shown = rounded[0] * rounded[2] + rounded[1] * rounded[3];
  const sign = Math.abs(shown - (state.scores[picked] ?? 0)) < 0.005 ? "=" : "≈";
  const lines = [[q(), " · ", k(), ` = ${sum} ${sign} ${score}`]];
  const angle = state.angles[picked];
  if (angle === null) {
    const empty = lengthOf(state.query) ? names[picked] : "q";
    return { lines, words: `${empty} has no length, so it points nowhere: there is no angle, and the dot product is 0.` };
  }
  const lengths = [fixed(state.query_length), fixed(state.lengths[picked])];
  const cosine = state.cosines[picked] ?? 0;
  lines.push([
    "= |", q(), "| × |", k(), `| × cos ${fixed(angle, 0)}° ≈ ${lengths[0]} × ${lengths[1]} × ${fixed(cosine)}`,
  ]);
  const amount = fixed(state.lengths[picked] * cosine);
  const times = `times q’s length ${lengths[0]}, that is ${score}.`;
  const name = names[picked];
  if (Math.abs(cosine) < 0.005) {
    return { lines, words: `At a right angle ${name} casts no shadow on q, and the dot product is 0.` };
  }
  const words =
    cosine > 0
      ? `${name}’s shadow on q is ${amount} long; ${times}`
      : `${name}’s shadow falls behind q, so it counts as ${amount}; ${times}`;
  return { lines, words };
}

/** @param {{ model: Model, el: HTMLElement }} given */
function render(given) {
  const { model } = given;
  /** @type {Setup} */
  const setup = model.get("setup");
  const { names, goal } = setup;
  const { root, gate, ended, unmount } = mount(given, "vectors", "Vectors in the plane", show);

  const plane = makePlane(names);
  const table = makeTable(setup);
  const lines = make("div", { class: "vec-lines" });
  const words = make("p", { class: "vec-words" });
  const hold = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox" }));
  const undo = /** @type {HTMLButtonElement} */ (make("button", { type: "button" }, "Undo"));
  const reset = make("button", { type: "button" }, "Reset");
  const strip = goal && goalStrip(goal);
  const announce = announcer(root, ended);
  root.prepend(
    ...(strip ? [strip.strip] : []),
    make(
      "div",
      { class: "vec-body" },
      plane.svg,
      table.table,
      make(
        "div",
        { class: "vec-side" },
        make("div", { class: "vec-hand" }, lines, words),
        make(
          "div",
          { class: "vec-tools" },
          make("label", {}, hold, " Hold lengths, only turn"),
          make("span", { class: "vec-buttons" }, undo, reset),
        ),
        make(
          "p",
          { class: "vec-help" },
          "Drag a tip. Or press Tab to reach it: arrow keys move it, [ and ] turn it, with Shift ten times as far.",
        ),
      ),
    ),
  );

  let picked = 0;
  let gesture = 0;
  /** The tip that the hand moved last. @type {number | null} */
  let moved = null;
  /** What the hand has moved and the kernel has not answered yet. @type {Record<string, Point>} */
  let ahead = {};
  /** @type {null | { tip: number, length: number }} */
  let dragging = null;

  /** @returns {State} */
  function present() {
    /** @type {State} */
    const state = model.get("state");
    if (!gate.busy && dragging === null) ahead = {};
    return {
      ...state,
      query: ahead.query ?? state.query,
      keys: state.keys.map((key, i) => ahead[i] ?? key),
    };
  }

  /** The goal's rules hold until it is met. @param {State} state */
  function rules(state) {
    const bound = goal !== null && !state.goal?.met;
    return {
      lengths: bound && goal.keep_lengths,
      /** @param {number} tip */
      pinned: (tip) => bound && !goal.touch.includes(tip ? "keys" : "query"),
    };
  }

  function show() {
    const state = present();
    const { lengths, pinned } = rules(state);
    const focused = plane.tips.findIndex((tip) => tip === document.activeElement);
    const turning = dragging?.tip ?? focused;
    const point = turning < 0 ? null : turning ? state.keys[turning - 1] : state.query;
    plane.show(state, {
      picked,
      pinned: plane.tips.map((_, tip) => pinned(tip)),
      holding: point && (hold.checked || lengths) && !pinned(turning) ? lengthOf(point) : null,
    });
    table.show(state, picked);
    const hand = byHand(setup, state, picked);
    lines.replaceChildren(...hand.lines.map((line) => make("p", {}, ...line)));
    say(words, hand.words);
    set(words, { "data-error": Boolean(state.error) });
    if (lengths) hold.checked = true;
    hold.disabled = lengths;
    undo.disabled = !state.undo;
    if (strip && state.goal) strip.show(state.goal);
    if (moved !== null) announce(`${moved ? names[moved - 1] : "q"}: ${spoken(state, moved)}`);
  }

  /** @param {number} tip */
  function pick(tip) {
    if (tip) picked = tip - 1;
    show();
  }

  /** @param {number} tip @returns {Point} */
  const pointOf = (tip) => {
    const state = present();
    return tip ? state.keys[tip - 1] : state.query;
  };

  /** @param {number} tip @param {Point} wish @param {number} length  kept when lengths are held */
  function move(tip, wish, length) {
    const state = present();
    /** @type {Point} */
    let point;
    if (hold.checked) {
      if (!lengthOf(wish)) return;
      point = withLength(wish, length);
    } else {
      const inside = lengthOf(wish) > state.limit ? withLength(wish, state.limit) : wish;
      point = [Math.round(100 * inside[0]) / 100, Math.round(100 * inside[1]) / 100];
    }
    const name = tip ? String(tip - 1) : "query";
    ahead[name] = point;
    moved = tip;
    gate.edit({ [name]: point }, gesture);
    show();
  }

  /** @param {PointerEvent} event @returns {Point} */
  function under(event) {
    const box = plane.svg.getBoundingClientRect();
    const { limit } = present();
    return [
      (2 * (event.clientX - box.left) / box.width - 1) * limit,
      (1 - 2 * (event.clientY - box.top) / box.height) * limit,
    ];
  }

  plane.tips.forEach((element, tip) => {
    element.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      element.focus({ preventScroll: true });
      if (event.button !== 0 || rules(present()).pinned(tip)) return;
      element.setPointerCapture(event.pointerId);
      gesture += 1;
      dragging = { tip, length: lengthOf(pointOf(tip)) };
    });
    element.addEventListener("pointermove", (event) => {
      if (dragging?.tip === tip) move(tip, under(event), dragging.length);
    });
    element.addEventListener("lostpointercapture", () => {
      dragging = null;
      show();
    });
    element.addEventListener("focus", () => pick(tip));
    element.addEventListener("blur", show);
    element.addEventListener("keydown", (event) => {
      const point = pointOf(tip);
      const wish = wished(event, point, hold.checked);
      if (!wish || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (rules(present()).pinned(tip)) return;
      if (!event.repeat) gesture += 1;
      move(tip, wish, lengthOf(point));
    });
  });
  table.rows.forEach((row, i) => row.addEventListener("click", () => pick(i + 1)));
  hold.addEventListener("change", show);
  undo.addEventListener("click", () => gate.ask({ do: "undo" }));
  reset.addEventListener("click", () => gate.ask({ do: "reset" }));

  show();
  return unmount;
}

/**
 * Where a key press wants a tip to go, or null when the key means nothing here.
 * @param {KeyboardEvent} event @param {Point} point @param {boolean} turning
 * @returns {Point | null}
 */
function wished(event, [x, y], turning) {
  const far = event.shiftKey ? 10 : 1;
  const turns = { "[": 1, "]": -1, "{": 10, "}": -10 }[event.key];
  if (turns) return turned([x, y], turns);
  const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (!by) return null;
  if (turning) return turned([x, y], far * (by[1] - by[0]));
  return [x + STEP * far * by[0], y + STEP * far * by[1]];
}

export default { render };
