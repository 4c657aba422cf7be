/* Choose how large each kind of map may be, so that a replay fits one window at any width. */

/**
 * @typedef {object} Room
 * @property {number} matrix  the height of a matrix
 * @property {number} side  the size of a map of scores
 * @property {number} abreast  how many of these stand side by side
 * @property {number} looks  the width of attention
 * @property {number} scores  the width of a row of scores with their names
 * @property {boolean} stacked  whether attention stands above the scores, and not beside them
 */

const WIDE = 800; // pixels, from which two runs are side by side; as in replay.css
const ROOMY = 960; // pixels, from which two runs need not save room
const [BETWEEN_RUNS, BETWEEN_PARTS, BETWEEN_MAPS] = [28, 24, 10];
const BELOW = 0.385; // of a single run's width: what has to be free beside the matrices
const NARROWEST = 200; // pixels, for attention beside scores
const MOST_ABREAST = 4;
const TITLE = 190; // pixels, above the scores

/**
 * @param {number} width  of the whole widget
 * @param {number} runs
 * @param {number} heads
 * @param {boolean} square  whether many words look, and not one
 * @param {number} names  the width of the names beside scores
 * @returns {Room}
 */
export function roomFor(width, runs, heads, square, names) {
  const wide = width >= WIDE;
  const own = wide ? (width - BETWEEN_RUNS) * (runs > 1 ? 0.5 : BELOW) : width;
  const [matrix, most] = wide
    ? runs > 1
      ? width < ROOMY
        ? [76, 100]
        : [84, heads > 1 ? 112 : 192]
      : [112, heads > 1 || square ? 140 : 192]
    : runs > 1
      ? [64, 112]
      : [68, 120];
  const abreast = Math.min(heads, MOST_ABREAST);
  const room = own - names - (abreast - 1) * BETWEEN_MAPS;
  const side = Math.floor(Math.min(most, room / abreast));
  const scores = Math.max(own - room + abreast * side, TITLE);
  const beside = own - scores - BETWEEN_PARTS;
  const stacked = (wide && (runs === 1 || heads > 1)) || beside < NARROWEST;
  return { matrix, side, abreast, looks: stacked ? own : beside, scores, stacked };
}

/**
 * Return the names at the side of a map: all of them, or, if they would overlap, only every second
 * or fourth and so on.
 * @param {string[]} names
 * @param {number} length  of the side, in pixels
 * @param {number} each  how much of it a name needs
 */
export function thinned(names, length, each) {
  let stride = 1;
  while (stride * length < each * names.length) stride *= 2;
  return names.map((name, i) => (i % stride ? "" : name));
}
