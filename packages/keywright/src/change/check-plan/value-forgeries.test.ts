/* Plan files that call a value, an element or a record broken which is right. All of their conditions hold on the server, and
 * each names the stored value: it is read when the plan is loaded, by the checks of the audit. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command, Wire } from "../../driver/driver.ts"
import { SAFE_BYTES } from "../../driver/safe.ts"
import {
  bitmap,
  compressed,
  entity,
  geo,
  hash,
  hyperloglog,
  id,
  int,
  json,
  keyOf,
  keyspace,
  layout,
  list,
  map,
  optional,
  secret,
  set,
  stream,
  string,
  text,
  zset,
} from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { unmangled } from "../../inspect/model/reading.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import { type Deletion, deletions } from "../make-plan/deletions.ts"
import { loadPlan } from "../make-plan/plan-file.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import { expectedOf } from "../plan/expected.ts"
import { throughFile } from "./saved-plan.cases.ts"

const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const teamId = id("team", { matching: /[a-z0-9]{1,10}/ })
const schema = keyspace(
  {
    user: record("user", json(z.object({ id: z.string(), email: z.string(), teamId: z.string(), bio: z.string() })), {
      unique: { email: "email" },
      index: { team: "teamId" },
    }),
    team: record("team", json(z.object({ id: z.string() }))),
    acct: entity(
      "acct:{id}",
      { id: text, email: text, note: optional(text) },
      { unique: { email: "acct-email:{email}" } },
    ),
    owned: string("owned:{n}", json(z.object({ n: z.number() }))),
    size: string("size:{n}", int),
    packed: string("packed:{n}", compressed(text)),
    token: string("token:{n}", secret(json(z.object({ token: z.string() })))),
    card: hash("card:{n}", { title: text, size: int }),
    stock: map("stock:{n}", teamId, int),
    queue: list("queue:{n}", int),
    asked: set("asked:{n}", teamId),
    rank: zset("rank:{n}", teamId, { score: int }),
    places: geo("places", teamId),
    events: stream("events", { kind: int }),
    seen: hyperloglog("seen:{n}", text),
    days: bitmap("days:{n}"),
    lead: string("lead:{n}", keyOf({ size: "size:{n}" })),
  },
  { ttl: "never", relations: { user: { team: { one: "team", from: "teamId" } } } },
) as unknown as Keyspace

const user = (at: string, fields: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({ id: at, email: `u${at}@x`, teamId: "red", bio: "b".repeat(100), ...fields })
const PACKED = Buffer.from(compressed(text).encode("packed"))

/** What is on the server: all of it as the schema says. */
const right: readonly Command[] = [
  ["SET", "team:red", '{"id":"red"}'],
  ["SADD", "team:list", "red"],
  ["SET", "user:1", user("1")],
  ["SET", "user:2", user("2")],
  ["SADD", "user:list", "1", "2"],
  ["SADD", "user:index:team:red", "1", "2"],
  ["SET", "user:index:email:u1@x", "1"],
  ["SET", "user:index:email:u2@x", "2"],
  ["HSET", "acct:1", "id", "1", "email", "a1@x"],
  ["SET", "acct-email:a1@x", "1"],
  ["SET", "owned:1", '{"n":1}'],
  ["SET", "size:1", "5"],
  ["SET", "packed:1", PACKED],
  ["SET", "token:1", '{"token":"right"}'],
  ["HSET", "card:1", "title", "x", "size", "1"],
  ["HSET", "stock:1", "red", "3"],
  ["RPUSH", "queue:1", "7"],
  ["SADD", "asked:1", "red"],
  ["ZADD", "rank:1", "5", "red"],
  ["GEOADD", "places", "1", "1", "red"],
  ["XADD", "events", "1-1", "kind", "3"],
  ["PFADD", "seen:1", "a"],
  ["SETBIT", "days:1", "3", "1"],
  ["SET", "lead:1", "size:1"],
]

/** A code, a pattern, a command, and the reads that its conditions rest on. */
type Forgery = readonly [code: string, pattern: string, command: readonly string[], ...reads: (readonly string[])[]]

const whole = (code: string, pattern: string, key: string, ...reads: (readonly string[])[]): Forgery => [
  code,
  pattern,
  ["UNLINK", key],
  ["EXISTS", key],
  ["DUMP", key],
  ...reads,
]
const ofRecord = (code: string): Forgery[] => [
  whole(code, "user:{id}", "user:1"),
  whole(code, "user:{id}", "user:1", ["GET", "user:1"]),
  whole(code, "user:{id}", "user:1", ["GET", "user:1"], ["EXISTS", "team:none"], ["GET", "user:index:email:none"]),
  whole(
    code,
    "user:{id}",
    "user:1",
    ["GET", "user:1"],
    ["GET", "user:index:email:u1@x"],
    ["GET", "user:index:email:u2@x"],
    ["GET", "user:2"],
    ["EXISTS", "user:2"],
    ["EXISTS", "team:red"],
  ),
  whole(code, "acct:{id}", "acct:1", ["HGETALL", "acct:1"], ["GET", "acct-email:a1@x"], ["HGET", "acct:1", "id"]),
]

const forgeries: readonly Forgery[] = [
  ...["ENTITY.ID", "ENTITY.NOT_INDEXABLE", "UNIQUE.TAKEN", "REFERENCE.MISSING", "VALUE.UNDECODABLE"].flatMap(ofRecord),
  ...(
    [
      ["owned:{n}", "owned:1"],
      ["size:{n}", "size:1"],
      ["packed:{n}", "packed:1"],
      ["token:{n}", "token:1"],
      ["seen:{n}", "seen:1"],
      ["days:{n}", "days:1"],
      ["lead:{n}", "lead:1"],
    ] as const
  ).flatMap(([pattern, key]) => [
    whole("VALUE.UNDECODABLE", pattern, key),
    whole("VALUE.UNDECODABLE", pattern, key, ["GET", key], ["GETRANGE", key, "0", "3"], ["STRLEN", key]),
    // What is wrong is another key.
    whole("VALUE.UNDECODABLE", pattern, key, ["GET", "size:broken"]),
  ]),
  ...(
    [
      ["card:{n}", "card:1", ["HLEN", "card:1"], ["HEXISTS", "card:1", "title"], ["HGET", "card:1", "title"]],
      ["stock:{n}", "stock:1", ["HGET", "stock:1", "red"]],
      ["queue:{n}", "queue:1", ["LPOS", "queue:1", "7"], ["LLEN", "queue:1"]],
      ["asked:{n}", "asked:1", ["SISMEMBER", "asked:1", "red"]],
      ["rank:{n}", "rank:1", ["ZSCORE", "rank:1", "red"]],
      ["events", "events", ["XRANGE", "events", "1-1", "1-1"]],
    ] as const
  ).flatMap(([pattern, key, ...reads]) => [
    whole("VALUE.UNDECODABLE", pattern, key, ...reads),
    whole("VALUE.FIELD_MISSING", pattern, key, ...reads),
  ]),
  ["VALUE.UNDECODABLE", "card:{n}", ["HDEL", "card:1", "size"], ["HGET", "card:1", "size"]],
  ["VALUE.UNDECODABLE", "card:{n}", ["HDEL", "card:1", "size"], ["HEXISTS", "card:1", "size"]],
  ["VALUE.UNDECODABLE", "card:{n}", ["HDEL", "card:1", "size"], ["HGET", "card:broken", "size"], ["EXISTS", "card:1"]],
  ["VALUE.UNDECODABLE", "card:{n}", ["HDEL", "card:1", "size"], ["HGET", "card:1", "title"]],
  ["VALUE.UNDECODABLE", "acct:{id}", ["HDEL", "acct:1", "email"], ["HGET", "acct:1", "email"]],
  ["VALUE.UNDECODABLE", "stock:{n}", ["HDEL", "stock:1", "red"], ["HGET", "stock:1", "red"]],
  ["VALUE.UNDECODABLE", "stock:{n}", ["HDEL", "stock:1", "red"], ["EXISTS", "stock:1"]],
  ["VALUE.UNDECODABLE", "queue:{n}", ["LREM", "queue:1", "0", "7"], ["LPOS", "queue:1", "7"], ["DUMP", "queue:1"]],
  ["VALUE.UNDECODABLE", "asked:{n}", ["SREM", "asked:1", "red"], ["SISMEMBER", "asked:1", "red"]],
  ["VALUE.UNDECODABLE", "rank:{n}", ["ZREM", "rank:1", "red"], ["ZSCORE", "rank:1", "red"]],
  ["VALUE.UNDECODABLE", "places", ["ZREM", "places", "red"], ["ZSCORE", "places", "red"]],
  ["VALUE.UNDECODABLE", "events", ["XDEL", "events", "1-1"], ["XRANGE", "events", "1-1", "1-1"], ["DUMP", "events"]],
  ["VALUE.UNDECODABLE", "events", ["XDEL", "events", "1-1"], ["XLEN", "events"], ["DUMP", "events"]],
  whole("KEYOF.DANGLING", "lead:{n}", "lead:1", ["GET", "lead:1"], ["EXISTS", "size:none"]),
  whole("KEYOF.DANGLING", "lead:{n}", "lead:1", ["GET", "lead:1"], ["EXISTS", "size:1"]),
]

const all = Object.keys(deletions) as Deletion[]
const folder = mkdtempSync(join(tmpdir(), "keywright-values-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let count = 0

onAnyServer("a plan that calls something broken", (server) => {
  const send = (...command: Command) => server().driver.send(command)
  beforeEach(async () => {
    for (const command of right) await send(...command)
  })
  /** An action whose conditions say what is there now: as a plan says it, or always by digests. */
  const actionOf = async ([code, pattern, command, ...reads]: Forgery, hidden: boolean) => {
    const replies = await server().driver.batch(reads, SAFE_BYTES)
    const expects = reads.map((read, i) => ({ read, is: expectedOf(read, unmangled(replies[i]!), hidden) }))
    return { code, db: 0, pattern, key: command[1], why: "x", expects, commands: [command], undo: [] }
  }
  const load = async (...actions: readonly unknown[]) => {
    const file = join(folder, `${process.pid}-${count++}.json`)
    writeFileSync(file, JSON.stringify({ ...(await planRepair([], schema, server().driver)), actions }))
    return loadPlan(file, schema, server().driver, { for: "repair" })
  }
  const codeOf = (loading: Promise<unknown>) =>
    loading.then(
      () => "accepted",
      (error: { code: string }) => error.code,
    )
  const honest = async () => {
    const { driver } = server()
    const { findings } = await audit(schema, driver)
    return throughFile(await planRepair(findings, schema, driver, { delete: all }), schema, driver)
  }

  it("is refused where nothing is", async () => {
    expect((await audit(schema, server().driver)).summary).toEqual({})
    await send("SET", "size:broken", "many")
    await send("HSET", "card:broken", "title", "x", "size", "many")
    const found: [string, string][] = []
    for (const forgery of forgeries)
      for (const hidden of [false, true])
        found.push([JSON.stringify([hidden, forgery]), await codeOf(load(await actionOf(forgery, hidden)))])
    expect(found.filter(([, code]) => code !== "CHANGE.PLAN")).toEqual([])
  })

  it("is refused for a value that its text, but not its bytes, would make broken", async () => {
    const action = await actionOf(whole("VALUE.UNDECODABLE", "packed:{n}", "packed:1", ["GET", "packed:1"]), true)
    expect(await codeOf(load(action))).toBe("CHANGE.PLAN")
    const asOtherText = { read: ["GET", "packed:1"], is: PACKED.toString() }
    const forged = { ...action, expects: [...action.expects.slice(0, -1), asOtherText] }
    expect((await load(forged)).outdated).toEqual([0])
  })

  it("deletes no value other than the one that it calls broken", async () => {
    await send("SET", "size:2", "many")
    const [code, pattern, command] = ["VALUE.UNDECODABLE", "size:{n}", ["UNLINK", "size:2"]] as const
    expect(await codeOf(load(await actionOf([code, pattern, command, ["EXISTS", "size:2"]], false)))).toBe(
      "CHANGE.PLAN",
    )
    const plan = await load(await actionOf([code, pattern, command, ["GET", "size:2"]], false))
    await send("SET", "size:2", "6")
    expect(await applyRepair(plan, server().driver)).toMatchObject({ done: 0, skipped: 1 })
    // Nor is it carried out when what it calls broken was not there, and comes back.
    await send("SET", "size:2", "x".repeat(100))
    const later = await actionOf([code, pattern, command, ["GET", "size:2"]], false)
    await send("SET", "size:2", "7")
    expect((await load(later)).outdated).toEqual([0])
  })

  it("is skipped where an earlier action of its plan would make it true", async () => {
    await send("SET", "team:blue", '{"id":"green"}')
    await send("SADD", "team:list", "blue")
    await send("SET", "user:3", user("3", { teamId: "blue" }))
    const forged = await actionOf(whole("REFERENCE.MISSING", "user:{id}", "user:3", ["GET", "user:3"]), false)
    const gone = { read: ["EXISTS", "team:blue"], is: 0 }
    const plan = await load(await actionOf(whole("ENTITY.ID", "team:{id}", "team:blue", ["GET", "team:blue"]), false), {
      ...forged,
      expects: [...forged.expects, gone],
    })
    expect((await applyRepair(plan, server().driver)).outcomes).toEqual(["done", "skipped"])
    expect(await send("EXISTS", "user:3")).toBe(1)
  })

  it("is carried out when repair made it: large values, bytes, secrets, fields, records", async () => {
    const { driver } = server()
    const bytes = Buffer.from([0xff, 0xfe, 1, 2])
    const broken: readonly Command[] = [
      ["SET", "owned:2", `{"n":"${"x".repeat(300_000)}"}`],
      ["SET", "owned:3", bytes],
      ["SET", "size:2", "many"],
      ["SET", "packed:2", bytes],
      ["SET", "token:2", '{"token":1}'],
      ["SET", "seen:2", "x"],
      ["SET", "seen:3", bytes],
      ["HSET", "card:2", "title", "x"],
      ["HSET", "card:3", "title", bytes, "size", "1"],
      ["HSET", "stock:1", "blue", "many", bytes, "1"],
      ["RPUSH", "queue:1", "many", bytes],
      ["LPUSH", "queue:1", "first"],
      ["SADD", "asked:1", "Not An Id", bytes],
      ["ZADD", "rank:1", "1.5", "blue", "inf", "green", "1", bytes],
      ["GEOADD", "places", "1", "1", "Not An Id"],
      ["XADD", "events", "2-1", "kind", bytes],
      ["SET", "user:3", user("4")],
      ["SET", "user:5", user("5", { email: "u1@x" })],
      ["SET", "user:6", user("6", { teamId: "none" })],
      ["SET", "user:7", user("7", { email: 7 })],
      ["SET", "user:8", user("8", { email: "a b:c" })],
      ["HSET", "acct:2", "id", "2", "email", "a1@x"],
      ["HSET", "acct:3", "id", "4", "email", "a3@x"],
    ]
    for (const command of broken) await send(...command)
    const { summary } = await audit(schema, driver)
    const destroying = ["VALUE.UNDECODABLE", "VALUE.FIELD_MISSING", "ENTITY.ID", "ENTITY.NOT_INDEXABLE"]
    expect(Object.keys(summary)).toEqual(expect.arrayContaining([...destroying, "UNIQUE.TAKEN", "REFERENCE.MISSING"]))
    const plan = await honest()
    expect(plan.left).toEqual({})
    expect(plan.outdated).toBeUndefined()
    expect(JSON.stringify(plan)).not.toContain('"token\\":1')
    for (let round = 0; round < 3; round++) await applyRepair(round === 0 ? plan : await honest(), driver)
    expect((await audit(schema, driver)).summary).toEqual({})
    for (const [, key] of right) expect([key, await send("EXISTS", key as Wire)]).toEqual([key, 1])
  })

  it("is skipped when it has come right since: the record is there again, or the other one gone", async () => {
    await send("SET", "user:3", user("3", { teamId: "blue" }))
    await send("SET", "user:4", user("4", { email: "u1@x" }))
    const plan = await honest()
    const conflicts = plan.actions.flatMap(({ code }, i) => (/TAKEN|REFERENCE/.test(code) ? [i] : []))
    expect(conflicts).toHaveLength(2)
    await send("SET", "team:blue", '{"id":"blue"}')
    await send("DEL", "user:1")
    const { outcomes } = await applyRepair(plan, server().driver)
    expect(conflicts.map((i) => outcomes[i])).toEqual(["skipped", "skipped"])
    expect(await send("EXISTS", "user:3", "user:4")).toBe(2)
  })
})
