/* The numbers on the page: written, coloured, and lit where they belong together. */

/**
 * @typedef {object} Shown  what the picture shows now
 * @property {string} view
 * @property {(name: string) => boolean} showsGradient
 * @property {(name: string) => boolean} movable
 */

/** @param {Setup} setup @param {Record<string, ReturnType<typeof makeMatrix>>} matrices */
function makePainter(setup, matrices) {
  /** Scales only grow, so that colours do not jump under the hand. @type {Record<string, number>} */
  const reach = {};

  /** @param {ReturnType<typeof makeMatrix>} matrix @param {Book} book @param {Shown} look */
  function paint(matrix, book, { view, showsGradient, movable }) {
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
    const [before, after] = [book.at(name, i, j), next].map((value) => fixed(value, digits));
    const way = `${slope > 0 ? "↓" : "↑"}${before === after ? "" : after}`;
    say(mark, still ? "stays" : Math.abs(next) > setup.limit ? "too far" : way);
    // The root of the share: what is a hundredth of the steepest can still be seen.
    tint(mark, slope < 0 ? "minus" : "plus", 0.8 * Math.sqrt(far));
  }

  return {
    /** @param {Book} book @param {Shown} look */
    paint: (book, look) => Object.values(matrices).forEach((matrix) => paint(matrix, book, look)),
    /** Write one number before the kernel has answered. @param {Place} place @param {number} value */
    preview({ name, i, j }, value) {
      const { cell, number } = matrices[name].cells[i][j];
      say(number, fixed(value, decimalsFor(reach[name] ?? 1)));
      set(cell, { "aria-valuenow": value });
    },
  };
}

/**
 * Light what a cell comes from and what it feeds.
 * @param {Setup} setup @param {HTMLElement} picture @param {Record<string, ReturnType<typeof makeMatrix>>} matrices
 * @param {ReturnType<typeof makeWires>} wires @param {ReturnType<typeof makeWalk>} walk
 */
function makeLights(setup, picture, matrices, { wires }, walk) {
  /** @param {Book} book @param {string} view @param {Place | null} place */
  return (book, view, place) => {
    const backward = view === "backward";
    const stage = backward ? walk.stage(book, place) : null;
    const spoken = stage ? stage.place : place;
    let from = /** @type {Lines[]} */ ([]);
    let to = from;
    let far = from;
    if (stage) from = gradientSources(stage.place);
    else if (place && view === "gradients") from = inside(setup, place.name) ? [] : gradientSources(place);
    else if (place) {
      from = [...sources(place), ...partners(place)];
      to = readers(place);
      far = reached(place);
    }
    const lit = Boolean(place) && !backward;
    set(picture, { "data-lit": lit });
    for (const { name, cells, box } of Object.values(matrices)) {
      if (backward) set(box, { "data-found": walk.found(name), "data-reads": walk.reads(name), "data-result": walk.result() === name });
      cells.forEach((row, i) => row.forEach(({ cell }, j) => {
        const here = { name, i, j };
        const self = spoken !== null && spoken.name === name && spoken.i === i && spoken.j === j;
        const light = self ? "self" : covers(from, here) ? "from" : covers(to, here) ? "to" : covers(far, here) ? "far" : null;
        set(cell, { "data-light": light });
      }));
    }
    const touched = [place?.name, ...[...from, ...to, ...far].map(([name]) => name)];
    for (const { from: a, to: b, path } of wires) {
      const on = backward ? a === walk.result() : lit && touched.includes(a) && touched.includes(b);
      set(path, { "data-on": on });
    }
  };
}
