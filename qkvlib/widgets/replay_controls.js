/* What stands around the maps: the loss curve, selects, and what the colours mean. */

/** A size that may be tiny, in two digits: 0.21, 0.034, 0.0034, 2e-7. @param {number} value */
const small = (value) => (value >= 0.001 ? fixed(value, value >= 0.1 ? 2 : value >= 0.01 ? 3 : 4) : value.toExponential(0).replace("-", "−"));

/** The loss curves. @param {ReplaySetup} setup */
function makeCurve({ runs }) {
  const paths = runs.map((_, i) => draw("path", { class: "rep-loss", "data-run": i }));
  const most = make("span");
  const cursor = make("b", { class: "rep-cursor" });
  const drawing = draw("svg", { viewBox: "0 0 1000 100", preserveAspectRatio: "none", "aria-hidden": "true" }, ...paths);
  const element = make("div", { class: "rep-curve", title: "Click to jump to a step" },
    drawing, make("div", { class: "rep-axis" }, most, make("span", {}, "loss"), make("span", {}, "0")), cursor);
  /** @param {Film[]} films @param {number} last */
  const lay = (films, last) => {
    const top = Math.max(...films.flatMap(({ losses }) => losses.map((loss) => loss ?? 0))) || 1;
    say(most, fixed(top, top < 100 ? 2 : 0));
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

/** @param {string} name @param {string[]} options @param {number} chosen @param {(i: number) => void} choose */
function choice(name, options, chosen, choose) {
  const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": name }, ...options.map((text) => make("option", {}, text))));
  select.selectedIndex = chosen;
  select.addEventListener("change", () => choose(select.selectedIndex));
  return make("label", { class: "rep-choice" }, name, " ", select);
}

/** What the colours mean. @param {ReplaySetup} setup */
function legend({ runs, largest: [weight, gradient, score] }) {
  /** @param {string} name @param {string} kind @param {string} low @param {string} high */
  const bar = (name, kind, low, high) =>
    make("span", { class: "rep-key" }, `${name} `, make("span", {}, low), make("i", { class: `rep-${kind}` }), make("span", {}, high));
  const [w, g, s] = [fixed(weight), small(gradient), fixed(score)];
  const scored = runs.some(({ layers }) => layers.some(hasScores));
  return make("div", { class: "rep-legend" },
    bar("weights", "signed", `−${w}`, w),
    bar("gradients (small ones shown stronger)", "signed", `−${g}`, g),
    bar("attention", "weight", "0", "1"),
    ...(scored ? [bar("scores", "signed", `−${s}`, s)] : []));
}
