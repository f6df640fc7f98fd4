/* CRC16 (XMODEM): what Redis Cluster finds the slot of a key by. */

/** How many slots a cluster has. */
export const SLOTS = 16_384

/** By the byte that leaves the register. */
export const CRC16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc & 0xffff
})

const ASCII = 0x7f

/* What a byte does to the register when one, two and three more bytes follow it: so four
 * bytes are looked up at once, independently of each other. */
const after = (table: Uint16Array): Uint16Array => table.map((crc) => ((crc << 8) & 0xffff) ^ CRC16[crc >>> 8]!)
export const CRC16_1 = after(CRC16)
export const CRC16_2 = after(CRC16_1)
export const CRC16_3 = after(CRC16_2)

/** The checksum of a text as UTF-8, continuing that of the text before it. ASCII text is not copied. */
export function crc16(text: string, before = 0): number {
  const { length } = text
  let crc = before
  let i = 0
  for (; i + 3 < length; i += 4) {
    const a = text.charCodeAt(i)
    const b = text.charCodeAt(i + 1)
    const c = text.charCodeAt(i + 2)
    const d = text.charCodeAt(i + 3)
    if ((a | b | c | d) > ASCII) return crc16OfBytes(new TextEncoder().encode(text), before)
    crc = CRC16_3[(crc >>> 8) ^ a]! ^ CRC16_2[(crc & 0xff) ^ b]! ^ CRC16_1[c]! ^ CRC16[d]!
  }
  for (; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > ASCII) return crc16OfBytes(new TextEncoder().encode(text), before)
    crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >>> 8) ^ code]!
  }
  return crc
}

function crc16OfBytes(bytes: Uint8Array, before: number): number {
  let crc = before
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ CRC16[(crc >>> 8) ^ byte]!
  return crc
}
