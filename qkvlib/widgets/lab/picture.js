/* Where the matrices stand, and the lines between them. */

/** The matrices in reading order. @param {Setup} setup */
function makeMatrices(setup) {
  const { tokens, sizes } = setup;
  /** @type {Record<string, ReturnType<typeof makeMatrix>>} */
  const matrices = {};
  /** @param {string} name @param {Partial<Parameters<typeof makeMatrix>[2]>} [options] */
  const add = (name, options = {}) => {
    matrices[name] = makeMatrix(name, setup, { cellRole: "gridcell", ...options });
  };
  /** @param {...(Node | string)} parts */
  const says = (...parts) => [make("span", { class: "lab-says" }, ...parts)];
  add("x", { rowNames: tokens });
  for (const name of WEIGHT_NAMES) add(name, { cellRole: "spinbutton" });
  for (const role of ["q", "k", "v"]) add(role);
  add("scores", {
    rowNames: tokens,
    colNames: tokens,
    cellRole: "checkbox",
    caption: setup.function
      ? says(`inside ${setup.function}`)
      : says("= ", symbol("q"), symbol("k", true), ` / √${sizes.q[1]}`),
  });
  add("weights", {
    rowNames: tokens,
    colNames: tokens,
    caption: setup.function ? says(`from ${setup.function}`) : says("= softmax(", symbol("scores"), ")"),
  });
  add("output", {
    rowNames: tokens,
    caption: setup.function ? says(`from ${setup.function}`) : says("= ", symbol("weights"), " ", symbol("v")),
  });
  if (sizes.target) add("target", { caption: says("target") });
  return matrices;
}

/**
 * The two halves of the picture: X times the weights, then the scores and what follows from them.
 * @param {ReturnType<typeof makeMatrices>} matrices @param {HTMLElement[]} beside
 */
function equation({ x, scores, weights, output, target, ...others }, beside) {
  /** @param {string} text */
  const sign = (text) => make("span", { class: "lab-sign", "aria-hidden": true }, text);
  const products = ["q", "k", "v"].flatMap((role, row) => {
    const line = [sign("×"), others[`w_${role}`].box, sign("="), others[role].box];
    line.forEach((part, column) => (part.style.gridArea = `${row + 1} / ${column + 2}`));
    return line;
  });
  const left = make("div", { class: "lab-left" }, x.box, ...products);
  const right = make("div", { class: "lab-right" }, scores.box, weights.box, output.box);
  if (target) right.append(target.box);
  if (beside.length) right.append(make("div", { class: "lab-side" }, ...beside));
  return [left, right];
}

/**
 * The lines between the matrices, drawn from where they stand.
 * @param {HTMLElement} picture @param {Record<string, ReturnType<typeof makeMatrix>>} matrices
 */
function makeWires(picture, matrices) {
  const svg = draw("svg", { class: "lab-wires", "aria-hidden": true });
  const pairs = [["x", "w_q"], ["x", "w_k"], ["x", "w_v"], ["q", "scores"], ["k", "scores"], ["scores", "weights"], ["weights", "output"], ["v", "output"]];
  const wires = pairs.map(([from, to]) => ({ from, to, path: draw("path", { "data-role": NAMES[from].role ?? null }) }));
  svg.append(...wires.map(({ path }) => path));
  /** @param {boolean} backwards  arrows lead from the output to X */
  const place = (backwards) => {
    const home = picture.getBoundingClientRect();
    set(svg, { width: home.width, height: home.height });
    for (const { from, to, path } of wires) {
      const a = gridBox(matrices[from], home);
      const b = gridBox(matrices[to], home);
      const gap = b.left - a.right;
      if (Math.abs(b.left - a.left) < 40 || gap < 12) {
        const down = b.headTop - a.foot;
        set(path, { d: down > 4 && down < 60 ? arrow([[b.middle, a.foot + 1], [b.middle, b.headTop - 1]], backwards) : "" });
        continue;
      }
      // K comes from below to the foot of the scores; X fans out to the signs before the weights.
      const y = from === "x" ? b.centre : Math.min(Math.max(a.centre, b.top + 8), b.bottom - 8);
      set(path, { d: arrow([[a.right + 4, a.centre], [b.left - (from === "x" && !backwards ? 20 : 4), y]], backwards) });
    }
  };
  return { svg, wires, place };
}

/** @param {ReturnType<typeof makeMatrix>} matrix @param {DOMRect} home */
function gridBox({ box, cells }, home) {
  const section = box.getBoundingClientRect();
  const first = cells[0][0].cell.getBoundingClientRect();
  const lastRow = cells[cells.length - 1];
  const last = lastRow[lastRow.length - 1].cell.getBoundingClientRect();
  return {
    left: section.left - home.left,
    right: last.right - home.left,
    top: first.top - home.top,
    bottom: last.bottom - home.top,
    centre: (first.top + last.bottom) / 2 - home.top,
    middle: (first.left + last.right) / 2 - home.left,
    headTop: section.top - home.top,
    foot: section.bottom - home.top,
  };
}

/** A curve with a head at its end, or at its start. @param {number[][]} ends @param {boolean} backwards */
function arrow([[x, y], [a, b]], backwards) {
  const flat = Math.abs(a - x) > 1;
  const bend = (a - x) / 2;
  const line = flat ? `M${x} ${y}C${x + bend} ${y} ${a - bend} ${b} ${a} ${b}` : `M${x} ${y}L${a} ${b}`;
  const [tipX, tipY, way] = backwards ? [x, y, 5] : [a, b, -5];
  const [dx, dy] = flat ? [way, 4] : [4, way];
  return line + (flat
    ? `M${tipX + dx} ${tipY - dy}L${tipX} ${tipY}L${tipX + dx} ${tipY + dy}`
    : `M${tipX - dx} ${tipY + dy}L${tipX} ${tipY}L${tipX + dx} ${tipY + dy}`);
}

const [LEAST, MOST] = [31, 58]; // pixels of a cell's side
const COLUMN_LETTER = 6.4; // pixels a letter below a column
const SLOPE = Math.sin((35 * Math.PI) / 180);

/** Choose the layout and the cells' size for the room there is. @param {HTMLElement} root @param {Setup} setup @param {boolean} trained */
function fit(root, { sizes, tokens }, trained) {
  const width = root.clientWidth - 8;
  if (width <= 0) return;
  const [, d] = sizes.x;
  const [, dK] = sizes.q;
  const [, dV] = sizes.v;
  const w = Math.max(dK, dV);
  const longest = Math.max(...tokens.map((token) => token.length));
  const name = Math.min(longest * 7.6, 96) + 12;
  const leftColumns = d + 2 * w;
  const rightColumns = Math.max(tokens.length, dV);
  // What is not cells: names, signs, the roles' lines, the gap for the wires, and the loss.
  const wideRoom = width - 2 * name - 144 - (trained ? 206 : 0);
  const wide = wideRoom / (leftColumns + rightColumns) - 2;
  const layout = wide >= LEAST ? "wide" : "narrow";
  const cell = layout === "wide" ? wide : Math.min(
    (width - name - 100) / leftColumns - 2,
    (width - 2 * name - 40) / (2 * rightColumns) - 2,
  );
  const side = Math.floor(Math.min(Math.max(cell, LEAST), MOST));
  const along = longest * COLUMN_LETTER;
  const slanted = along > side; // below a narrow column a long name has room only aslant
  set(root, { "data-layout": layout, "data-slanted": slanted });
  root.style.setProperty("--cell", `${side}px`);
  root.style.setProperty("--names", `${Math.ceil(name)}px`);
  root.style.setProperty("--foot", `${slanted ? Math.ceil(along * SLOPE) + 12 : 18}px`);
}
