/** Something that a kernel cannot do; Python reports it in torch's words. */
export class Refusal extends Error {
  /** @param {"whole" | "room" | "index" | "unknown"} kind @param {number[]} numbers */
  constructor(kind, ...numbers) {
    super([kind, ...numbers].join(" "));
  }
}
