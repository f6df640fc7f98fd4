/* The sweeper: index entries of expired records go within seconds, without relying
 * on keyspace notifications. Every save of a record with a TTL notes its deadline and
 * its entries in a sorted set; what is due there is checked and removed by a script.
 * Two sweepers at once, or one that dies half-way, do no harm. */

import type { Reply } from "../../driver/driver.ts"
import { sweepScript } from "../lua/index.ts"
import { Plan } from "../plan.ts"
import { loadOne } from "./reads.ts"
import type { Repository } from "./repository.ts"

const CHUNK = 100

/** One pass: removes what is due, and says how many records it was. */
export async function sweep(repository: Repository, signal?: AbortSignal): Promise<number> {
  const { lane, expiry, list } = repository
  let swept = 0
  for (;;) {
    const due = await dueMembers(repository)
    if (due.length === 0 || signal?.aborted) return swept
    const parsed = due.map((member) => ({ member, ...read(member) }))
    const keys = parsed.flatMap(({ id, keys: entries }) => [repository.head + id + repository.tail, ...entries])
    const args = parsed.flatMap(({ member, id, keys: entries }) => [member, id, String(entries.length)])
    const [done, ...alive] = (await lane.script(sweepScript, [expiry, list ?? expiry, ...keys], args, {
      safe: true,
    })) as [number, ...string[]]
    swept += done
    for (const member of alive) await settleAlive(repository, member)
    if (due.length < CHUNK) return swept
  }
}

async function dueMembers({ lane, expiry }: Repository): Promise<string[]> {
  const [seconds, micros] = (await lane.send(["TIME"], { safe: true })) as [string, string]
  const now = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000)
  return (await lane.send(["ZRANGE", expiry, "-inf", String(now), "BYSCORE", "LIMIT", "0", String(CHUNK)], {
    safe: true,
  })) as string[]
}

/** A record that is there although its deadline has passed: created again with other values, or its TTL was changed by hand. */
async function settleAlive(repository: Repository, member: string): Promise<void> {
  const { id, keys } = read(member)
  const loaded = await loadOne(repository, id)
  if (!loaded) return // It expired just now: the next pass removes its entries.
  const current = new Set(repository.entriesOf(loaded.document).map(({ key }) => key))
  const plan = new Plan()
  repository.expectUnchanged(plan, id, loaded)
  for (const key of keys) if (!current.has(key)) plan.write("SREM", key, id)
  const left = (await repository.lane.send(["PTTL", repository.keyOf(id)], { safe: true })) as Reply
  plan.write("ZREM", repository.expiry, member)
  if (typeof left === "number" && left > 0)
    plan.write("ZADDIN", repository.expiry, String(left), repository.notedExpiry(id, loaded.document))
  await plan.carryOut(repository.lane)
}

function read(member: string): { id: string; keys: string[] } {
  const [id, ...keys] = JSON.parse(member) as string[]
  return { id: id!, keys }
}
