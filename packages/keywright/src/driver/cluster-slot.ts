/* The slot of a key: CRC16 (XMODEM) of the key, or of its hash tag, modulo 16384. Every
 * call to a cluster computes one, so it is a table over character codes: no copy of the
 * key is made unless it has characters beyond ASCII. */

import { CRC16 as TABLE, CRC16_1, CRC16_2, CRC16_3, SLOTS } from "../slots/crc16.ts"
import type { Wire } from "./driver.ts"

export { SLOTS }

const ASCII = 0x7f
const OPEN = 0x7b
const CLOSE = 0x7d

export function clusterSlot(key: Wire): number {
  return typeof key === "string" ? slotOfText(key) : slotOfBytes(key)
}

function slotOfText(key: string): number {
  const { length } = key
  let crc = 0
  let i = 0
  // Four at a time, as long as there is no brace and nothing beyond ASCII.
  for (; i + 3 < length; i += 4) {
    const a = key.charCodeAt(i)
    const b = key.charCodeAt(i + 1)
    const c = key.charCodeAt(i + 2)
    const d = key.charCodeAt(i + 3)
    if ((a | b | c | d) > ASCII || a === OPEN || b === OPEN || c === OPEN || d === OPEN) break
    crc = CRC16_3[(crc >>> 8) ^ a]! ^ CRC16_2[(crc & 0xff) ^ b]! ^ CRC16_1[c]! ^ TABLE[d]!
  }
  for (; i < length; i++) {
    const code = key.charCodeAt(i)
    if (code === OPEN) return slotOfTag(key, i + 1)
    if (code > ASCII) return slotOfBytes(Buffer.from(key))
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ code]!
  }
  return crc & (SLOTS - 1)
}

/** For a key whose first brace is before `from`: what is between it and the next closing brace counts, if there is any. */
function slotOfTag(key: string, from: number): number {
  const to = key.indexOf("}", from)
  if (to <= from) return slotOfBytes(Buffer.from(key))
  let crc = 0
  for (let i = from; i < to; i++) {
    const code = key.charCodeAt(i)
    if (code > ASCII) return slotOfBytes(Buffer.from(key))
    crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ code]!
  }
  return crc & (SLOTS - 1)
}

function slotOfBytes(key: Uint8Array): number {
  let from = 0
  let to = key.length
  const open = key.indexOf(OPEN)
  if (open >= 0) {
    const close = key.indexOf(CLOSE, open + 1)
    if (close > open + 1) {
      from = open + 1
      to = close
    }
  }
  let crc = 0
  for (let i = from; i < to; i++) crc = ((crc << 8) & 0xffff) ^ TABLE[(crc >>> 8) ^ key[i]!]!
  return crc & (SLOTS - 1)
}
