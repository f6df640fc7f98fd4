/* The cursor of SCAN, SSCAN, HSCAN and ZSCAN, for loops that must end whatever the server says.
 *
 * A server's cursors never repeat within one pass. One that repeats is detected with two
 * marks and no memory (Brent): the cursor is kept at every power of two, and each later one
 * is compared with it. Cursors that never repeat end at a number of pages that no server
 * needs: 2^32 elements fit into them. */

import { cursorEndless } from "../errors/driver.ts"

const MOST_PAGES = 20_000_000

export class ScanCursor {
  readonly #command: string
  #at: string
  #mark: string
  #pages = 0
  #markUntil = 1

  constructor(command: string, start = "0") {
    this.#command = command
    this.#at = start
    this.#mark = start
  }

  /** What to ask with. */
  get at(): string {
    return this.#at
  }

  /** Takes the cursor of an answer. False when that was the last page. */
  advance(next: unknown): boolean {
    this.#at = String(next)
    if (this.#at === "0") return false
    this.#pages++
    if (this.#at === this.#mark || this.#pages > MOST_PAGES) throw cursorEndless(this.#command, this.#pages)
    if (this.#pages >= this.#markUntil) {
      this.#mark = this.#at
      this.#markUntil *= 2
    }
    return true
  }
}
