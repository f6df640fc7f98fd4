/* The slot of a key: CRC16 (XMODEM) of the key, or of its hash tag, modulo 16384. */

import type { Wire } from "./driver.ts"

const SLOTS = 16_384

export function clusterSlot(key: Wire): number {
  const bytes = tagOf(
    typeof key === "string" ? Buffer.from(key) : Buffer.from(key.buffer, key.byteOffset, key.byteLength),
  )
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff
  }
  return crc % SLOTS
}

/** What stands between the first `{` and the next `}`, unless that is nothing. */
function tagOf(key: Buffer): Buffer {
  const open = key.indexOf("{")
  if (open < 0) return key
  const close = key.indexOf("}", open + 1)
  return close > open + 1 ? key.subarray(open + 1, close) : key
}
