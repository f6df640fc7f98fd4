/* Which processes a walk or a scan asks. A cursor of SCAN is a place in the table of the process that returned it: after a
 * restart, or when a replica has taken over, the same cursor is another place, and keys would be missed. */

import { serverChanging } from "../errors/inspect.ts"
import type { CallOptions, Driver } from "./driver.ts"
import { hasNodeLeft } from "./node-left.ts"
import { sha1 } from "./reply-digest.ts"
import { SAFE, safeWithin } from "./safe.ts"

const RUN_ID = /^run_id:(\w+)/m
const CONNECTION = /^id=\d+ addr=\S+/

/**
 * Equal while the same processes answer; empty where a server does not say, and the client that was handed in does not
 * know its connections either.
 */
export async function processOf(driver: Driver, options: CallOptions = SAFE): Promise<string> {
  for (let tries = 1; ; tries++)
    try {
      return await processesOf(driver, options)
    } catch (error) {
      // A primary was replaced before it was asked: its successor is one of those that are asked next.
      if (tries === MOST_TRIES || !hasNodeLeft(error)) throw error
    }
}

/** How often primaries may be replaced while they are asked. */
const MOST_TRIES = 10

async function processesOf(driver: Driver, options: CallOptions): Promise<string> {
  const nodes = await driver.primaries()
  const ids = await Promise.all(
    nodes.map(async (node) => {
      let link: string | undefined
      const [info] = await node.batch([["INFO", "server"]], { ...options, onLink: (id) => (link = id) })
      const runId = typeof info === "string" ? RUN_ID.exec(info)?.[1] : undefined
      // For a user who may not ask for the process: as long as the connection is the same, so is the process.
      return runId ?? link ?? connectionOf(node, options)
    }),
  )
  return ids.every((id) => id === undefined) ? "" : sha1(ids.toSorted().join()).slice(0, 16)
}

/** For a client that was passed in. */
async function connectionOf(node: Driver, options: CallOptions): Promise<string | undefined> {
  const [info] = await node.batch([["CLIENT", "INFO"]], options)
  return typeof info === "string" ? CONNECTION.exec(info)?.[0] : undefined
}

/** How often a server is walked, or a key scanned, where the process is another one at the end. */
export const MOST_WALKS = 5

/**
 * The pages of a scan that starts over with each call of `scan`, and again when the process was replaced: the reader
 * has to skip what was on an earlier page. If one page is the whole scan, the process does not matter; otherwise the
 * first page is read again when the process is known.
 */
export async function* inOneProcess<P extends { readonly isWhole: boolean }>(
  driver: Driver,
  given: CallOptions,
  scan: () => AsyncIterable<P>,
): AsyncGenerator<P, void, undefined> {
  const options = safeWithin(given)
  for await (const page of scan()) {
    yield page
    if (page.isWhole) return
    break
  }
  yield* untilSame(() => processOf(driver, options), scan)
}

/** The same, without a look at whether the first page is all. */
export async function* untilSame<P>(
  processOf: () => Promise<string>,
  scan: () => AsyncIterable<P>,
): AsyncGenerator<P, void, undefined> {
  for (let walks = 0; walks < MOST_WALKS; walks++) {
    const before = await processOf()
    yield* scan()
    if ((await processOf().catch(() => undefined)) === before) return
  }
  throw serverChanging()
}
