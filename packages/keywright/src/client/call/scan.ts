/* Walking a server by SCAN, never by KEYS: in pages, each key once. */

import type { CallOptions, Driver } from "../../driver/driver.ts"
import { SAFE } from "../../driver/safe.ts"
import { inOneProcess } from "../../driver/process-of.ts"
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
  const seen = new Set<string>()
  for await (const { keys, wants } of inOneProcess(driver, options, () => pages(driver, more, options)))
    for (const key of keys) {
      if (seen.has(key) || wants?.(key) === false) continue
      seen.add(key)
      yield key
    }
}

interface KeyPage extends Pick<ScanTarget, "wants"> {
  readonly keys: readonly string[]
  readonly isWhole: boolean
}

async function* pages(driver: Driver, words: readonly string[], options: CallOptions): AsyncGenerator<KeyPage> {
  const nodes = await nodesOf(driver)
  for (const node of nodes) {
    try {
      for await (const target of scanTargets(node)) {
        const isAlone = nodes.length === 1 && target.node === undefined
        for await (const { keys, isWhole } of pagesOf(node, target, words, options))
          yield { keys, isWhole: isWhole && isAlone, ...(target.wants && { wants: target.wants }) }
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
): AsyncGenerator<KeyPage> {
  const cursor = new ScanCursor("SCAN", target.first)
  let isMore: boolean
  do {
    const isFirst = cursor.at === target.first
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
    yield { keys, isWhole: !isMore && isFirst }
  } while (isMore)
}
