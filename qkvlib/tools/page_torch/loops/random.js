/*
 * Random numbers, drawn as torch draws them on a CPU: the Mersenne twister, and the same steps from
 * its words to uniform and normal numbers. So the same seed gives the same cases.
 */

/** @import { Placed } from "./memory.js" */

const N = 624;
const M = 397;

/** The state is N words, followed by how many of them have been used. */
class Twister {
  /** @param {Float64Array} state  the words, the count, and a normal number that is left over, if any */
  constructor(state) {
    this.state = state;
  }

  word() {
    const { state } = this;
    if (state[N] >= N) this.#refill();
    let y = state[state[N]++];
    y ^= y >>> 11;
    y ^= (y << 7) & 0x9d2c5680;
    y ^= (y << 15) & 0xefc60000;
    y ^= y >>> 18;
    return y >>> 0;
  }

  #refill() {
    const { state } = this;
    for (let i = 0; i < N; i++) {
      const y = (state[i] & 0x80000000) | (state[(i + 1) % N] & 0x7fffffff);
      state[i] = (state[(i + M) % N] ^ (y >>> 1) ^ (y & 1 ? 0x9908b0df : 0)) >>> 0;
    }
    state[N] = 0;
  }

  /** Draw from 0 to just below 1, in steps of 2^-53: the first word is the upper half. */
  double() {
    const upper = this.word();
    const lower = this.word();
    return ((upper & 0x1fffff) * 2 ** 32 + lower) * 2 ** -53;
  }

  /** Draw from 0 to just below 1, in steps of 2^-24. */
  float() {
    return (this.word() & 0xffffff) * 2 ** -24;
  }

  /** Draw uniform numbers of this dtype. @param {string} dtype @returns {number} */
  uniform(dtype) {
    return dtype === "float64" ? this.double() : this.float();
  }

  /** Normal numbers are made in pairs, and the second one is kept for the next call. */
  normal() {
    const { state } = this;
    if (state[N + 1]) {
      state[N + 1] = 0;
      return state[N + 2];
    }
    const angle = 2 * Math.PI * this.double();
    const radius = Math.sqrt(-2 * Math.log1p(-this.double()));
    state[N + 1] = 1;
    state[N + 2] = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }
}

/**
 * Turn sixteen uniform numbers into normal ones: the first eight and the last eight form pairs.
 * @param {Float64Array} block
 */
function becomeNormal(block) {
  for (let i = 0; i < 8; i++) {
    const radius = Math.sqrt(-2 * Math.log(1 - block[i]));
    const angle = 2 * Math.PI * block[i + 8];
    block[i] = radius * Math.cos(angle);
    block[i + 8] = radius * Math.sin(angle);
  }
}

/** @typedef {(state: Float64Array, out: Placed, numbers: number[]) => Float64Array} Draw */

/** @type {Record<string, Draw>} */
export const random = {
  seed(state, _, [seed]) {
    state[0] = seed % 2 ** 32;
    for (let i = 1; i < N; i++) {
      const last = state[i - 1] ^ (state[i - 1] >>> 30);
      state[i] = (Math.imul(1812433253, last) + i) >>> 0;
    }
    state.set([N, 0, 0], N);
    return state.slice(0, 1);
  },
  uniform(state, { size, dtype }) {
    const twister = new Twister(state);
    return new Float64Array(size).map(() => twister.uniform(dtype.name));
  },
  normal(state, { size, dtype }) {
    const twister = new Twister(state);
    const made = new Float64Array(size);
    if (size < 16) return made.map(() => twister.normal());
    for (let i = 0; i < size; i++) made[i] = twister.uniform(dtype.name);
    for (let i = 0; i + 16 <= size; i += 16) becomeNormal(made.subarray(i, i + 16));
    if (size % 16) {
      const last = made.subarray(size - 16);
      for (let i = 0; i < 16; i++) last[i] = twister.uniform(dtype.name);
      becomeNormal(last);
    }
    return made;
  },
  integers(state, { size }, [low, range]) {
    const twister = new Twister(state);
    const made = new Float64Array(size);
    for (let i = 0; i < size; i++) {
      if (range < 2 ** 32) made[i] = low + (twister.word() % range);
      else made[i] = low + Math.floor(twister.double() * range);
    }
    return made;
  },
  permutation(state, { size }) {
    const twister = new Twister(state);
    const made = Float64Array.from({ length: size }, (_, i) => i);
    for (let i = 0; i < size - 1; i++) {
      const other = i + (twister.word() % (size - i));
      [made[i], made[other]] = [made[other], made[i]];
    }
    return made;
  },
};
