/* Promise: what a transaction returns, and what it throws, was decided on a state that
 * existed. A writer moves amounts between two keys, so that their sum is always 100;
 * readers look at them one after another. */

import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as z from "zod"
import { isFull } from "../../../../../test/full.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, map } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { keyspace } from "../../schema/keyspace.ts"
import type { ClientOf } from "../client.ts"
import { connect } from "../connect.ts"
import { onBothServers } from "../servers.cases.ts"

const schema = keyspace(
  {
    account: entity("account:{id}", json(z.object({ id: z.string(), amount: z.int() }))),
    purse: entity("purse:{id}", { id: text, amount: int }),
    plain: counter("plain:{id}"),
    both: map("both", text, int),
  },
  { ttl: "never" },
)
const READS = isFull ? 2000 : 75

for (const lastSeen of [false, true])
  onBothServers(`a transaction ${lastSeen ? "on what was last seen " : ""}sees one state`, (server) => {
    let db: ClientOf<typeof schema>
    let rival: ClientOf<typeof schema>
    beforeAll(async () => {
      db = await connect(schema, server().target)
      rival = await connect(schema, server().target)
    })
    afterAll(async () => {
      await rival?.$close()
      await db?.$close()
    })

    /** Moves amounts while `body` runs. */
    async function whileMoving(body: () => Promise<void>): Promise<void> {
      for (const id of ["a", "b"]) {
        await db.account.upsert({ id, amount: 50 })
        await db.purse.upsert({ id, amount: 50 })
        await db.plain({ id }).set(50)
      }
      const over = new AbortController()
      const moving = (async () => {
        for (let i = 0; !over.signal.aborted; i++) {
          const by = i % 2 === 0 ? 7 : -7
          await rival.$transaction(
            async (t) => {
              for (const [id, change] of [
                ["a", by],
                ["b", -by],
              ] as const) {
                await t.account.update(id, ({ amount }) => ({ amount: amount + change }))
                await t.purse.update(id, ({ amount }) => ({ amount: amount + change }))
                await t.$blind.plain({ id }).increment(change)
              }
            },
            { timeoutMs: 20_000, lastSeen },
          )
          await sleep(Math.random() * 3)
        }
      })()
      try {
        await body()
      } finally {
        over.abort()
        await moving
      }
    }

    test("that only reads, one key after another: of records, hashes and plain keys", async () => {
      await whileMoving(async () => {
        for (let i = 0; i < READS; i++) {
          const sums = await db.$transaction(
            async (t) => {
              const one = (await t.account.get("a"))!.amount + (await t.account.get("b"))!.amount
              const two = (await t.purse.get("a"))!.amount + (await t.purse.get("b"))!.amount
              const three = Number(await t.plain({ id: "a" }).get()) + Number(await t.plain({ id: "b" }).get())
              return [one, two, three]
            },
            { timeoutMs: 20_000, lastSeen },
          )
          expect(sums).toEqual([100, 100, 100])
        }
      })
    })

    test("that only reads a few records, one after another", async () => {
      await whileMoving(async () => {
        for (let i = 0; i < READS; i++) {
          const [a, b] = await db.$transaction(async (t) => [await t.account.get("a"), await t.account.get("b")], {
            timeoutMs: 20_000,
            lastSeen,
          })
          expect(a!.amount + b!.amount).toBe(100)
        }
      })
    })

    test("that only reads, all at once", async () => {
      await whileMoving(async () => {
        for (let i = 0; i < READS; i++) {
          const [a, b, c, d, e, f] = await db.$transaction(
            (t) =>
              Promise.all([
                t.account.get("a"),
                t.account.get("b"),
                t.purse.get("a"),
                t.purse.get("b"),
                t.plain({ id: "a" }).get(),
                t.plain({ id: "b" }).get(),
              ]),
            { lastSeen },
          )
          expect([a!.amount + b!.amount, c!.amount + d!.amount, Number(e) + Number(f)]).toEqual([100, 100, 100])
        }
      })
    })

    test("that throws: never because of a state that did not exist", async () => {
      await whileMoving(async () => {
        for (let i = 0; i < READS; i++) {
          await db.$transaction(
            async (t) => {
              const [a, b] = [(await t.account.get("a"))!.amount, (await t.purse.get("b"))!.amount]
              if (a + b !== 100) throw new Error(`impossible: ${a} + ${b}`)
            },
            { timeoutMs: 20_000, lastSeen },
          )
        }
      })
    })

    test("an error of the work reaches the caller as it is", async () => {
      const error = new Error("sold out")
      const work = db.$transaction(
        async (t) => {
          await t.plain({ id: "a" }).get()
          await t.plain({ id: "b" }).get()
          await t.plain({ id: "c" }).increment()
          throw error
        },
        { lastSeen },
      )
      await expect(work).rejects.toBe(error)
      expect(await server().keys()).toEqual([])
    })

    test.each([
      ["get", (t: never) => (t as typeof db).account.get("new")],
      ["exists", (t: never) => (t as typeof db).account.exists("new")],
      ["nothing", async () => undefined],
    ])(
      "racing creators that looked by %s first decide again: nobody is refused by what came after",
      async (_, look) => {
        const make = () =>
          db.$transaction(
            async (t) => {
              if (await look(t as never)) return "there"
              try {
                await t.account.create({ id: "new", amount: 1 })
              } catch (error) {
                return (error as { code: string }).code
              }
              return "created"
            },
            { lastSeen },
          )
        const results = await Promise.all(Array.from({ length: 30 }, make))
        expect(results.filter((result) => result === "created")).toHaveLength(1)
        expect(new Set(results)).toEqual(new Set(["created", _ === "nothing" ? "ENTITY.EXISTS" : "there"]))
      },
    )
  })
