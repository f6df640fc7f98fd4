/* Walking the elements of one key (SSCAN, HSCAN, ZSCAN) in pages. */

import type { Driver, Reply, Wire } from "../../driver/driver.ts"
import { inOneProcess } from "../../driver/process-of.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { asking, type ManyNotes } from "../call/notes.ts"
import { decodeOr } from "./elements.ts"
import { listOf, textOf } from "../call/reply.ts"

export interface ScanNotes extends ManyNotes {
  /** Only elements whose text matches this glob. */
  readonly match?: string
  /** About how many elements the server looks at for each page. */
  readonly pageSize?: number
}

const PAGE = 500
const LEFT_OUT = Symbol("left out")

/** The scan may repeat an element; it is returned once. `width` is how many replies make an element. */
export async function* scanElements<T>(
  driver: Driver,
  page: (cursor: string, words: readonly Wire[]) => Promise<readonly Reply[]>,
  width: 1 | 2,
  decode: (element: readonly Reply[]) => T,
  notes?: ScanNotes,
): AsyncGenerator<T, void, undefined> {
  const { pageSize = PAGE, match } = notes ?? {}
  const words = ["COUNT", String(pageSize), ...(match === undefined ? [] : ["MATCH", match])]
  const scan = async function* () {
    const cursor = new ScanCursor("the scan of a key")
    let isMore: boolean
    do {
      const isFirst = cursor.at === "0"
      const [next, elements] = await page(cursor.at, words)
      const found = listOf(elements)
      isMore = cursor.advance(textOf(next), Math.max(pageSize, found.length))
      if (cursor.isLong) await cursor.requireRoom(driver)
      yield { found, isWhole: !isMore && isFirst }
    } while (isMore)
  }
  const seen = new Set<string>()
  for await (const { found } of inOneProcess(driver, asking(notes), scan)) {
    for (let i = 0; i < found.length; i += width) {
      const name = exactName(found[i]!)
      if (seen.has(name)) continue
      seen.add(name)
      const element = decodeOr(LEFT_OUT, () => decode(found.slice(i, i + width)), notes)
      if (element !== LEFT_OUT) yield element as T
    }
  }
}

/** Keyed by the exact bytes: two different elements that are not valid text must not be confused. */
const exactName = (raw: Reply): string =>
  raw instanceof Uint8Array ? Buffer.from(raw).toString("latin1") : textOf(raw)
