/* Walking a server by SCAN, never by KEYS: in pages, each key once. */

import type { CallOptions, Driver } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { isBeyond, isReplaced, type ScanTarget, scanTargets } from "../../driver/scan-nodes.ts"
import { isUnavailable } from "./unavailable.ts"

const PAGE = 1000

/** All keys that match, on every primary. SCAN may repeat a key; it is returned once. */
export async function* scanKeys(
  driver: Driver,
  match: string,
  type?: string,
  options: CallOptions = SAFE,
): AsyncGenerator<string> {
  const more = ["MATCH", match, "COUNT", String(PAGE), ...(type === undefined ? [] : ["TYPE", type])]
  for (const node of await nodesOf(driver)) {
    const seen = new Set<string>()
    try {
      for await (const target of scanTargets(node)) {
        for await (const keys of pagesOf(node, target, more, options))
          for (const key of keys) {
            if (seen.has(key) || target.wants?.(key) === false) continue
            seen.add(key)
            yield key
          }
      }
    } finally {
      // A node of a cluster: the connection opened for the walk is closed, the client stays open.
      if (node !== driver) await node.close()
    }
  }
}

/** The driver itself where its SCAN goes through all nodes; of a client that was handed in, its primaries. */
const nodesOf = async (driver: Driver): Promise<readonly Driver[]> =>
  driver.slots === undefined ? driver.primaries() : [driver]

async function* pagesOf(
  node: Driver,
  target: ScanTarget,
  words: readonly string[],
  options: CallOptions,
): AsyncGenerator<readonly string[]> {
  const cursor = new ScanCursor("SCAN", target.first)
  let isMore: boolean
  do {
    let reply
    try {
      reply = await node.send(["SCAN", cursor.at, ...words], options)
    } catch (error) {
      if (isUnavailable(error) && (await isReplaced(node, cursor.at, node.timeoutMs))) return
      throw error
    }
    const [next, keys] = reply as [string, string[]]
    isMore = cursor.advance(next, Math.max(PAGE, keys.length)) && !isBeyond(target, next)
    if (cursor.isLong) await cursor.requireRoom(node)
    yield keys
  } while (isMore)
}
