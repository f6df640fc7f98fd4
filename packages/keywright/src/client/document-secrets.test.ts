/* Documents of which a field is listed as secret, or repeats a secret part of their key: whatever a validator says of
 * them, and whatever is stored instead of them, no error shows that field. */

import { inspect } from "node:util"
import type { StandardSchemaV1 } from "@standard-schema/spec"
import { type } from "arktype"
import * as v from "valibot"
import { afterAll, beforeAll, expect, it } from "vitest"
import * as z from "zod"
import { anyOf } from "../schema/codec/any-of.ts"
import type { Codec } from "../schema/codec/codec.ts"
import { delimited, many } from "../schema/codec/delimited.ts"
import { jackson } from "../schema/codec/jackson.ts"
import { json } from "../schema/codec/json.ts"
import { messagePack } from "../schema/codec/message-pack.ts"
import { int } from "../schema/codec/number.ts"
import { quoted } from "../schema/codec/quoted.ts"
import { text } from "../schema/codec/text.ts"
import { optional, secret } from "../schema/codec/wrap.ts"
import { hash, list, map, set, string, zset } from "../schema/define.ts"
import { entity } from "../schema/entity.ts"
import { keyspace } from "../schema/keyspace.ts"
import type { ClientOf } from "./client.ts"
import { connect } from "./connect.ts"
import { onAnyServer, type TestServer } from "./servers.cases.ts"

const CANARY = "canary9secret"
interface Card {
  readonly id: string
  readonly pin?: unknown
}

const quoting = (name: string) => ({
  error: ({ input }: { input?: unknown }) => `bad ${name} ${JSON.stringify(input)}`,
})
const digits = z.string().regex(/^\d+$/)
/** Validators that quote what they refuse, and a document that each refuses. */
const validators: Readonly<Record<string, readonly [schema: StandardSchemaV1<unknown>, pin: unknown]>> = {
  zod: [z.object({ id: z.string(), pin: z.string().refine((pin) => /^\d+$/.test(pin), quoting("pin")) }), CANARY],
  "zod, of the whole document": [z.object({ id: z.string() }).refine(() => false, quoting("card")), CANARY],
  "zod, of keys in the field": [z.strictObject({ id: z.string(), pin: z.record(digits, z.number()) }), { [CANARY]: 1 }],
  "zod, that throws": [
    z
      .object({ id: z.string() })
      .loose()
      .refine((card) => {
        throw new Error(JSON.stringify(card))
      }),
    CANARY,
  ],
  valibot: [v.object({ id: v.string(), pin: v.pipe(v.string(), v.digits()) }), CANARY],
  arktype: [type({ id: "string", pin: "/^\\d+$/" }), CANARY],
}

function schemaOf(schema: StandardSchemaV1<unknown>) {
  const card = json(schema)
  return keyspace(
    {
      user: entity("user:{id}", card as Codec<Card>, { ids: "given", secret: ["pin"] }),
      whole: entity("whole:{id}", secret(card) as Codec<Card>, { ids: "given" }),
      card: string("card:{id}", card, { secret: ["pin"] }),
      all: string("all:{id}", card, { secret: true }),
      ofKey: string("of-key:{pin}:{id}", card, { params: { pin: secret(text) } }),
      packed: string("packed:{id}", messagePack(card), { secret: ["pin"] }),
      typed: string("typed:{id}", jackson(schema, { type: "com.shop.Card" }), { secret: ["pin"] }),
      cards: list("cards:{id}", card, { secret: ["pin"] }),
      cardSet: set("card-set:{id}", card, { secret: ["pin"] }),
      ranked: zset("ranked:{id}", card, { secret: ["pin"] }),
      named: map("named:{id}", text, card, { secret: ["pin"] }),
    },
    { ttl: "never" },
  )
}
type Db = ClientOf<ReturnType<typeof schemaOf>>

const printed = (error: unknown): string =>
  [inspect(error, { depth: 20, showHidden: true, getters: true }), String(error), JSON.stringify(error)].join("\n")

onAnyServer("a document with a secret field is not quoted", (server) => {
  for (const [name, [schema, pin]] of Object.entries(validators)) {
    let db: Db
    beforeAll(async () => void (db = await connect(schemaOf(schema), server().target)))
    afterAll(() => db?.$close())

    it(`by ${name}: what is to be written`, async () => {
      const bad = { id: "1", pin } as Card
      await expectSilence(writesOf(db, bad))
    })

    it(`by ${name}: what is stored`, async () => {
      await expectSilence(await readsOf(db, server(), JSON.stringify({ id: "1", pin })))
    })

    it(`by ${name}: what is stored, and not a whole document`, async () => {
      for (const raw of [`{"id":"1","pin":"${CANARY}`, `"${CANARY}"`, CANARY])
        await expectSilence(await readsOf(db, server(), raw))
    })
  }

  it("nor are columns of which one is listed", async () => {
    const row = delimited("|", { name: text, pin: text })
    const db = await connect(
      keyspace(
        {
          rows: list("rows", many(row, ";"), { secret: ["pin"] }),
          one: hash("one", { row: optional(row) }, { secret: ["pin"] }),
        },
        { ttl: "never" },
      ),
      server().target,
    )
    await db.$driver().send(["RPUSH", "rows", `a|b|${CANARY}`])
    await db.$driver().send(["HSET", "one", "row", `a|b|${CANARY}`])
    await expectSilence({
      "what is stored": () => db.rows().range(0, 5),
      "in a hash": () => db.one().get(),
      "what is to be written": () => db.rows().pushLeft([{ name: "a", pin: `|${CANARY}` }]),
    })
    await db.$close()
  })

  it("nor are documents in lists, choices, columns and quotes", async () => {
    const card = json(z.object({ pin: z.string().regex(/^\d+$/) }))
    const composites = {
      many: many(card, "#"),
      any: anyOf(int, card),
      row: delimited("#", { n: int, card }),
      quoted: quoted(card),
    }
    const bad = { pin: CANARY }
    const values = { many: [bad], any: bad, row: { n: 1, card: bad }, quoted: bad }
    const raw = JSON.stringify(bad)
    const texts = { many: raw, any: raw, row: `1#${raw}`, quoted: raw }
    for (const [name, codec] of Object.entries(composites) as [keyof typeof values, Codec<unknown>][]) {
      const db = await connect(
        keyspace(
          { list: list("list", codec, { secret: ["pin"] }), hash: hash("hash", { codec }, { secret: ["pin"] }) },
          { ttl: "never" },
        ),
        server().target,
      )
      for (const text of [texts[name], texts[name].slice(0, -1), `${CANARY}#`]) {
        await db.$driver().send(["DEL", "list"])
        await db.$driver().send(["RPUSH", "list", text])
        await db.$driver().send(["HSET", "hash", "codec", text])
        await expectSilence({
          [`${name}: ${text}`]: () => db.list().range(0, 5),
          [`${name} in a hash: ${text}`]: () => db.hash().get(),
          [`${name} to be written`]: () => db.list().pushLeft(values[name]),
          [`${name} to be written to a hash`]: () => db.hash().set({ codec: values[name] }),
        })
      }
      await db.$close()
    }
  })

  it("nor is a score where all of a key is secret", async () => {
    const scores = zset("scores", text, { score: int({ max: 100 }), secret: true })
    const db = await connect(keyspace({ scores }, { ttl: "never" }), server().target)
    await db.$driver().send(["ZADD", "scores", "4711.5", "a"])
    for (const call of [
      () => db.scores().add("b", 4711),
      () => db.scores().score("a"),
      () => db.scores().increment("a", 0),
    ]) {
      const error = await call().catch((caught: unknown) => caught)
      expect(error).toBeInstanceOf(Error)
      expect(printed(error)).not.toContain("4711")
    }
    expect(await db.scores().add("c", 7)).toBe(true)
    expect(await db.scores().increment("c", 1)).toBe(8)
    await db.$close()
  })

  it("the fields beside it are named, and said to be wrong", async () => {
    const card = json(z.object({ id: z.string(), pin: digits, n: z.number() }))
    const db = await connect(
      keyspace({ card: string("card", card, { secret: ["pin"], ttl: "never" }) }),
      server().target,
    )
    const error = await db
      .card()
      .set({ id: "1", pin: CANARY, n: "x" } as never)
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({
      code: "CODEC.JSON_SCHEMA",
      details: { issues: ["pin: does not fit", expect.stringMatching(/^n: .*number/)] },
    })
    await db.$close()
  })
})

async function expectSilence(calls: Readonly<Record<string, () => Promise<unknown>>>): Promise<void> {
  const shown: string[] = []
  for (const [name, call] of Object.entries(calls)) {
    const error = await call().then(
      () => "no error",
      (caught: unknown) => caught,
    )
    if (error === "no error" || printed(error).includes(CANARY)) shown.push(`${name}: ${String(error)}`)
  }
  expect(shown).toEqual([])
}

const id = "1"
const writesOf = (db: Db, bad: Card): Readonly<Record<string, () => Promise<unknown>>> => ({
  create: () => db.user.create(bad),
  transaction: () => db.$transaction((t) => t.user.create(bad)),
  whole: () => db.whole.create(bad),
  string: () => db.card({ id }).set(bad),
  all: () => db.all({ id }).set(bad),
  key: () => db.ofKey({ id, pin: "x" }).set(bad),
  packed: () => db.packed({ id }).set(bad),
  typed: () => db.typed({ id }).set(bad),
  list: () => db.cards({ id }).pushLeft(bad),
  set: () => db.cardSet({ id }).add(bad),
  zset: () => db.ranked({ id }).add(bad, 1),
  map: () => db.named({ id }).set("a", bad),
})

async function readsOf(
  db: Db,
  { raw: send }: TestServer,
  raw: string,
): Promise<Readonly<Record<string, () => Promise<unknown>>>> {
  for (const key of ["user:1", "whole:1", "card:1", "all:1", "of-key:x:1", "packed:1", "typed:1"])
    await send("SET", key, raw)
  await send("DEL", "cards:1", "card-set:1", "ranked:1", "named:1")
  await send("RPUSH", "cards:1", raw)
  await send("SADD", "card-set:1", raw)
  await send("ZADD", "ranked:1", "1", raw)
  await send("HSET", "named:1", "a", raw)
  return {
    get: () => db.user.get(id),
    update: () => db.user.update(id, { pin: [CANARY] }),
    transaction: () => db.$transaction((t) => t.user.get(id)),
    whole: () => db.whole.get(id),
    string: () => db.card({ id }).get(),
    all: () => db.all({ id }).get(),
    key: () => db.ofKey({ id, pin: "x" }).get(),
    packed: () => db.packed({ id }).get(),
    typed: () => db.typed({ id }).get(),
    list: () => db.cards({ id }).range(0, -1),
    set: () => db.cardSet({ id }).members(),
    zset: () => db.ranked({ id }).range(0, -1),
    map: () => db.named({ id }).all(),
  }
}
