/* How many keys a page has. A page's commands are carried out in one go, and others wait meanwhile, so a page
 * is as large as the server answers quickly. That is judged by SCAN, which is sent behind the
 * commands of the pages before it and so waits as long as somebody else's command would.
 *
 * A page without keys is followed by one of twice the size: large tables that are nearly empty, and patterns that match
 * little, take fewer of them.
 *
 * Its answer may also have lain here while this process computed: of some answers, only the quickest counts. */

const MOST_KEYS = 250
const FEWEST_KEYS = 40
/** An answer that takes longer makes pages smaller, and one that takes less than the other makes them larger. */
const SLOW_MS = 2.5
const QUICK_MS = 1.2
const ANSWERS = 4
/** How much larger a page may be when those before it had no keys. */
const MOST_TIMES = 16

export class PageSize {
  #keys: number
  readonly #isFixed: boolean
  #quickest = Infinity
  #answers = 0
  #times = 1

  /** Of the given size, or one that adapts. */
  constructor(fixed?: number) {
    this.#keys = fixed ?? MOST_KEYS
    this.#isFixed = fixed !== undefined
  }

  get keys(): number {
    return this.#keys * this.#times
  }

  /** A SCAN was answered after this time, with this number of keys. */
  answered(ms: number, found: number): void {
    if (this.#isFixed) return
    this.#times = found > 0 ? 1 : Math.min(MOST_TIMES, this.#times * 2)
    this.#quickest = Math.min(this.#quickest, ms)
    if (++this.#answers < ANSWERS) return
    if (this.#quickest > SLOW_MS) this.#keys = Math.max(FEWEST_KEYS, Math.round(this.#keys * 0.7))
    else if (this.#quickest < QUICK_MS) this.#keys = Math.min(MOST_KEYS, Math.round(this.#keys * 1.2))
    this.#quickest = Infinity
    this.#answers = 0
  }
}
