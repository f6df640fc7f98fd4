/* The CRC-64 of Redis (the Jones polynomial, reflected, starting at zero), eight
 * bytes at a time: table `k` holds what a byte contributes when k more bytes
 * follow it. JavaScript has no fast 64-bit integers, hence the two halves. */

const POLYNOMIAL_LOW = 0xac4bc9b5 | 0
const POLYNOMIAL_HIGH = 0x95ac9329 | 0

const low = new Int32Array(8 * 256)
const high = new Int32Array(8 * 256)

for (let byte = 0; byte < 256; byte++) {
  let lo = byte
  let hi = 0
  for (let bit = 0; bit < 8; bit++) {
    const carry = lo & 1
    lo = (lo >>> 1) | (hi << 31)
    hi >>>= 1
    if (carry) {
      lo ^= POLYNOMIAL_LOW
      hi ^= POLYNOMIAL_HIGH
    }
  }
  low[byte] = lo
  high[byte] = hi
}
for (let at = 256; at < 8 * 256; at++) {
  const lo = low[at - 256]!
  const hi = high[at - 256]!
  low[at] = ((lo >>> 8) | (hi << 24)) ^ low[lo & 255]!
  high[at] = (hi >>> 8) ^ high[lo & 255]!
}

/** A running checksum: feed it bytes in any portions, then ask for its value. */
export class Crc64 {
  #lo = 0
  #hi = 0

  update(bytes: Uint8Array, start: number, end: number): void {
    let lo = this.#lo
    let hi = this.#hi
    let at = start
    for (; at + 8 <= end; at += 8) {
      lo ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
      hi ^= bytes[at + 4]! | (bytes[at + 5]! << 8) | (bytes[at + 6]! << 16) | (bytes[at + 7]! << 24)
      const a = 1792 + (lo & 255)
      const b = 1536 + ((lo >>> 8) & 255)
      const c = 1280 + ((lo >>> 16) & 255)
      const d = 1024 + (lo >>> 24)
      const e = 768 + (hi & 255)
      const f = 512 + ((hi >>> 8) & 255)
      const g = 256 + ((hi >>> 16) & 255)
      const h = hi >>> 24
      lo = low[a]! ^ low[b]! ^ low[c]! ^ low[d]! ^ low[e]! ^ low[f]! ^ low[g]! ^ low[h]!
      hi = high[a]! ^ high[b]! ^ high[c]! ^ high[d]! ^ high[e]! ^ high[f]! ^ high[g]! ^ high[h]!
    }
    for (; at < end; at++) {
      const index = (lo ^ bytes[at]!) & 255
      lo = ((lo >>> 8) | (hi << 24)) ^ low[index]!
      hi = (hi >>> 8) ^ high[index]!
    }
    this.#lo = lo
    this.#hi = hi
  }

  value(): bigint {
    return (BigInt(this.#hi >>> 0) << 32n) | BigInt(this.#lo >>> 0)
  }
}
