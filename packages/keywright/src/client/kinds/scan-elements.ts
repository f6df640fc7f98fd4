/* Walking the elements of one key (SSCAN, HSCAN, ZSCAN) in pages. */

import type { CallOptions, Command, Driver, Reply } from "../../driver/driver.ts"
import { type KeyScan, scanKey } from "../../driver/scan-key.ts"
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

export type ScanCommand = "SSCAN" | "HSCAN" | "ZSCAN"

/** A key that is scanned: by which command, how a page of it is read, and what is on it. */
interface ScannedKey<T> {
  readonly driver: Driver
  readonly key: string
  readonly command: ScanCommand
  read(command: Command, options: CallOptions): Promise<readonly Reply[]>
  readonly bytes: boolean
  /** A member, a field and its value, or a member and its score. */
  decode(element: readonly Reply[]): T
}

/** The scan may repeat an element; it is returned once. */
export async function* scanElements<T>(scanned: ScannedKey<T>, notes?: ScanNotes): AsyncGenerator<T, void, undefined> {
  const { driver, key, command } = scanned
  const width = command === "SSCAN" ? 1 : 2
  const { pageSize = PAGE, match } = notes ?? {}
  const words = ["COUNT", String(pageSize), ...(match === undefined ? [] : ["MATCH", match])]
  const options = asking(notes, scanned.bytes)
  const page: KeyScan["page"] = async (cursor, heard) => {
    const [next, elements] = await scanned.read([command, key, cursor, ...words], { ...options, ...heard })
    return [textOf(next), listOf(elements)]
  }
  const seen = new Set<string>()
  for await (const found of scanKey({ driver, key, name: "the scan of a key", count: pageSize, options, page })) {
    for (let i = 0; i < found.length; i += width) {
      const name = exactName(found[i]!)
      if (seen.has(name)) continue
      seen.add(name)
      const element = decodeOr(LEFT_OUT, () => scanned.decode(found.slice(i, i + width)), notes)
      if (element !== LEFT_OUT) yield element as T
    }
  }
}

/** Keyed by the exact bytes: two different elements that are not valid text must not be confused. */
const exactName = (raw: Reply): string =>
  raw instanceof Uint8Array ? Buffer.from(raw).toString("latin1") : textOf(raw)
