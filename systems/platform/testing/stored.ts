/* What is stored, seen from outside: by plain commands, never by what is tested. */

import { classifier, toolkitKeys, type Key } from "keywright"
import { RespClient } from "../../../test/resp-client.ts"
import { redisTypeOf } from "../redis-type.ts"
import type { TestServer } from "./servers.ts"

type Raw = TestServer["raw"]

/** All keys of the selected database, by SCAN, sorted. */
export async function allKeys(raw: Raw): Promise<string[]> {
  const found = new Set<string>()
  let cursor = "0"
  do {
    const [next, keys] = (await raw("SCAN", cursor, "COUNT", 1000)) as [string, string[]]
    for (const key of keys) found.add(utf8(key))
    cursor = next
  } while (cursor !== "0")
  return [...found].sort()
}

/** Every key with its type, value and whether it expires: to compare before and after. */
export async function dump(raw: Raw): Promise<Record<string, unknown>> {
  const stored: Record<string, unknown> = {}
  for (const key of await allKeys(raw)) {
    const type = (await raw("TYPE", key)) as string
    const expires = (await raw("PTTL", key)) !== -1
    stored[key] = { type, expires, value: await valueOf(raw, key, type) }
  }
  return stored
}

async function valueOf(raw: Raw, key: string, type: string): Promise<unknown> {
  if (type === "string") return raw("GET", key)
  if (type === "hash") return pairs((await raw("HGETALL", key)) as string[])
  if (type === "zset") return pairs((await raw("ZRANGE", key, 0, -1, "WITHSCORES")) as string[])
  if (type === "set") return ((await raw("SMEMBERS", key)) as string[]).sort()
  if (type === "list") return raw("LRANGE", key, 0, -1)
  return raw("XRANGE", key, "-", "+")
}

/** A reply of names and values as an object. */
export const pairs = (flat: readonly string[]): Record<string, string> =>
  Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1]!]] : [])))

/**
 * ALL-2: every key of the selected database matches exactly one declared pattern, its
 * Redis type and its TTL class. Returns what does not fit.
 */
export async function misfits(raw: Raw, keys: readonly Key[], db = 0): Promise<string[]> {
  const { owner } = classifier([...keys, ...toolkitKeys(db)], { db })
  const wrong: string[] = []
  for (const key of await allKeys(raw)) {
    const found = owner(key)
    if (found === undefined) {
      wrong.push(`${key}: no pattern owns it`)
      continue
    }
    const [type, ttl] = [(await raw("TYPE", key)) as string, (await raw("PTTL", key)) as number]
    if (type === "none") continue
    const declared = redisTypeOf(found.key)
    if (type !== declared) wrong.push(`${key}: ${type}, and ${found.key.pattern} is a ${declared}`)
    if (!fitsTtl(found.key, ttl))
      wrong.push(`${key}: PTTL ${ttl}, and ${found.key.pattern} has ${JSON.stringify(found.key.ttl)}`)
  }
  return wrong
}

/** None, at most what is declared, or one of several. */
function fitsTtl({ ttl }: Key, left: number): boolean {
  if (ttl === undefined) return false
  if (ttl.on === "never") return left === -1
  const choices = ttl.on === "choice" ? ttl.choices : [ttl.ms]
  return choices.some((choice) => (choice === "never" ? left === -1 : left >= 0 && left <= choice))
}

/** The client of the tests reads bytes. */
const utf8 = (latin1: string): string => Buffer.from(latin1, "latin1").toString("utf8")

/** How many times the server read from its clients for `work`: one for each round trip. */
export async function roundTrips(raw: Raw, work: () => Promise<unknown>): Promise<number> {
  const reads = async () => Number(/total_reads_processed:(\d+)/.exec((await raw("INFO", "stats")) as string)![1])
  const before = await reads()
  await work()
  return (await reads()) - before - 1
}

/** The commands that a real server carried out for `work`, in order, also those of scripts. */
export async function commandsDuring(server: TestServer, work: () => Promise<unknown>): Promise<string[][]> {
  const watcher = await RespClient.connect(server.process!.port)
  const seen: string[][] = []
  const end = `end ${Math.random()}`
  const isOver = new Promise<void>((resolve) => {
    watcher.onPush = (line) => {
      const words = [...String(line).matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((found) => found[1]!)
      if (words[1] === end) resolve()
      else seen.push(words)
    }
  })
  try {
    await watcher.send("MONITOR")
    await work()
    await server.raw("PING", end)
    await isOver
  } finally {
    watcher.close()
  }
  return seen
}
