/* A canary in every secret place, and everything that a program logs in passing: errors,
 * handles, clients and drivers, printed as deep as it goes. */

import { inspect } from "node:util"
import { describe, expect, it } from "vitest"
import * as z from "zod"
import { json } from "../schema/codec/json.ts"
import { int } from "../schema/codec/number.ts"
import { text } from "../schema/codec/text.ts"
import { secret } from "../schema/codec/wrap.ts"
import { hash, list, map, set, stream, string, zset } from "../schema/define.ts"
import { entity } from "../schema/entity.ts"
import { scope } from "../schema/group.ts"
import { keyspace } from "../schema/keyspace.ts"
import { onEveryDriver } from "./on-every-driver.cases.ts"

const CANARY = "canary9secret"

const User = z.object({ id: z.string(), email: z.string(), pin: z.string().optional(), city: z.string().optional() })
const params = { token: secret(text) }

const schema = keyspace(
  {
    session: string("session:{token}", secret(text), { params }),
    profile: hash("profile:{token}", { age: int }, { params }),
    tags: set("tags:{token}", int, { params }),
    marks: zset("marks:{token}", int, { params }),
    log: list("log:{token}", int, { params }),
    state: map("state:{token}", text, int, { params }),
    events: stream("events:{token}", { n: int }, { params }),
    area: scope(
      "area:{token}:",
      {
        note: string("note:{id}", text),
        room: entity("room:{id}", json(z.object({ id: z.string() })), { counter: "room:counter", ids: "counter" }),
      },
      { params },
    ),
    user: entity("user:{id}", json(User), {
      unique: { email: "user:email:{email}" },
      index: { city: "user:city:{city}", pin: "user:pin:{pin}" },
      secret: ["email", "pin"],
    }),
    badge: entity("badge:{id}", { id: text, pin: int }, { secret: ["pin"], index: { pin: "badge:pin:{pin}" } }),
    door: hash("door:{token}", { token: int, pin: int }, { params, secret: ["pin"] }),
    whole: string("whole:{id}", int, { secret: true }),
    wholes: set("wholes:{id}", int, { secret: true }),
    allFields: hash("all-fields:{id}", { n: int }, { secret: true }),
    papers: hash("papers:{id}", { user: json(User) }, { secret: ["email"] }),
    entries: stream("entries:{id}", { pin: int }, { secret: ["pin"] }),
    /** Its id is the secret. */
    device: entity(
      "device:{key}",
      { key: secret(text), name: text, owner: text },
      {
        params: { key: secret(text) },
        unique: { name: "device:name:{name}" },
        index: { owner: "device:owner:{owner}" },
      },
    ),
  },
  { ttl: "never" },
)

/** All that a log could print of it. */
const printed = (value: unknown): string =>
  [
    inspect(value, { depth: Infinity, showHidden: true, getters: false }),
    String(value),
    JSON.stringify(value),
    ...(value instanceof Error ? [value.message, value.stack, JSON.stringify({ ...value })] : []),
  ].join("\n")

const failure = async (call: () => Promise<unknown>): Promise<Error> => {
  try {
    await call()
  } catch (error) {
    return error as Error
  }
  throw new Error("nothing was refused")
}

onEveryDriver(schema, (on) => {
  const expectHidden = async (code: string, call: () => Promise<unknown>): Promise<Error> => {
    const error = await failure(call)
    expect(error).toMatchObject({ code })
    expect(printed(error)).not.toContain(CANARY)
    return error
  }

  describe("errors hide", () => {
    it("a unique value that is a secret field", async () => {
      await on.db.user.create({ id: "1", email: CANARY })
      const taken = await expectHidden("INDEX.UNIQUE_TAKEN", () => on.db.user.create({ id: "2", email: CANARY }))
      expect(taken).toMatchObject({ key: "user:email:…", details: { entity: "user", index: "email", holder: "1" } })
      await on.db.user.create({ id: "3", email: "c" })
      await expectHidden("INDEX.UNIQUE_TAKEN", () => on.db.user.update("3", { email: CANARY }))
      await expectHidden("INDEX.UNIQUE_TAKEN", () =>
        on.db.$transaction(async (tx) => void (await tx.user.create({ id: "4", email: CANARY }))),
      )
    })

    it("the id of the one that has it, and of the one that wants it", async () => {
      await on.db.device.create({ key: CANARY, name: "a", owner: "o" })
      const taken = await expectHidden("INDEX.UNIQUE_TAKEN", () =>
        on.db.device.create({ key: `${CANARY}2`, name: "a", owner: "o" }),
      )
      expect(taken).toMatchObject({ key: "device:name:a", details: { holder: "…" } })
    })

    it("the id of a record that is there, is not there, has changed, or cannot change", async () => {
      const made = await on.db.device.create({ key: CANARY, name: "a", owner: "o" })
      await expectHidden("ENTITY.EXISTS", () => on.db.device.create({ key: CANARY, name: "b", owner: "o" }))
      await expectHidden("ENTITY.NOT_FOUND", () => on.db.device.update(`${CANARY}2`, { name: "b" }))
      await expectHidden("ENTITY.CHANGED", () => on.db.device.update(CANARY, { name: "b" }, { version: "old" }))
      await expectHidden("ENTITY.ID_FIXED", () => on.db.device.update(made, { key: `${CANARY}2` } as never))
      await expectHidden("ENTITY.EXISTS", () =>
        on.db.$transaction(async (tx) => void (await tx.device.create({ key: CANARY, name: "c", owner: "o" }))),
      )
      await expectHidden("ENTITY.NOT_FOUND", () =>
        on.db.$transaction(async (tx) => void (await tx.device.update(`${CANARY}3`, { name: "c" }))),
      )
    })

    it("keys that hold another type, those of indexes too", async () => {
      await on.raw("SET", `user:pin:${CANARY}`, "x")
      await expectHidden("ENTITY.WRONG_TYPE", () => on.db.user.create({ id: "1", email: "a", pin: CANARY }))
      await on.raw("LPUSH", `device:${CANARY}`, "x")
      await expectHidden("SERVER.WRONGTYPE", () => on.db.device.get(CANARY))
      await on.raw("LPUSH", `user:email:${CANARY}`, "x")
      await expectHidden("SERVER.WRONGTYPE", () => on.db.user.find("email", { email: CANARY }))
    })

    it("fields that are listed as secret, or that repeat a secret part of the key", async () => {
      await on.raw("HSET", "badge:1", "id", "1", "pin", CANARY)
      await expectHidden("VALUE.UNDECODABLE", () => on.db.badge.get("1"))
      await expectHidden("CODEC.INT", () => on.db.badge.list("pin", { pin: CANARY as never }))
      await expectHidden("CODEC.INT", () => on.db.badge.count("pin", { pin: CANARY as never }))
      await on.raw("HSET", `door:${CANARY}`, "token", CANARY, "pin", CANARY)
      const door = on.db.door({ token: CANARY })
      await expectHidden("VALUE.UNDECODABLE", () => door.get("pin"))
      await expectHidden("VALUE.UNDECODABLE", () => door.get("token"))
      await expectHidden("VALUE.UNDECODABLE", () => door.get())
      await expectHidden("CODEC.INT", () => door.set({ pin: CANARY } as never))
      for (const command of ["SET whole:1", "SADD wholes:1", "HSET all-fields:1 n"])
        await on.raw(...command.split(" "), CANARY)
      await expectHidden("VALUE.UNDECODABLE", () => on.db.whole({ id: "1" }).get())
      await expectHidden("VALUE.UNDECODABLE", () => on.db.wholes({ id: "1" }).members())
      await expectHidden("VALUE.UNDECODABLE", () => on.db.allFields({ id: "1" }).get())
      await expectHidden("CODEC.INT", () => on.db.whole({ id: "1" }).set(CANARY as never))
      await on.raw("HSET", "papers:1", "user", `{"id":"1","email":"${CANARY}`)
      await expectHidden("VALUE.UNDECODABLE", () => on.db.papers({ id: "1" }).get())
      await on.raw("XADD", "entries:1", "1-1", "pin", CANARY)
      await expectHidden("VALUE.UNDECODABLE", () => on.db.entries({ id: "1" }).range("-", "+"))
    })

    it("a counter that no id can be taken from, in a scope that is secret", async () => {
      await on.raw("SET", `area:${CANARY}:room:counter`, "no number")
      await expectHidden("ENTITY.COUNTER", () => on.db.area({ token: CANARY }).room.create({}))
      await on.raw("DEL", `area:${CANARY}:room:counter`)
      await on.raw("LPUSH", `area:${CANARY}:room:counter`, "x")
      await expectHidden("SERVER.WRONGTYPE", () => on.db.area({ token: CANARY }).room.create({}))
    })

    it("keys and values of single keys", async () => {
      const { session, tags, state, profile } = on.db
      const token = CANARY
      for (const name of ["session", "profile", "tags", "marks", "state", "events"])
        await on.raw("LPUSH", `${name}:${CANARY}`, "x")
      const calls: (() => Promise<unknown>)[] = [
        () => session({ token }).set(`${CANARY}x`),
        () => session({ token }).get(),
        () => profile({ token }).get(),
        () => tags({ token }).add(1),
        () => on.db.marks({ token }).add(1, 2),
        () => state({ token }).set("f", 1),
        () => on.db.events({ token }).append({ n: 1 }),
        () => on.db.$batch((tx) => [tx.tags({ token }).add(1)] as never),
        () => on.db.$multi((tx) => [tx.tags({ token }).add(1)] as never),
      ]
      for (const call of calls) {
        const error = await call().then(
          () => undefined,
          (one: unknown) => one,
        )
        expect(printed(error)).not.toContain(CANARY)
      }
      await on.raw("DEL", `tags:${CANARY}`)
      await on.raw("SADD", `tags:${CANARY}`, "no number")
      await expectHidden("VALUE.UNDECODABLE", () => tags({ token }).members())
    })
  })

  it("errors of a transaction hide keys and values, what caused them included", async () => {
    const token = CANARY
    await expectHidden("TRANSACTION.READ_AFTER_WRITE", () =>
      on.db.$transaction(async (tx) => {
        await tx.session({ token }).set(CANARY)
        await tx.session({ token }).get()
      }),
    )
    let turn = 0
    const contended = await failure(() =>
      on.db.$transaction(
        async (tx) => {
          await tx.session({ token }).get()
          await on.raw("SET", `session:${CANARY}`, String(turn++))
          await tx.$blind.tags({ token }).add(1)
        },
        { timeoutMs: 500 },
      ),
    )
    expect(printed(contended)).not.toContain(CANARY)
    await on.raw("LPUSH", `marks:${CANARY}`, "x")
    await expectHidden("TRANSACTION.WRONG_TYPE", () =>
      on.db.$transaction(async (tx) => tx.$blind.marks({ token }).add(1, 2)),
    )
    await on.raw("HSET", `state:${CANARY}`, "f", "no number")
    await expectHidden("TRANSACTION.NOT_A_NUMBER", () =>
      on.db.$transaction(async (tx) => tx.state({ token }).increment("f", 1)),
    )
  })

  it("calls without an answer, and commands that the server does not know, hide their arguments", async () => {
    const [slow, late, unknown, unsent] = await Promise.all(
      [
        () => on.raw("EVAL", "for i = 1, 3e6 do end return redis.error_reply('ERR over')", "0"),
        () => on.db.session({ token: CANARY }).set(CANARY, { timeoutMs: 5 }),
        () => on.raw("NOSUCH", CANARY, `session:${CANARY}`),
        () => on.db.session({ token: CANARY }).set(CANARY, { signal: AbortSignal.abort() }),
      ].map((call) => call().catch((error: unknown) => error)),
    )
    expect(slow).toBeInstanceOf(Error)
    expect(unknown).toMatchObject({ code: "SERVER.ERR" })
    expect(unsent).toBeInstanceOf(Error)
    for (const error of [late, unknown, unsent]) expect(printed(error)).not.toContain(CANARY)
  })

  it("handles show their pattern and their key without its secrets", async () => {
    const { session, area } = on.db
    const handles = [
      session({ token: CANARY }),
      on.db.profile({ token: CANARY }),
      on.db.tags({ token: CANARY }),
      on.db.marks({ token: CANARY }),
      on.db.log({ token: CANARY }),
      on.db.state({ token: CANARY }),
      on.db.events({ token: CANARY }),
      area({ token: CANARY }).note({ id: "7" }),
    ]
    for (const handle of handles) expect(printed([handle, { handle }])).not.toContain(CANARY)
    expect(JSON.parse(JSON.stringify(handles.at(-1)))).toEqual({
      pattern: "area:{token}:note:{id}",
      key: "area:…:note:7",
    })
    expect(inspect(handles[0])).toBe("StringHandle session:…")
    await session({ token: CANARY }).set("x")
    for await (const found of session.scan()) expect(printed(found.handle)).not.toContain(CANARY)
  })

  it("clients, groups, drivers and what they are made of show neither keys nor values", async () => {
    const { db } = on
    const bound = db.area({ token: CANARY })
    await bound.note({ id: "1" }).set(CANARY)
    await db.device.create({ key: CANARY, name: "a", owner: "o" })
    for (const one of [db, bound, bound.note, db.user, db.device, db.session, db.$driver(), db.$steps])
      expect(printed(one)).not.toContain(CANARY)
    const inside: unknown[] = []
    await db.$transaction(async (tx) => {
      await tx.device.update(CANARY, { name: "b" })
      inside.push(tx, tx.device, tx.session({ token: CANARY }))
      for (const one of inside) expect(printed(one)).not.toContain(CANARY)
    })
    expect(inside).toHaveLength(3)
  })
})
