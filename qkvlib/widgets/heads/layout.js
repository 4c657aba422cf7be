/* Place the words of a picture: in two rows, in two columns, or on a ring. */

/**
 * @typedef {{ rows: string[], columns: string[], weights: ArrayLike<number> }} Look
 *
 * @typedef {object} Spot  Where a word stands, and its dot.
 * @property {number} x
 * @property {number} y
 * @property {number} textX
 * @property {number} textY
 * @property {string} anchor
 * @property {{ x: number, y: number, anchor: string }} [share]  its weight, if not right behind it
 * @property {number} [most]  so many letters fit
 * @property {number} [turned]  by so many degrees
 *
 * @typedef {object} Frame  The room there is, and how large the words are.
 * @property {number} wide
 * @property {number} tall
 */

const LETTER = 8.2; // pixels, for one letter at a font size of 14
const SHARE = 38; // pixels, for a weight
const LEAST_STEP = 12; // pixels between the baselines of words in a column
const APART = 30; // pixels from a node of the graph to its word
const SMALLEST_RING = 60; // a word that would need a smaller ring is cut short
const MOST_UPRIGHT = 10; // with more words around a ring, they are rotated outwards
const LONGEST_TURNED = 8; // how many letters of a rotated word must fit

/**
 * Return the preferred height of a picture with this many words, for every way of drawing it.
 * @param {Look} look @param {number} wide @param {boolean} graph
 */
export function wishedHeight(look, wide, graph) {
  const most = Math.max(look.rows.length, look.columns.length);
  const least = graph ? Math.min(320 + 10 * Math.max(most - 5, 0), 420) : 280;
  return across(look, wide) ? least : Math.min(Math.max(26 * most + 12, least), 460);
}

/** Tell whether the words fit side by side. @param {Look} look @param {number} wide */
function across({ rows, columns }, wide) {
  const longest = Math.max(...[...rows, ...columns].map((word) => word.length)) * LETTER + 14;
  return Math.max(rows.length, columns.length) * Math.max(longest, SHARE - 3) <= wide;
}

/**
 * Place the words in two rows if they fit, and otherwise in two columns.
 * @param {Look} look
 * @param {Frame} frame
 */
export const twoRows = (look, frame) =>
  across(look, frame.wide) ? besideEachOther(look, frame) : belowEachOther(look, frame);

/** @param {Look} look @param {Frame} frame */
function besideEachOther({ rows, columns }, { wide, tall }) {
  /** @param {number} i @param {number} count @param {number[]} heights @returns {Spot} */
  const spot = (i, count, [y, textY, shareY]) => {
    const x = ((i + 0.5) * wide) / count;
    const share = { x, y: shareY, anchor: "middle" };
    return { x, y, textX: x, textY, anchor: "middle", share };
  };
  return {
    height: tall,
    size: 14,
    sides: ["upper", "lower"],
    /** @param {number} i */
    query: (i) => spot(i, rows.length, [48, 38, 20]),
    /** @param {number} j */
    key: (j) => spot(j, columns.length, [tall - 48, tall - 29, tall - 12]),
    /** @param {Spot} a @param {Spot} b */
    curve: (a, b) => {
      const bend = 0.42 * (b.y - a.y);
      return `M${a.x} ${a.y}C${a.x} ${a.y + bend} ${b.x} ${b.y - bend} ${b.x} ${b.y}`;
    },
  };
}

/** @param {Look} look @param {Frame} frame */
function belowEachOther({ rows, columns }, { wide, tall }) {
  const most = Math.max(rows.length, columns.length);
  const step = Math.max((tall - 12) / most, LEAST_STEP);
  const size = step < 20 ? 12 : 14;
  const letter = (LETTER * size) / 14;
  const [asks, answers] = shared(
    [rows, columns].map((words) => Math.max(...words.map((word) => word.length)) * letter + 14),
    0.75 * wide,
  );
  const [left, right] = [asks, wide - SHARE - answers];
  const bend = 0.35 * (right - left);
  const y = (/** @type {number} */ i, /** @type {number} */ count) => ((i + 0.5) * most * step) / count + 6;
  /** @param {number} x @param {number} y @param {1 | -1} way  outwards @param {number} room @returns {Spot} */
  const spot = (x, y, way, room) => ({
    ...{ x, y, textX: x + 8 * way, textY: y + 4 },
    anchor: way === 1 ? "start" : "end",
    most: Math.floor((room - 8) / letter),
  });
  return {
    height: Math.max(most * step + 12, tall),
    size,
    sides: ["left", "right"],
    /**
     * The weight is on the far side of the dot, because there is no room between the word and the
     * dot.
     * @param {number} i @returns {Spot}
     */
    query: (i) => {
      const word = spot(left, y(i, rows.length), -1, asks);
      return { ...word, share: { x: left + 9, y: word.textY, anchor: "start" } };
    },
    /** @param {number} j */
    key: (j) => spot(right, y(j, columns.length), 1, answers),
    /** @param {Spot} a @param {Spot} b */
    curve: (a, b) => `M${a.x} ${a.y}C${a.x + bend} ${a.y} ${b.x - bend} ${b.y} ${b.x} ${b.y}`,
  };
}

/**
 * Divide the available space between two parts that may both want more than half.
 * @param {number[]} wishes
 * @param {number} room
 */
function shared([one, other], room) {
  const first = Math.min(one, Math.max(room / 2, room - other));
  return [first, Math.min(other, room - first)];
}

/**
 * Place the nodes of a graph on a ring that leaves room for each word and its weight.
 * @param {Look} look
 * @param {Frame} frame
 */
export function ring(look, frame) {
  const { wide, tall } = frame;
  const circle = circleOf(look, frame);
  const { side, turned, letter, apart, radius, at } = circle;
  /** @param {number} i @returns {Spot} */
  const node = (i) => {
    const word = at(i, radius + apart);
    const long = turned
      ? tall / 2 - 6 - radius - apart
      : (wide / 2 - 6 - Math.abs(word.x - wide / 2)) / outwards(side(i));
    const behind = side(i) < -0.001;
    return {
      ...at(i, radius),
      textX: word.x,
      textY: word.y + (turned ? 0 : 5),
      anchor: !turned && outwards(side(i)) < 1 ? "middle" : behind ? "end" : "start",
      most: Math.floor((long - SHARE) / letter),
      turned: turned ? (circle.angle(i) * 180) / Math.PI + (behind ? 180 : 0) : undefined,
    };
  };
  return { height: tall, size: circle.size, node, curve: curveAlong(circle) };
}

/**
 * Return how much of a label extends outwards from its place.
 * @param {number} side  the cosine of its angle
 */
const outwards = (side) => (Math.abs(side) > 0.3 ? 1 : 0.5);

/** @typedef {ReturnType<typeof circleOf>} Circle */

/** Return the size of the ring, and how its words are written. @param {Look} look @param {Frame} frame */
function circleOf({ rows, columns, weights }, { wide, tall }) {
  const angle = (/** @type {number} */ i) => (2 * Math.PI * i) / rows.length - Math.PI / 2;
  const side = (/** @type {number} */ i) => Math.cos(angle(i));
  const many = rows.length > MOST_UPRIGHT;
  const turned = many && rows.some((word) => word.length > 3);
  const size = many ? 12 : 14;
  const letter = turned ? 6.8 : (size * 9.5) / 14; // a picked word is bold, and may be wider
  const loop = many ? 8 : 12; // the radius of the loop from a node to itself
  const loops = rows.some((_, i) => weights[i * columns.length + i] > 0);
  const apart = loops ? 2 * loop + (turned ? 8 : 18) : turned ? 14 : APART;
  /** How far from the centre a label may extend, in each direction. @param {number} i */
  const room = (i) => (turned ? tall / 2 - 6 : (wide / 2 - 6) / Math.max(Math.abs(side(i)), 0.01));
  const widest = rows.map((word, i) => {
    const long = Math.min(word.length, turned ? LONGEST_TURNED : Infinity) * letter + SHARE;
    const steep = Math.max(Math.abs(side(i)), 0.01);
    const beside = turned ? long : (outwards(side(i)) * long) / steep;
    return Math.min(room(i) - beside, tall / 2 - 16) - apart;
  });
  const radius = Math.max(Math.min(170, ...widest), SMALLEST_RING);
  /** @param {number} i @param {number} r */
  const at = (i, r) => ({
    x: wide / 2 + r * Math.cos(angle(i)),
    y: tall / 2 + r * Math.sin(angle(i)),
  });
  return { angle, side, turned, size, letter, loop, apart, radius, at };
}

/**
 * Draw a curve from a key to the query that attends to it, bent so that opposite edges do not
 * overlap.
 * @param {Circle} circle
 */
function curveAlong({ loop, radius, at }) {
  return (/** @type {number} */ i, /** @type {number} */ j) => {
    if (i === j) {
      const [near, far] = [at(i, radius + 5), at(i, radius + 5 + 2 * loop)];
      const arc = `A${loop} ${loop} 0 0 1`;
      return `M${near.x} ${near.y}${arc} ${far.x} ${far.y}${arc} ${near.x} ${near.y}`;
    }
    const [from, to] = [at(j, radius), at(i, radius)];
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const bend = { x: middle.x + (to.y - from.y) * 0.13, y: middle.y - (to.x - from.x) * 0.13 };
    const long = Math.hypot(to.x - bend.x, to.y - bend.y);
    const end = {
      x: to.x + ((bend.x - to.x) * 13) / long,
      y: to.y + ((bend.y - to.y) * 13) / long,
    };
    return `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}`;
  };
}
