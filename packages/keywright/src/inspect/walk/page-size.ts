/* How many keys a page has, and how long a walk rests after one. Others wait while the commands of a page are carried
 * out, and on a busy machine also because this process and the server take turns with them. So pages grow as long as
 * everything is quick, become smaller when it is not, and when the smallest are not small enough, the walk rests after
 * each.
 *
 * That is judged by two times: of SCAN, which is sent behind the commands of a page and so waits as long as somebody
 * else's command would, and of reading a page as a whole. Each is compared with the quickest so far: nothing is sent
 * before the first SCAN, and a server far away is not slow.
 *
 * A page without keys is followed by one of twice the size: large tables that are nearly empty, and patterns that match
 * little, take fewer of them. */

const MOST_KEYS = 250
const FIRST_KEYS = 100
const FEWEST_KEYS = 50
/** What takes this much longer than the quickest is slow. */
const SLOW_SCAN_MS = 1
const SLOW_PAGE_MS = 3
/** One slow page among this many does not count: this process collects its garbage now and then. */
const PAGES = 8
const REST_MS = 1
/** How much larger a page may be when those before it had no keys. */
const MOST_TIMES = 32

export class PageSize {
  #keys: number
  readonly #isFixed: boolean
  #quickestScan = Infinity
  #quickestPage = Infinity
  #scans = 0
  #slow = 0
  #times = 1

  /** Pages of `fixed` keys, or of a size that adapts. */
  constructor(fixed?: number) {
    this.#keys = fixed ?? FIRST_KEYS
    this.#isFixed = fixed !== undefined
  }

  get keys(): number {
    return this.#keys * this.#times
  }

  get restMs(): number {
    return this.#isFixed || this.#keys > FEWEST_KEYS ? 0 : REST_MS
  }

  /** A page with keys was read in this time. */
  read(ms: number): void {
    this.#quickestPage = Math.min(this.#quickestPage, ms)
    if (ms > this.#quickestPage + SLOW_PAGE_MS) this.#slow++
  }

  /** A SCAN was answered after this time, with this number of keys. */
  answered(ms: number, found: number): void {
    if (this.#isFixed) return
    this.#times = found > 0 ? 1 : Math.min(MOST_TIMES, this.#times * 2)
    this.#quickestScan = Math.min(this.#quickestScan, ms)
    if (ms > this.#quickestScan + SLOW_SCAN_MS) this.#slow++
    if (++this.#scans < PAGES) return
    if (this.#slow > 1) this.#keys = Math.max(FEWEST_KEYS, Math.round(this.#keys / 2))
    else if (this.#slow === 0) this.#keys = Math.min(MOST_KEYS, Math.round(this.#keys * 1.25))
    this.#scans = 0
    this.#slow = 0
  }
}
