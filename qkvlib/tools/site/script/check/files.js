/*
 * Load the large files that Python needs: once, with a progress count, and stored in the browser.
 */

const CACHE = "qkvlib-python";

/** A file could not be loaded: its server cannot be reached, or it is not there. */
export class NotLoaded extends Error {}

/** @typedef {string} Address  where a file lies, packed by gzip */
/** @typedef {{ loaded: number, total: number }} Loading  bytes of all files; none when Python starts */
/** @typedef {(now: Loading) => void} Tell */

/**
 * Return the browser's cache, or null: a private window may have none, and neither does a page
 * without https.
 * @returns {Promise<Cache | null>}
 */
async function store() {
  try {
    return await caches.open(CACHE);
  } catch {
    return null;
  }
}

/**
 * Return these files as responses. Take each from the cache if it is there; otherwise fetch it and
 * store it in the cache.
 * @param {Record<string, Address>} files @param {Tell} tell @returns {Promise<Record<string, Response>>}
 */
export async function load(files, tell) {
  const cache = await store();
  let total = 0;
  let loaded = 0;
  const found = Object.entries(files).map(async ([name, address]) => {
    const kept = await cache?.match(address);
    if (kept) return [name, kept];
    const came = await fetch(address).catch(() => null);
    if (!came?.ok || !came.body) throw new NotLoaded(address);
    total += Number(came.headers.get("Content-Length"));
    const counted = came.body.pipeThrough(
      new TransformStream({
        transform(chunk, on) {
          loaded += chunk.length;
          tell({ loaded, total });
          on.enqueue(chunk);
        },
      }),
    );
    const plain = counted.pipeThrough(new DecompressionStream("gzip"));
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    const bytes = await new Response(plain).blob().catch(() => {
      throw new NotLoaded(address); // the connection broke off
    });
    const response = new Response(bytes, { headers: { "Content-Type": type } });
    await keep(address, response.clone());
    return [name, response];
  });
  return Object.fromEntries(await Promise.all(found));
}

/** Return what is cached under this address, or undefined. @param {string} address */
export async function kept(address) {
  const response = await (await store())?.match(address);
  return response && new Uint8Array(await response.arrayBuffer());
}

/**
 * Cache something, if there is a cache with room in it.
 * @param {string} address
 * @param {Response} response
 */
export async function keep(address, response) {
  try {
    await (await store())?.put(address, response);
  } catch {
    // The cache is full. Everything works without it, but takes longer the next time.
  }
}

/** Delete what an earlier version of the site cached. @param {string[]} addresses those that stay */
export async function keepOnly(addresses) {
  const cache = await store();
  const stays = new Set(addresses.map((address) => new URL(address, location.href).href));
  for (const request of (await cache?.keys()) ?? [])
    if (!stays.has(request.url)) await cache?.delete(request);
}

export const canKeep = async () => (await store()) !== null;
