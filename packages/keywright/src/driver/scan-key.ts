/* The pages of SSCAN, HSCAN or ZSCAN of one key, all from one process: a cursor is a place in a table of the process that
 * returned it. Another process answers after a restart or a failover, and in a cluster also when the slot of the key
 * moves, although the nodes are the same ones. Then the scan starts over. */

import { serverChanging } from "../errors/inspect.ts"
import type { CallOptions, Driver, Reply, Wire } from "./driver.ts"
import { MOST_WALKS, processOf, untilSame } from "./process-of.ts"
import { safeWithin } from "./safe.ts"
import { ScanCursor } from "./scan-cursor.ts"
import { evalCommand, scriptOf } from "./script.ts"

/** Goes to where the key is, as its pages do, also while it moves. */
const PROCESS = scriptOf("process", `return string.match(redis.call("INFO", "server"), "run_id:(%w+)") or ""`)

export interface KeyScan {
  readonly driver: Driver
  readonly key: Wire
  /** For messages: what the cursor is of. */
  readonly name: string
  /** COUNT */
  readonly count: number
  readonly options?: CallOptions
  /** The next cursor, and elements; undefined: the key cannot be scanned any more. It passes on what it is given. */
  page(cursor: string, heard: Heard): Promise<readonly [next: string, found: readonly Reply[]] | undefined>
}

type Heard = Required<Pick<CallOptions, "onLink">>

/** Elements, page by page. When the scan starts over, all elements come again: the reader has to skip those that came before. */
export async function* scanKey(scan: KeyScan): AsyncGenerator<readonly Reply[], void, undefined> {
  for (let walks = 0; walks < MOST_WALKS; walks++) {
    let known: { readonly link: string; readonly process: string } | undefined
    let isSame = true
    for await (const { found, isWhole, link } of pagesOf(scan)) {
      yield found
      if (isWhole) return
      // A client that was handed in does not say which link it used.
      if (link === undefined) {
        for await (const { found } of untilSame(
          () => askedProcess(scan),
          () => pagesOf(scan),
        ))
          yield found
        return
      }
      if (link === known?.link) continue
      const process = await processAt(scan, link)
      isSame = known === undefined || known.process === process
      if (!isSame) break
      known = { link, process }
    }
    if (isSame) return
  }
  throw serverChanging()
}

interface Page {
  readonly found: readonly Reply[]
  /** There is no other. */
  readonly isWhole: boolean
  readonly link: string | undefined
}

async function* pagesOf({ driver, name, count, page }: KeyScan): AsyncGenerator<Page> {
  const cursor = new ScanCursor(name)
  let isMore: boolean
  do {
    const isFirst = cursor.at === "0"
    let link: string | undefined
    const answer = await page(cursor.at, { onLink: (id) => (link = id) })
    if (answer === undefined) return
    const [next, found] = answer
    isMore = cursor.advance(next, Math.max(count, found.length))
    if (cursor.isLong) await cursor.requireRoom(driver)
    yield { found, isWhole: !isMore && isFirst, link }
  } while (isMore)
}

/** The process at the other end of a link; where it does not say, the link: while that is the same, so is the process. */
async function processAt(scan: KeyScan, link: string): Promise<string> {
  let asked: string | undefined
  const runId = await runIdOf(scan, { onLink: (id) => (asked = id) })
  return asked === link && runId !== undefined ? runId : link
}

async function askedProcess(scan: KeyScan): Promise<string> {
  return (await runIdOf(scan)) ?? processOf(scan.driver, safeWithin(scan.options))
}

async function runIdOf(scan: KeyScan, heard?: Heard): Promise<string | undefined> {
  try {
    const [found] = await scan.driver.batch([evalCommand(PROCESS, [scan.key], [])], {
      ...safeWithin(scan.options),
      ...heard,
    })
    return typeof found === "string" && found !== "" ? found : undefined
  } catch {
    return undefined
  }
}
