/* Which pages of SCAN hold keys of a pattern. While the background scan goes through
 * a database it notes the cursor of every page, and for each pattern one bit a page:
 * a million keys are some thousands of pages, so this is small. Listing the keys of
 * a pattern then reads again only the pages that have some.
 *
 * A cursor counts buckets with its bits in reverse, and means the same place when the
 * server's table grows or shrinks: so pages can be compared by `placeOf`. */

/** Keys per page, about: the same when a page is read again, or it would reach into the next one. */
export const PAGE_KEYS = 250

export class PageMap {
  #cursors = new BigUint64Array(64)
  #length = 0
  readonly #bits = new Map<string, Bits>()

  get length(): number {
    return this.#length
  }

  /** The number of the page that begins there; pages are in SCAN's order. */
  add(cursor: string): number {
    if (this.#length === this.#cursors.length) {
      const larger = new BigUint64Array(2 * this.#length)
      larger.set(this.#cursors)
      this.#cursors = larger
    }
    this.#cursors[this.#length] = BigInt(cursor)
    return this.#length++
  }

  mark(pattern: string, page: number): void {
    let bits = this.#bits.get(pattern)
    if (bits === undefined) this.#bits.set(pattern, (bits = new Bits()))
    bits.set(page)
  }

  cursorOf(page: number): string {
    return String(this.#cursors[page]!)
  }

  /** The first page at or after `from` with keys of the pattern; undefined when there is none. */
  next(pattern: string, from: number): number | undefined {
    return this.#bits.get(pattern)?.next(from, this.#length)
  }

  count(pattern: string): number {
    return this.#bits.get(pattern)?.count ?? 0
  }

  /** The page that holds this place of the scan. */
  pageAt(cursor: string): number {
    const place = cursorRank(BigInt(cursor))
    let [low, high] = [0, this.#length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (cursorRank(this.#cursors[middle]!) <= place) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }
}

/** Cursors in the order in which SCAN goes through them. */
export function cursorRank(cursor: bigint): bigint {
  let bits = cursor
  bits = ((bits >> 1n) & 0x5555555555555555n) | ((bits & 0x5555555555555555n) << 1n)
  bits = ((bits >> 2n) & 0x3333333333333333n) | ((bits & 0x3333333333333333n) << 2n)
  bits = ((bits >> 4n) & 0x0f0f0f0f0f0f0f0fn) | ((bits & 0x0f0f0f0f0f0f0f0fn) << 4n)
  bits = ((bits >> 8n) & 0x00ff00ff00ff00ffn) | ((bits & 0x00ff00ff00ff00ffn) << 8n)
  bits = ((bits >> 16n) & 0x0000ffff0000ffffn) | ((bits & 0x0000ffff0000ffffn) << 16n)
  return (bits >> 32n) | ((bits & 0xffffffffn) << 32n)
}

class Bits {
  #words = new Uint32Array(2)
  count = 0

  set(at: number): void {
    const word = at >>> 5
    if (word >= this.#words.length) {
      const larger = new Uint32Array(Math.max(word + 1, 2 * this.#words.length))
      larger.set(this.#words)
      this.#words = larger
    }
    const mask = 1 << (at & 31)
    if ((this.#words[word]! & mask) === 0) this.count++
    this.#words[word]! |= mask
  }

  next(from: number, end: number): number | undefined {
    for (let at = from; at < end;) {
      const word = (this.#words[at >>> 5] ?? 0) >>> (at & 31)
      if (word === 0) at = (at | 31) + 1
      else {
        const found = at + (31 - Math.clz32(word & -word))
        return found < end ? found : undefined
      }
    }
    return undefined
  }
}
