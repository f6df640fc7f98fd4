/* Texts that are several values in one: which sign joins them, and what the parts are. */

import { TextStatistics } from "./text-statistics.ts"

const SIGNS = [",", "#", "|", ";", "\t"] as const
const MOST_PARTS = 16

export class Delimiters {
  #left: Joined[] | undefined

  add(text: string): void {
    this.#left ??= SIGNS.filter((sign) => text.includes(sign)).map((sign) => new Joined(sign))
    if (this.#left.length > 0) this.#left = this.#left.filter((joined) => joined.add(text))
  }

  /** The separators found in every text so far. */
  get joined(): Joined | undefined {
    return this.#left?.[0]
  }
}

/** Texts of parts, joined by one sign. */
export class Joined {
  readonly sign: string
  /** One for each place, while all texts have as many. */
  columns: TextStatistics[] | undefined
  readonly all = new TextStatistics()

  constructor(sign: string) {
    this.sign = sign
  }

  /** False for a text that is not joined by it, or that is prose. */
  add(text: string): boolean {
    const parts = text.split(this.sign)
    if (parts.length < 2 || parts.length > 4096 || parts.some((part) => part.length > 64 || /\s/.test(part)))
      return false
    if (this.all.count === 0 && parts.length <= MOST_PARTS) this.columns = parts.map(() => new TextStatistics())
    if (this.columns?.length !== parts.length) this.columns = undefined
    parts.forEach((part, i) => {
      this.all.add(part)
      this.columns?.[i]!.add(part)
    })
    return true
  }
}
