/* Promise: inside a transaction every call answers as it would outside, with the
 * transaction's own writes counted in, or it is refused, and then nothing is written.
 *
 * Any two calls of a kind are made one after the other, outside and then inside of a
 * transaction, on the same state; answers and what raw Redis holds are compared. The
 * short run makes every call alone, and some of the pairs. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { KeywrightError } from "../../errors/error.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { everyKind, type KindCall, kinds } from "./every-pair.cases.ts"

/** One in this many of the pairs. */
const STEP = isFull ? 1 : 29

interface Made {
  readonly answers: readonly string[]
  /** The code of the error that ended it. */
  readonly code?: string
}

const shown = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (value === undefined ? "undefined" : value)) ?? "undefined"

async function make(calls: readonly KindCall[], db: Parameters<KindCall>[0]): Promise<Made> {
  const answers: string[] = []
  try {
    for (const call of calls) answers.push(shown(await call(db)))
    return { answers }
  } catch (error) {
    return { answers, code: error instanceof KeywrightError ? error.code : String(error) }
  }
}

describe.runIf(needs("redis-server"))("any two calls inside a transaction", () => {
  let server: RealRedis
  let db: ClientOf<typeof everyKind>
  const raw = (...command: readonly string[]) => db.$driver().send(command)
  beforeAll(async () => {
    server = await startRedis()
    db = await connect(everyKind, server.url)
  })
  afterAll(async () => {
    await db?.$close()
    await server?.stop()
  })

  async function put(state: readonly (readonly string[])[]): Promise<void> {
    await raw("FLUSHALL")
    for (const command of state) await raw(...command)
  }

  /** What every key holds, and whether it expires. */
  async function stored(): Promise<string> {
    const keys = ((await raw("KEYS", "*")) as string[]).filter((key) => !key.startsWith("keywright:")).sort()
    const all = keys.map(async (key) => [key, await contents(key), Number(await raw("PTTL", key)) > 0])
    return JSON.stringify(await Promise.all(all))
  }

  async function contents(key: string): Promise<unknown> {
    switch (await raw("TYPE", key)) {
      case "string":
        // Counting a HyperLogLog changes its bytes: it keeps the number.
        return key === "seen" ? raw("PFCOUNT", key) : raw("GET", key)
      case "list":
        return raw("LRANGE", key, "0", "-1")
      case "set":
        return ((await raw("SMEMBERS", key)) as string[]).sort()
      case "hash":
        return ((await raw("HGETALL", key)) as string[])
          .map((word, i, all) => (i % 2 ? all[i - 1]! : word) + word)
          .sort()
      case "zset":
        return raw("ZRANGE", key, "0", "-1", "WITHSCORES")
      default:
        return raw("XRANGE", key, "-", "+")
    }
  }

  /** What differs, in words; undefined: nothing. */
  async function difference(state: readonly (readonly string[])[], calls: readonly KindCall[]) {
    await put(state)
    const before = await stored()
    const outside = await make(calls, db)
    const after = await stored()
    await put(state)
    let inside: Made = { answers: [] }
    const refusal = await db
      .$transaction(async (t) => {
        inside = await make(calls, t as never)
        if (inside.code !== undefined) throw new Error(inside.code)
      })
      .catch((error: unknown) => (error instanceof KeywrightError ? error.code : (error as Error).message))
    const now = await stored()
    if (refusal !== undefined) {
      if (now !== before) return `refused with ${refusal}, and yet ${before} became ${now}`
      const isKnown = refusal.startsWith("TRANSACTION.") || refusal === outside.code
      return isKnown && refusal !== "TRANSACTION.CONTENDED"
        ? undefined
        : `refused with ${refusal} instead of ${outside.code}`
    }
    if (String(inside.answers) !== String(outside.answers) || outside.code !== undefined)
      return `answered ${inside.answers.join()} instead of ${outside.answers.join()} ${outside.code ?? ""}`
    return now === after ? undefined : `left ${now} instead of ${after}`
  }

  for (const [kind, { states, calls }] of Object.entries(kinds))
    test(`${kind}: answered as outside, or refused`, async () => {
      const all = Object.entries(calls)
      const pairs = all.flatMap((one) => all.map((other) => [one, other])).filter((_, i) => i % STEP === 0)
      const found: string[] = []
      for (const sequence of [...all.map((one) => [one]), ...pairs])
        for (const [i, state] of states.entries()) {
          const other = await difference(
            state,
            sequence.map(([, call]) => call),
          )
          const names = sequence.map(([name]) => name).join(", then ")
          if (other !== undefined) found.push(`${names} (state ${i}): ${other}`)
        }
      expect(found).toEqual([])
    })
})
