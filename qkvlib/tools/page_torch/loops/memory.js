/*
 * Read and write tensors. Python owns the memory. A call passes an address, where whole numbers
 * describe each tensor: its dtype, its start, the number of dimensions, its sizes and its strides.
 * Reading returns a flat list of numbers, and writing stores one.
 */

/** @typedef {Uint8Array | Int32Array | Float32Array | Float64Array} Numbers */
/** @typedef {{ data: Numbers, dtype: Dtype, shape: number[], strides: number[], size: number }} Placed */
/** @typedef {{ values: Numbers, shape: number[] }} Flat  in the order of the indices */
/** @typedef {(typeof DTYPES)[number]} Dtype */

const EXACT = 2 ** 53 - 1; // beyond this a double does not represent every whole number
const MOST_BYTES = 2 ** 27; // for one tensor, as in Python; a view can repeat one number this often

/** Something that a kernel cannot do; Python reports it in torch's words. */
export class Refusal extends Error {
  /** @param {"whole" | "room" | "index"} kind @param {number[]} numbers */
  constructor(kind, ...numbers) {
    super([kind, ...numbers].join(" "));
  }
}

/**
 * In the order of Python's table. int64 is stored in doubles; a number that these cannot represent
 * exactly is refused.
 */
export const DTYPES = /** @type {const} */ ([
  { name: "bool", kind: "bool", array: Uint8Array },
  { name: "uint8", kind: "int", array: Uint8Array },
  { name: "int32", kind: "int", array: Int32Array },
  { name: "int64", kind: "int", array: Float64Array },
  { name: "float32", kind: "float", array: Float32Array },
  { name: "float64", kind: "float", array: Float64Array },
]);

/**
 * Return the tensors that a call describes.
 * @param {ArrayBuffer} memory @param {number} address @returns {Placed[]}
 */
export function tensorsAt(memory, address) {
  const words = new Int32Array(memory, address);
  let at = 0;
  const next = () => words[at++];
  return Array.from({ length: next() }, () => {
    const dtype = DTYPES[next()];
    const begin = next();
    const dims = next();
    const shape = Array.from({ length: dims }, next);
    const strides = Array.from({ length: dims }, next);
    const size = product(shape);
    const last = shape.reduce((sum, length, dim) => sum + (length - 1) * strides[dim], 0);
    const data = size ? new dtype.array(memory, begin, last + 1) : new dtype.array(0);
    return { data, dtype, shape, strides, size };
  });
}

/** @param {number[]} factors */
export const product = (factors) => factors.reduce((all, factor) => all * factor, 1);

/** @param {Placed} tensor */
function liesInOrder({ shape, strides }) {
  let step = 1;
  for (let dim = shape.length - 1; dim >= 0; dim--) {
    if (shape[dim] !== 1 && strides[dim] !== step) return false;
    step *= shape[dim];
  }
  return true;
}

/** Return the address of each number, in the order of the indices. @param {Placed} tensor */
function places({ shape, strides, size }) {
  const found = new Int32Array(size);
  let filled = Math.min(size, 1);
  // From the last dimension to the first: repeat what is there already for each further index.
  for (let dim = shape.length - 1; dim >= 0 && filled; dim--) {
    const before = filled;
    for (let index = 1; index < shape[dim]; index++) {
      const shift = index * strides[dim];
      for (let i = 0; i < before; i++) found[filled++] = found[i] + shift;
    }
  }
  return found;
}

/** @param {Placed} tensor @returns {Flat} */
export function read(tensor) {
  const { data, shape, size, dtype } = tensor;
  if (liesInOrder(tensor)) return { values: data, shape };
  const bytes = size * dtype.array.BYTES_PER_ELEMENT;
  if (bytes > MOST_BYTES) throw new Refusal("room", bytes);
  const values = new dtype.array(size);
  if (tensor.strides.every((stride, dim) => stride === 0 || shape[dim] === 1)) {
    values.fill(data[0]);
  } else {
    const from = places(tensor);
    for (let i = 0; i < size; i++) values[i] = data[from[i]];
  }
  return { values, shape };
}

/**
 * Write numbers to their addresses, converted to the dtype.
 * @param {Placed} to
 * @param {ArrayLike<number>} values
 */
export function write(to, values) {
  const fitting = fit(to.dtype, values);
  if (liesInOrder(to)) {
    to.data.set(fitting);
    return;
  }
  const places_ = places(to);
  for (let i = 0; i < to.size; i++) to.data[places_[i]] = fitting[i];
}

/** @param {Dtype} dtype @param {ArrayLike<number>} values @returns {ArrayLike<number>} */
function fit(dtype, values) {
  if (dtype.kind === "bool") return Uint8Array.from(values, (value) => (value !== 0 ? 1 : 0));
  if (dtype.kind === "int") return Float64Array.from(values, whole);
  return values;
}

/** @param {number} value */
function whole(value) {
  if (!(Math.abs(value) <= EXACT)) throw new Refusal("whole", value);
  return Math.trunc(value) + 0; // whole numbers have no -0
}
