/* Bytes that come in parts, in one buffer. Anybody can send a body in chunks of a single
 * byte: kept as they came, each would take a hundred times its size. */

export class GatheredBytes {
  #buffer: Buffer | undefined
  #size = 0

  add(part: Buffer): void {
    const size = this.#size + part.length
    if (this.#buffer === undefined) this.#buffer = part // Most bodies come in one part, and need no copy.
    else {
      if (size > this.#buffer.length) this.#enlarge(size)
      part.copy(this.#buffer, this.#size)
    }
    this.#size = size
  }

  /** All of them; nothing is kept. */
  take(): Buffer {
    const bytes = this.#buffer?.subarray(0, this.#size) ?? Buffer.alloc(0)
    this.#buffer = undefined
    this.#size = 0
    return bytes
  }

  #enlarge(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#buffer!.length))
    this.#buffer!.copy(larger, 0, 0, this.#size)
    this.#buffer = larger
  }
}
