/** 32 bits of a text: FNV-1a over its UTF-16 code units, started by `seed`. Not cryptographic. */
export function hashText(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  // FNV leaves the low bits of short texts alike: spread them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x45d9f3b)
  return (hash ^ (hash >>> 15)) >>> 0
}
