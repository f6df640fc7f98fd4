/* How many keys a page has. A page's commands are carried out in one go, and others wait meanwhile, so a page
 * is as large as the server answers quickly. That is judged by SCAN, which is sent behind the
 * commands of the pages before it and so waits as long as somebody else's command would.
 *
 * Its answer may also have lain here while this process computed: of some answers, only the quickest counts. */

const MOST_KEYS = 250
const FEWEST_KEYS = 40
/** An answer that takes longer makes pages smaller, and one that takes less than the other makes them larger. */
const SLOW_MS = 2.5
const QUICK_MS = 1.2
const ANSWERS = 4

export class PageSize {
  #keys: number
  readonly #isFixed: boolean
  #quickest = Infinity
  #answers = 0

  /** Of the given size, or one that adapts. */
  constructor(fixed?: number) {
    this.#keys = fixed ?? MOST_KEYS
    this.#isFixed = fixed !== undefined
  }

  get keys(): number {
    return this.#keys
  }

  /** A SCAN was answered after this time. */
  answered(ms: number): void {
    if (this.#isFixed) return
    this.#quickest = Math.min(this.#quickest, ms)
    if (++this.#answers < ANSWERS) return
    if (this.#quickest > SLOW_MS) this.#keys = Math.max(FEWEST_KEYS, Math.round(this.#keys * 0.7))
    else if (this.#quickest < QUICK_MS) this.#keys = Math.min(MOST_KEYS, Math.round(this.#keys * 1.2))
    this.#quickest = Infinity
    this.#answers = 0
  }
}
