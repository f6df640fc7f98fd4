import { expectTypeOf, test } from "vitest"
import * as z from "zod"
import { either, entity, json, keyspace, layout, text, upTo } from "../../index.ts"
import type { ClientOf } from "../client.ts"

const Ticket = json(z.object({ id: z.string(), seat: z.number() }))
const record = layout({ key: "{entity}:{id}" })
const schema = keyspace({
  bounded: entity("b:{id}", Ticket, { ttl: upTo("30d") }),
  chosen: entity("c:{id}", Ticket, { ttl: either("1h", "never") }),
  hash: entity("h:{id}", { id: text, seat: text }, { ttl: upTo("1d") }),
  laidOut: record("l", Ticket, { ttl: upTo("1d") }),
  decided: entity("d:{id}", Ticket, { ttl: "1h" }),
  lasting: entity("n:{id}", Ticket, { ttl: "never" }),
  silent: entity("s:{id}", Ticket),
})
declare const db: ClientOf<typeof schema>
const seat = { id: "1", seat: 1 }
const expireAt = new Date()

test("a life can be given where the schema has a bound, and need not be", () => {
  void (async () => {
    await db.bounded.create(seat)
    await db.bounded.create(seat, { ttl: "1h", by: "ann" })
    await db.bounded.create(seat, { expireAt })
    await db.bounded.upsert(seat, { expireAt })
    await db.bounded.update("1", { seat: 2 }, { ttl: "1h" })
    await db.bounded.replace("1", seat, { expireAt })
    await db.bounded.increment("1", "seat", 1, { ttl: "1h" })
    await db.hash.create({ id: "1", seat: "1" }, { ttl: "1h" })
    await db.laidOut.create(seat, { ttl: "1h" })
    await db.$transaction(async (t) => {
      await t.bounded.create(seat, { expireAt })
      // @ts-expect-error a decided life is not the writer's
      await t.decided.create(seat, { ttl: "1h" })
    })
    // @ts-expect-error a bound ends
    await db.bounded.create(seat, { ttl: "never" })
    // @ts-expect-error not a duration
    await db.bounded.create(seat, { ttl: 3600 })
    // @ts-expect-error not a date
    await db.bounded.create(seat, { expireAt: 3600 })
  })
})

test("one of several lives has to be chosen for what may be new", () => {
  void (async () => {
    await db.chosen.create(seat, { ttl: "1h" })
    await db.chosen.upsert(seat, { ttl: "never" })
    await db.chosen.update("1", { seat: 2 })
    await db.chosen.update("1", { seat: 2 }, { ttl: "never" })
    // @ts-expect-error which one?
    await db.chosen.create(seat)
    // @ts-expect-error which one?
    await db.chosen.upsert(seat)
    // @ts-expect-error an instant is not one of them
    await db.chosen.create(seat, { ttl: "1h", expireAt })
  })
})

test("elsewhere there is no such option", () => {
  void (async () => {
    await db.decided.create(seat, { by: "ann" })
    // @ts-expect-error the schema has decided
    await db.decided.create(seat, { ttl: "1h" })
    // @ts-expect-error the schema has decided
    await db.decided.update("1", { seat: 2 }, { expireAt })
    // @ts-expect-error it never ends
    await db.lasting.create(seat, { ttl: "1h" })
    // @ts-expect-error nobody has decided
    await db.silent.upsert(seat, { ttl: "1h" })
  })
  expectTypeOf(db.decided.create).parameters.toExtend<[unknown, unknown?]>()
})
