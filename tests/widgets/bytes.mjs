// Encode bytes as text in JSON: { "bytes": base64 }.
export const read = (_, value) =>
  value?.bytes === undefined
    ? value
    : new DataView(Uint8Array.from(Buffer.from(value.bytes, "base64")).buffer);

export const write = (_, value) =>
  value instanceof DataView
    ? { bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64") }
    : value;
