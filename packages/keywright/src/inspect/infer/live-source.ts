/* A server as a source: SCAN, TYPE and PTTL of every key, and samples of values, all
 * pipelined by the page. Nothing is written, so a replica does as well. */

import type { Command, Driver, Reply, Wire } from "../../driver/driver.ts"
import { KeywrightError } from "../../errors/error.ts"
import { type Database } from "../walk/databases.ts"
import { SAFE, SAFE_BYTES } from "../../driver/safe.ts"
import { type Page, walk, type WalkOptions } from "../walk/walk.ts"
import { hasMangled } from "../model/reading.ts"
import { asWire } from "../walk/wire.ts"
import type { DatabaseMiner } from "./mine/database-miner.ts"
import type { ProbeAnswer, Probe, KeySource } from "./source.ts"
import { LARGE_BYTES, MOST_LARGE, MOST_PROBED, STRING_BYTES } from "./value-limits.ts"
import type { ReadValue } from "./values/values.ts"

const PROBES = 100
/** Values that are asked for at once. */
const AT_ONCE = 16
/** Keys of a page: small ones, since what is read of them comes on top. */
const PAGE = 100

export function liveSource(databases: readonly Database[], options: WalkOptions): KeySource {
  let large = 0
  const read = async (driver: Driver, wanted: readonly Wanted[], elements: number): Promise<void> => {
    const replies = await texts(
      driver,
      wanted.map(({ key, type }) => reading(key, type, elements)),
    )
    for (let i = 0; i < wanted.length; i++) {
      const { key, type, take } = wanted[i]!
      let found = elementsOf(type, replies[i]!, elements)
      if (type === "string" && found?.cut && large < MOST_LARGE) {
        large++
        const [whole] = await texts(driver, [["GETRANGE", key, "0", String(LARGE_BYTES)]])
        const all = elementsOf(type, whole!, elements, LARGE_BYTES + 1)
        // For anything even longer, the beginning has to do.
        if (all?.cut === false) found = all
      }
      take(found && { type, ...found })
    }
  }
  return {
    async read(minerOf) {
      await walk(databases, { page: PAGE, ...options }, (page) => visit(page, minerOf(page.database.db), read))
    },
    ask: (probes) => ask(databases, probes),
  }
}

interface Wanted {
  readonly key: Wire
  readonly type: string
  readonly take: (reading: ReadValue | undefined) => void
}

async function visit(
  { database: { driver }, keys }: Page,
  miner: DatabaseMiner,
  read: (driver: Driver, wanted: readonly Wanted[], elements: number) => Promise<void>,
): Promise<void> {
  const commands: Command[] = []
  for (const key of keys) commands.push(["TYPE", key], ["PTTL", key])
  const replies = await driver.batch(commands, SAFE)
  const wanted: Wanted[] = []
  for (let i = 0; i < keys.length; i++) {
    const [key, type, ttl] = [keys[i]!, replies[2 * i], replies[2 * i + 1]]
    if (typeof type !== "string" || type === "none" || ttl === -2) continue
    const take = miner.note({ key, type, ttlMs: typeof ttl === "number" ? ttl : -1 })
    if (take !== undefined) wanted.push({ key, type, take })
  }
  // In small portions: a server carries out everything it has received from one client before it serves another.
  for (let at = 0; at < wanted.length; at += AT_ONCE)
    await read(driver, wanted.slice(at, at + AT_ONCE), miner.elements())
}

function reading(key: Wire, type: string, elements: number): Command {
  const count = String(elements)
  if (type === "string") return ["GETRANGE", key, "0", String(STRING_BYTES)]
  if (type === "hash") return ["HSCAN", key, "0", "COUNT", count]
  if (type === "set") return ["SSCAN", key, "0", "COUNT", count]
  if (type === "zset") return ["ZSCAN", key, "0", "COUNT", count]
  if (type === "list") return ["LRANGE", key, "0", String(elements - 1)]
  return type === "stream" ? ["XREVRANGE", key, "+", "-", "COUNT", count] : ["EXISTS", key]
}

/** Undefined when it could not be read: it has become another type meanwhile, say. */
function elementsOf(
  type: string,
  reply: Reply,
  most: number,
  longest: number = STRING_BYTES + 1,
): Omit<ReadValue, "type"> | undefined {
  if (reply instanceof KeywrightError || reply === null) return undefined
  if (type === "string") return { elements: [asWire(reply)], cut: bytesOf(reply) >= longest }
  if (type === "list" || type === "stream") {
    const all = reply as readonly Reply[]
    return { elements: type === "list" ? all.map(asWire) : all.flatMap(entry), cut: all.length >= most }
  }
  if (type !== "hash" && type !== "set" && type !== "zset") return { elements: [], cut: true }
  const [cursor, found] = reply as [Reply, readonly Reply[]]
  return { elements: found.map(asWire), cut: String(cursor) !== "0" }
}

const bytesOf = (reply: Reply): number =>
  reply instanceof Uint8Array ? reply.length : Buffer.byteLength(String(reply))

/** Fields and values of an entry, after how many there are. */
function entry(reply: Reply): Wire[] {
  const [, words] = reply as [Reply, readonly Reply[]]
  return [String(words.length), ...words.map(asWire)]
}

/** Replies as text; those that may not be text once more as bytes. */
async function texts(driver: Driver, commands: readonly Command[]): Promise<Reply[]> {
  const replies = await driver.batch(commands, SAFE)
  const mangled = replies.flatMap((reply, i) => (hasMangled(reply) ? [i] : []))
  if (mangled.length === 0) return replies
  const raw = await driver.batch(
    mangled.map((i) => commands[i]!),
    SAFE_BYTES,
  )
  mangled.forEach((i, at) => (replies[i] = raw[at]!))
  return replies
}

async function ask(databases: readonly Database[], probes: readonly Probe[]): Promise<(ProbeAnswer | undefined)[]> {
  const answers: (ProbeAnswer | undefined)[] = []
  for (let at = 0; at < probes.length; at += PROBES) {
    const some = probes.slice(at, at + PROBES)
    for (const { db, driver } of databases) {
      const own = some.map((probe, i) => ({ probe, i: at + i })).filter(({ probe }) => probe.db === db)
      if (own.length === 0) continue
      // To the millisecond; servers before 7.0 cannot say.
      const commands = own.flatMap(({ probe }) => [question(probe), ["PEXPIRETIME", probe.key] as Command])
      const replies = await texts(driver, commands)
      own.forEach(({ probe, i }, n) => {
        const deadline = replies[2 * n + 1]
        const elements = answer(probe, replies[2 * n]!)
        if (elements === undefined || deadline === -2) return
        answers[i] = { elements, deadline: typeof deadline === "number" && deadline >= 0 ? deadline : undefined }
      })
    }
  }
  return Array.from(probes, (_, i) => answers[i])
}

function question({ key, type, member }: Probe): Command {
  if (member === undefined) return reading(key, type, MOST_PROBED)
  return [type === "hash" ? "HEXISTS" : type === "zset" ? "ZSCORE" : "SISMEMBER", key, member]
}

function answer({ type, member }: Probe, reply: Reply): readonly Wire[] | undefined {
  if (reply instanceof KeywrightError) return undefined
  if (member !== undefined) return reply === null || reply === 0 ? [] : [member]
  if (type === "string" && reply === "") return undefined
  const found = elementsOf(type, reply, MOST_PROBED)?.elements
  return found?.length === 0 ? undefined : found
}
