/* Batches behind fences, on a cluster and on one server: each record is applied once, however
 * often runs are cut short, wherever, with whatever boundaries they repeat a batch,
 * and when an earlier run still sends what nobody waits for any more. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { isFull } from "../../../../../test/full.ts"
import { needs } from "../../../../../test/needs.ts"
import { chance } from "../../../../../test/random.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import { many } from "../../schema/codec/delimited.ts"
import { int } from "../../schema/codec/number.ts"
import { counter, map } from "../../schema/define.ts"
import { fence, fencedStep } from "../../schema/fence.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { sharded } from "../../schema/sharded.ts"
import { connect } from "../connect.ts"
import { takeFences } from "./fences.ts"

const schemaOf = (shards: number) =>
  keyspace(
    {
      run: counter("run:term"),
      cursor: counter("run:cursor"),
      user: sharded(shards, "user", { total: map("total", int, int), fence: fence("fence") }),
    },
    {
      ttl: "never",
      params: { user: int },
      steps: {
        add: fencedStep({
          script: `-- KEYS[1] total  ARGV factor, n, n × (user, amount)
if redis.call("TYPE", KEYS[1]).ok == "string" then
  return redis.error_reply("TOTAL.BROKEN it is a text")
end
for i = 1, tonumber(ARGV[2]) do
  local user, amount = string.match(ARGV[2 + i], "(%d+),(%d+)")
  redis.call("HINCRBY", KEYS[1], user, ARGV[1] * amount)
end`,
          keys: ["user.total"],
          fence: "user.fence",
          args: { factor: int },
          record: many(int),
        }),
      },
    },
  )

type Db = Awaited<ReturnType<typeof open>>
const open = (shards: number, target: string) => connect(schemaOf(shards), target)

interface Row {
  readonly id: number
  readonly user: number
  readonly amount: number
}

const fencesOf = async (db: Db, more: { readonly forget?: boolean } = {}) =>
  takeFences({
    on: db,
    term: await db.run().increment(),
    all: db.user.shards().map((shard) => shard.fence()),
    of: (user: number) => db.user({ user }).fence(),
    ...more,
  })

class Killed extends Error {}

/** One run; `alive` is asked before each of its steps, and ends it where it says so. */
async function run(
  db: Db,
  rows: readonly Row[],
  size: () => number,
  alive: () => boolean,
): Promise<Promise<unknown>[]> {
  const late: Promise<unknown>[] = []
  const step = async (work: () => Promise<unknown>, answered = true): Promise<void> => {
    if (!alive()) throw Object.assign(new Killed(), { late })
    const done = work()
    done.catch(() => undefined)
    late.push(done)
    if (answered) await done
  }
  const fences = await fencesOf(db)
  let at = (await db.cursor().get()) ?? 0
  while (at < rows.at(-1)!.id) {
    const batch = rows.filter(({ id }) => id > at).slice(0, size())
    const parts = fences.split("sale", batch, ({ user }) => user)
    for (const { value, rows, sequence, fence } of parts)
      await step(
        () =>
          db.$steps.add({
            user: value,
            sequence,
            fence,
            factor: 1,
            records: rows.map(({ user, amount }) => [user, amount]),
          }),
        parts.length < 3,
      )
    await Promise.all(late)
    at = batch.at(-1)!.id
    await step(() => db.cursor().set(at))
  }
  return late
}

const totalsOf = async (db: Db): Promise<Map<number, number>> => {
  const parts = await Promise.all(db.user.shards().map((shard) => shard.total().all()))
  return new Map(parts.flatMap((part) => [...part]).sort(([a], [b]) => a - b))
}

const rowsFrom = (random: (below: number) => number, count: number): Row[] => {
  let id = 0
  return Array.from({ length: count }, () => ({
    id: (id += 1 + random(3)),
    user: 1 + random(40),
    amount: 1 + random(9),
  }))
}

const expected = (rows: readonly Row[]): Map<number, number> => {
  const totals = new Map<number, number>()
  for (const { user, amount } of rows) totals.set(user, (totals.get(user) ?? 0) + amount)
  return new Map([...totals].sort(([a], [b]) => a - b))
}

let cluster: RealCluster | undefined
const servers = [
  ["on a cluster", 64, () => cluster!.nodes[0]!.url],
  ["without shards, in memory", 0, () => "memory:"],
] as const

describe.runIf(needs("redis-server"))("batches behind fences", () => {
  beforeAll(async () => {
    cluster = await startPrimaries(3)
  })
  afterAll(() => cluster?.stop())

  describe.each(servers)("%s", (_, shards, target) => {
    let db: Db
    beforeEach(async () => {
      db = await open(shards, target())
      await db.$driver().send(["FLUSHALL"])
      return () => db.$close()
    })

    it.each(Array.from({ length: isFull ? 60 : 4 }, (_, i) => i + 1))(
      "applies each record once when runs are killed between any two steps: seed %i",
      async (seed) => {
        const random = chance(seed * 2654435761 + 1)
        const rows = rowsFrom(random, 120)
        for (let runs = 0; ; runs++) {
          let left = 1 + random(40)
          try {
            await run(
              db,
              rows,
              () => 1 + random(50),
              () => runs > 12 || left-- > 0,
            )
            break
          } catch (error) {
            if (!(error instanceof Killed)) throw error
          }
        }
        expect(await totalsOf(db)).toEqual(expected(rows))
        expect(await db.cursor().get()).toBe(rows.at(-1)!.id)
      },
    )

    it.each(Array.from({ length: isFull ? 30 : 3 }, (_, i) => i + 1))(
      "applies each record once when two runs are under way at the same time: seed %i",
      async (seed) => {
        const random = chance(seed * 2654435761 + 1)
        const rows = rowsFrom(random, 120)
        const size = () => 1 + random(30)
        const attempt = () => run(db, rows, size, () => true)
        const both = await Promise.allSettled([attempt(), attempt(), attempt()])
        for (const one of both)
          if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "FENCE.OVERTAKEN" })
        await attempt()
        expect(await totalsOf(db)).toEqual(expected(rows))
      },
    )

    it("refuses what an earlier run sends after a later one has begun", async () => {
      const rows = rowsFrom(chance(7 * 2654435761 + 1), 60)
      const old = await fencesOf(db)
      const parts = old.split("sale", rows.slice(0, 30), ({ user }) => user)
      const send = (part: (typeof parts)[number]) =>
        db.$steps.add({
          user: part.value,
          sequence: part.sequence,
          fence: part.fence,
          factor: 1,
          records: part.rows.map(({ user, amount }) => [user, amount]),
        })
      expect(await send(parts[0]!)).toBe(parts[0]!.rows.length)
      const sent = run(
        db,
        rows,
        () => 7,
        () => true,
      )
      await sent
      for (const part of parts) await expect(send(part)).rejects.toMatchObject({ code: "FENCE.OVERTAKEN" })
      expect(await totalsOf(db)).toEqual(expected(rows))
      const late = takeFences({ on: db, term: 1, all: db.user.shards().map((shard) => shard.fence()), of: () => null! })
      await expect(late).rejects.toMatchObject({ code: "FENCE.OVERTAKEN" })
    })

    it("says what an earlier run has applied, and forgets it when told", async () => {
      const rows = [1, 2, 3].map((id) => ({ id, user: 5, amount: 1 }))
      const first = await fencesOf(db)
      const [part] = first.split("sale", rows.slice(0, 2), ({ user }) => user)
      const records = part!.rows.map(({ user, amount }) => [user, amount])
      await db.$steps.add({ user: 5, sequence: "sale", fence: part!.fence, factor: 1, records })
      const next = await fencesOf(db)
      expect([2, 3].map((id) => next.isApplied("sale", 5, id))).toEqual([true, false])
      expect([next.highest("sale"), next.highest("other")]).toEqual([2, 0])
      const forgotten = await fencesOf(db, { forget: true })
      expect(forgotten.isApplied("sale", 5, 1)).toBe(false)
      expect(await db.user({ user: 5 }).fence().all()).toEqual(new Map([["term", 3]]))
    })

    it("moves no fence when the step refuses, nor past a part that was not applied", async () => {
      const fences = await fencesOf(db)
      const rows = [1, 2, 3].map((id) => ({ id, user: 5, amount: 1 }))
      const [one] = fences.split("sale", rows.slice(0, 1), ({ user }) => user)
      const [two] = fences.split("sale", rows.slice(1), ({ user }) => user)
      const send = ({ fence }: { readonly fence: readonly number[] }, count: number) =>
        db.$steps.add({
          user: 5,
          sequence: "sale",
          fence,
          factor: 1,
          records: Array.from({ length: count }, () => [5, 1]),
        })
      await expect(send(two!, 2)).rejects.toMatchObject({ code: "FENCE.GAP" })
      const { key } = db.user({ user: 5 }).total()
      await db.$driver().send(["SET", key, "text"])
      await expect(send(one!, 1)).rejects.toMatchObject({ code: "TOTAL.BROKEN" })
      await db.$driver().send(["DEL", key])
      expect([await send(one!, 1), await send(two!, 2), await send(two!, 2)]).toEqual([1, 2, 0])
      expect(await totalsOf(db)).toEqual(new Map([[5, 3]]))
    })

    it("refuses records that are not in the order of their ids, and terms that are not positive whole numbers", async () => {
      const fences = await fencesOf(db)
      const backwards = () => fences.split("sale", [{ id: 2 }, { id: 1 }], () => 5)
      expect(backwards).toThrow(expect.objectContaining({ code: "FENCE.ORDER" }))
      for (const term of [0, -1, 1.5, NaN])
        await expect(takeFences({ on: db, term, all: [], of: () => null! })).rejects.toMatchObject({
          code: "FENCE.TERM",
        })
    })
  })
})
