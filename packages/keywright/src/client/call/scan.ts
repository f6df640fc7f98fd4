/* Walking a server by SCAN, never by KEYS: in pages, each key once. */

import type { CallOptions, Driver } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"

const PAGE = 1000

/** All keys that match, on every primary. SCAN may repeat a key: it is given once. */
export async function* scanKeys(
  driver: Driver,
  match: string,
  type?: string,
  options: CallOptions = SAFE,
): AsyncGenerator<string> {
  const more = ["MATCH", match, "COUNT", String(PAGE), ...(type === undefined ? [] : ["TYPE", type])]
  for (const node of await driver.primaries()) {
    const seen = new Set<string>()
    try {
      const cursor = new ScanCursor("SCAN")
      let isMore: boolean
      do {
        const reply = await node.send(["SCAN", cursor.at, ...more], options)
        const [next, keys] = reply as [string, string[]]
        isMore = cursor.advance(next)
        for (const key of keys) {
          if (seen.has(key)) continue
          seen.add(key)
          yield key
        }
      } while (isMore)
    } finally {
      // A node of a cluster: what was opened for the walk is let go. The client stays as it is.
      if (node !== driver) await node.close()
    }
  }
}
