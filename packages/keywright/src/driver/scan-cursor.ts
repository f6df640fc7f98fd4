/* The cursor of SCAN, SSCAN, HSCAN and ZSCAN, and of reading in ranges, for loops that must end
 * whatever the server says.
 *
 * A server's cursors never repeat within one pass. One that repeats is detected with two
 * marks and no memory (Brent): the cursor is kept at every power of two, and each later one
 * is compared with it.
 *
 * Cursors that never repeat are bounded by the server's memory. For COUNT n, Redis and Valkey look at n elements,
 * or pass 10 n places of the table that hold none: nearly empty tables, elements that have expired and a MATCH that
 * takes nothing make pages empty, but not more of them. A place takes 8 bytes, an element of a table 16 and one of
 * a packed list 2. So the COUNTs of a pass add up to no more than elements + places / 10, which is less than
 * the bytes that the server uses, also when its table grows or shrinks meanwhile. These are asked for only after
 * more pages than a small server needs. A server that names more than it takes for 2^32 elements, the most keys that
 * Redis has, is believed up to that. */

import { cursorEndless } from "../errors/driver.ts"
import type { Driver } from "./driver.ts"
import { SAFE } from "./safe.ts"

/** Elements that may be looked at before the server's memory is asked for. */
const FEW = 2 ** 23
const MOST = 2 ** 32
/** For a server that does not say how much memory it uses, because this user may not ask: four times what Redis was tested with. */
const MOST_UNTOLD = 2 ** 30

export class ScanCursor {
  readonly #command: string
  #at: string
  #mark: string
  #pages = 0
  #markUntil = 1
  #looked = 0
  #most = FEW

  constructor(command: string, start = "0") {
    this.#command = command
    this.#at = start
    this.#mark = start
  }

  /** What to ask with. */
  get at(): string {
    return this.#at
  }

  /** Takes the cursor of an answer, and what was asked for: COUNT. False when that was the last page. */
  advance(next: unknown, count: number): boolean {
    this.#at = String(next)
    if (this.#at === "0") return false
    this.#pages++
    this.#looked += count
    if (this.#at === this.#mark)
      throw cursorEndless(this.#command, this.#pages, "It returned a cursor that it had returned before.")
    if (this.#pages >= this.#markUntil) {
      this.#mark = this.#at
      this.#markUntil *= 2
    }
    return true
  }

  /** Whether this has become so long that the server must have the memory for it: see `requireRoom`. */
  get isLong(): boolean {
    return this.#looked > this.#most
  }

  /** Throws when the server cannot hold as much as it was asked for. */
  async requireRoom(driver: Driver): Promise<void> {
    const bytes = await usedBytes(driver)
    this.#most = Math.min(MOST, Math.max(FEW, bytes ?? MOST_UNTOLD))
    if (!this.isLong) return
    const looked = this.#looked
    const has = bytes === undefined ? "" : `, and uses ${bytes} bytes`
    throw cursorEndless(
      this.#command,
      this.#pages,
      `${driver.label} was asked for ${looked} elements and has not reached a last page${has}: no server can hold that many.`,
    )
  }
}

/** The memory used by all primaries together; undefined when one does not say. */
async function usedBytes(driver: Driver): Promise<number | undefined> {
  try {
    const nodes = await driver.primaries()
    const said = await Promise.all(nodes.map((node) => node.send(["INFO", "memory"], SAFE)))
    const bytes = said.map((info) => Number(/^used_memory:(\d+)/m.exec(String(info))?.[1]))
    const sum = bytes.reduce((all, one) => all + one, 0)
    return Number.isNaN(sum) ? undefined : sum
  } catch {
    // A user who may not ask, or a file.
    return undefined
  }
}
