/* The sweeper: index entries of expired records go within seconds, without relying
 * on keyspace notifications. Every save of a record with a TTL notes its deadline and
 * its entries in a sorted set; what is due there is checked and removed by a script.
 * Two sweepers at once, or one that dies half-way, do no harm. */

import { SchemaError } from "../../errors/error.ts"
import { ScanCursor } from "../../driver/scan-cursor.ts"
import { Conflict, Refused, Undecodable, WrongType } from "../../errors/outcome.ts"
import { keyFormat } from "../../schema/key-format.ts"
import { text } from "../../schema/codec/text.ts"
import { longestLife } from "../../schema/ttl.ts"
import type { Lane } from "../call/lane.ts"
import { asNumber, listOf, textOf } from "../call/reply.ts"
import { sweepScript } from "../lua/index.ts"
import { carryOut } from "../plan/carry-out.ts"
import { Plan } from "../plan/plan.ts"
import { scanKeys } from "../call/scan.ts"
import { type EndedRecord, endingPatterns, EXPIRY, expiryKey, readEnding } from "./expiry.ts"
import { atPrimary, loadOne } from "./reads.ts"
import { Repository } from "./repository.ts"
import type { RepositoryContext } from "./repository-parts.ts"

const CHUNK = 100
const LATER_MS = 60_000
const UNREADABLE = [Undecodable, WrongType, SchemaError]

/** One pass over all entities whose records expire: how many records were cleared away. */
export async function sweepAll(
  context: RepositoryContext,
  laneOf: (db: number) => Lane,
  signal?: AbortSignal,
): Promise<number> {
  let swept = 0
  let refusal: Refused | undefined
  for (const [name, { declared }] of context.ready) {
    if (declared.entity?.role !== "record" || longestLife(declared.ttl) === undefined) continue
    const lane = laneOf(declared.db)
    for (const expiry of await expiryKeys(declared.pattern, lane))
      try {
        swept += await sweep(context, name, lane, expiry, signal)
      } catch (error) {
        // What one entity meets, such as a key of another type, does not keep the others waiting.
        if (!(error instanceof Refused)) throw error
        refusal ??= error
      }
  }
  if (refusal) throw refusal
  return swept
}

/** In a cluster there is one for each hash tag: they are looked for. */
async function expiryKeys(pattern: string, lane: Lane): Promise<string[]> {
  if (!lane.driver.cluster) return [expiryKey(pattern, "", false)]
  const found: string[] = []
  for await (const key of scanKeys(lane.driver, `${EXPIRY}*`)) if (key.endsWith(pattern)) found.push(key)
  return found
}

async function sweep(
  context: RepositoryContext,
  name: string,
  lane: Lane,
  expiry: string,
  signal?: AbortSignal,
): Promise<number> {
  const patterns = endingPatterns(context.keyspace, name)
  let swept = 0
  let left: number | undefined
  for (;;) {
    const due = await dueMembers(lane, expiry)
    if (due.length === 0 || signal?.aborted) return swept
    const endings = new Map(due.map((member) => [member, readEnding(member, patterns)]))
    const known = [...endings].filter((entry): entry is [string, EndedRecord] => entry[1] !== undefined)
    const foreign = due.filter((member) => !endings.get(member))
    if (foreign.length > 0) await lane.send(["ZREM", expiry, ...foreign], { safe: true })
    const keys = known.flatMap(([, { record, entries, owned }]) => [record, ...entries, ...owned])
    const args = known.flatMap(([member, { id, entries, owned }]) => [
      member,
      patterns.form.stored(id),
      patterns.form.forms(id).at(-1)!,
      String(entries.length),
      String(owned.length),
    ])
    const [count, ...alive] = listOf(await lane.script(sweepScript, [expiry, ...keys], args, { safe: true }))
    const done = asNumber(count!)
    swept += done
    let settled = foreign.length
    for (const member of alive.map(textOf)) {
      const ending = endings.get(member)
      if (ending && (await settleAlive(context, name, lane, expiry, member, ending))) settled++
    }
    if (due.length < CHUNK || done + settled === 0) return swept
    left = left === undefined ? 2 * (await dueCount(lane, expiry)) : left - due.length
    if (left <= 0) return swept
  }
}

/** What is due now, so that a pass ends whatever the server says: what becomes due meanwhile is for the next one. */
async function dueCount(lane: Lane, expiry: string): Promise<number> {
  const count = asNumber(await lane.send(["ZCOUNT", expiry, "-inf", String(await serverTime(lane))], { safe: true }))
  const place = new ScanCursor("ZCOUNT")
  place.advance(expiry, count)
  if (place.isLong) await place.requireRoom(lane.driver)
  return count
}

async function dueMembers(lane: Lane, expiry: string): Promise<string[]> {
  const range = ["ZRANGE", expiry, "-inf", String(await serverTime(lane)), "BYSCORE", "LIMIT", "0", String(CHUNK)]
  return (await lane.send(range, { safe: true })) as string[]
}

async function serverTime(lane: Lane): Promise<number> {
  // In a cluster each node has its own clock: the script uses the right one.
  if (lane.driver.cluster) return Date.now()
  const [seconds, micros] = (await lane.send(["TIME"], { safe: true })) as [string, string]
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
}

/** A record that is there although its deadline has passed: created again with other values, or its TTL was changed by hand. */
async function settleAlive(
  context: RepositoryContext,
  name: string,
  lane: Lane,
  expiry: string,
  member: string,
  ending: EndedRecord,
): Promise<boolean> {
  const { id, record } = ending
  const later = async () =>
    lane.send(["ZADD", expiry, "XX", String((await serverTime(lane)) + LATER_MS), member], { safe: true })
  try {
    const repository = repositoryFor(context, name, lane, record)
    if (!repository) return (await later()) !== undefined
    const loaded = await loadOne(repository, id, atPrimary())
    if (!loaded) return false // It expired just now: the next pass clears it away.
    const next = repository.expiryNote(id, loaded.document)
    const kept = new Set(readEnding(next, endingPatterns(context.keyspace, name))!.entries)
    const left = Number(await lane.send(["PTTL", record], { safe: true }))
    if (left === 0) return false // It expires within this millisecond.
    const plan = new Plan()
    repository.expectUnchanged(plan, id, loaded)
    for (const key of ending.entries) {
      if (kept.has(key)) continue
      for (const stored of repository.form.forms(id)) plan.writes.push({ write: "remove-by-type", key, member: stored })
    }
    if (member !== next || left <= 0) plan.write("ZREM", expiry, member)
    if (left > 0) plan.writes.push({ write: "note-end", key: expiry, member: next, ms: left })
    await carryOut(plan, lane)
    return true
  } catch (error) {
    // Changed just now: the change has noted its end. Not readable: others go first, and this one is tried again later.
    if (error instanceof Conflict) return false
    if (!UNREADABLE.some((type) => error instanceof type)) throw error
    return (await later()) !== undefined
  }
}

/** The repository of a record, with the parameters of its scope bound as its key says. */
function repositoryFor(context: RepositoryContext, name: string, lane: Lane, record: string): Repository | undefined {
  const { declared } = context.ready.get(name)!
  const names = Object.keys(declared.params)
  const found = keyFormat(declared.pattern, { ...declared.params, [names.at(-1)!]: text }).parse(record)
  if (!found) return undefined
  const { [names.at(-1)!]: _id, ...bound } = found
  return new Repository(context, name, lane, bound)
}
