/* Plan files whose codes, keys and commands are those of real plans, and whose values or
 * reasons are not: what an action writes follows from what its conditions say is stored. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import {
  family,
  hash,
  id,
  int,
  json,
  keyOf,
  keyspace,
  layout,
  list,
  map,
  quoted,
  set,
  string,
  text,
  zset,
} from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { plannedCodes } from "./action-rules.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import type { ChangePlan } from "../plan/plan.ts"
import { loadPlan } from "../make-plan/plan-file.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import { throughFile } from "./saved-plan.cases.ts"

const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const inQuotes = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
  quoted: true,
})
const User = json(z.object({ id: z.string(), email: z.string(), role: z.string() }))
const Team = json(z.object({ id: z.string(), name: z.string() }))
const schema = keyspace(
  {
    user: record("user", User, { unique: { email: "email" }, index: { role: ["role"] } }),
    tag: record("tag", Team, { ids: "given" }),
    team: inQuotes("team", Team, { unique: { name: "name" } }),
    teams: set("teams:{user}", id("team")),
    owner: string("owner:{thing}", quoted(text)),
    lent: string("lent:{thing}", quoted(text), { ttl: "1d" }),
    perms: set("perms:{role}", quoted(text)),
    rank: zset("rank:{role}", quoted(text)),
    names: map("names:{role}", text, quoted(text)),
    card: hash("card:{id}", { title: quoted(text), size: int }),
    queue: list("queue:{id}", int),
    scores: zset("scores:{id}", int),
    leads: set("leads:{id}", keyOf({ owner: "owner:{thing}" })),
    group: family(
      "group:{gid}:",
      { ttl: "1d", marker: "name" },
      { name: string("name", text), members: set("members", text), seats: set("seats", text) },
    ),
  },
  { ttl: "never", relations: { user: { teams: { many: "team", through: "teams" } } } },
) as unknown as Keyspace

const folder = mkdtempSync(join(tmpdir(), "keywright-forged-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Words = readonly string[]
type Is = unknown
/** A code, the pattern and the commands of its action, and its conditions: a read and what it should answer. */
type Forgery = readonly [
  code: string,
  pattern: string,
  commands: readonly Words[],
  ...expects: (readonly [Words, Is])[],
]

const there = (key: string) => [["EXISTS", key], 1] as const
const gone = (key: string) => [["EXISTS", key], 0] as const
const digest = (value: string) => ({ sha1: sha1(value), length: value.length })
const FAR = "4102444800000"

/** Each does what its code says to a key of its kind, with another value or for another reason than a real plan. */
const forgeries: readonly Forgery[] = [
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"eve"']], there("owner:safe")],
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"eve"']], [["GET", "owner:safe"], '"ann"']],
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"eve"']], [["GET", "owner:other"], "eve"]],
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"broken']], [["GET", "owner:safe"], "broken"]],
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"\\u0065ve"']], [["GET", "owner:safe"], "eve"]],
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"\\"ann\\""']], [["GET", "owner:safe"], '"ann"']],
  ["VALUE.BARE", "owner:{thing}", [["SET", "owner:safe", '"eve"', "PXAT", "1"]], [["GET", "owner:safe"], "eve"]],
  ["VALUE.BARE", "lent:{thing}", [["SET", "lent:book", '"eve"']], [["GET", "lent:book"], "eve"]],
  [
    "VALUE.BARE",
    "lent:{thing}",
    [["SET", "lent:book", '"eve"', "PXAT", "1"]],
    [["GET", "lent:book"], "eve"],
    [["PEXPIRETIME", "lent:book"], { above: 0 }],
  ],
  [
    "VALUE.BARE",
    "user:index:email:{email}",
    [["SET", "user:index:email:ann@x", '"2"']],
    [["GET", "user:index:email:ann@x"], "2"],
  ],
  ["VALUE.BARE", "team:index:name:{name}", [["SET", "team:index:name:red", '"2"']], there("team:1")],
  ["LIST.DANGLING", "team:list", [["SREM", "team:list", '"1"']], gone('team:"1"')],
  [
    "UNIQUE.STALE",
    "team:index:name:{name}",
    [["UNLINK", "team:index:name:red"]],
    [["GET", "team:index:name:red"], '"1"'],
    gone('team:"1"'),
  ],
  [
    "VALUE.BARE",
    "rank:{role}",
    [
      ["ZADD", "rank:USER", "3", '"bob"'],
      ["ZREM", "rank:USER", "bob"],
    ],
    [["ZSCORE", "rank:USER", "bob"], { score: "3" }],
  ],
  [
    "VALUE.BARE",
    "perms:{role}",
    [
      ["SADD", "perms:USER", '"999"'],
      ["SREM", "perms:USER", "999"],
    ],
    there("perms:USER"),
  ],
  [
    "VALUE.BARE",
    "perms:{role}",
    [
      ["SADD", "perms:USER", '"999"'],
      ["SREM", "perms:USER", "999"],
    ],
    [["SISMEMBER", "perms:USER", "999"], 0],
  ],
  [
    "VALUE.BARE",
    "perms:{role}",
    [
      ["SADD", "perms:USER", '"998"'],
      ["SREM", "perms:USER", "999"],
    ],
    [["SISMEMBER", "perms:USER", "999"], 1],
  ],
  [
    "VALUE.BARE",
    "rank:{role}",
    [
      ["ZADD", "rank:USER", "9", '"ann"'],
      ["ZREM", "rank:USER", "ann"],
    ],
    [["ZSCORE", "rank:USER", "ann"], { score: "1" }],
  ],
  [
    "VALUE.BARE",
    "rank:{role}",
    [
      ["ZADD", "rank:USER", "9", '"ann"'],
      ["ZREM", "rank:USER", "ann"],
    ],
    there("rank:USER"),
  ],
  ["VALUE.BARE", "names:{role}", [["HSET", "names:USER", "a", '"eve"']], [["HGET", "names:USER", "b"], "eve"]],
  ["VALUE.BARE", "names:{role}", [["HSET", "names:USER", "a", '"eve"']], [["HGET", "names:USER", "a"], digest("ann")]],
  ["VALUE.BARE", "card:{id}", [["HSET", "card:1", "title", '"eve"']], [["HGET", "card:1", "title"], '"ann"']],
  ["VALUE.BARE", "card:{id}", [["HSET", "card:1", "size", '"7"']], [["HGET", "card:1", "size"], "7"]],
  ["TTL.UNEXPECTED", "lent:{thing}", [["PERSIST", "lent:book"]], [["PTTL", "lent:book"], { above: 0 }]],
  ["TTL.UNEXPECTED", "owner:{thing}", [["PERSIST", "owner:safe"]], there("user:1")],
  ["TTL.MISSING", "lent:{thing}", [["PEXPIRE", "lent:book", "1"]], [["PTTL", "lent:book"], -1]],
  ["TTL.MISSING", "lent:{thing}", [["PEXPIRE", "lent:book", "86400000"]], there("lent:book")],
  ["TTL.MISSING", "lent:{thing}", [["PEXPIRE", "lent:book", "86400000"]], [["PTTL", "lent:book"], { above: 0 }]],
  ["TTL.MISSING", "group:{gid}:members", [["PEXPIREAT", "group:1:members", "1"]], [["PTTL", "group:1:members"], -1]],
  [
    "TTL.MISSING",
    "group:{gid}:members",
    [["PEXPIREAT", "group:1:members", "1"]],
    [["PTTL", "group:1:members"], -1],
    [["PEXPIRETIME", "group:1:name"], { above: 0 }],
  ],
  [
    "TTL.MISSING",
    "group:{gid}:members",
    [["PEXPIREAT", "group:1:members", FAR]],
    [["PTTL", "group:1:members"], -1],
    [["PEXPIRETIME", "group:2:name"], Number(FAR)],
  ],
  ["TTL.TOO_LONG", "lent:{thing}", [["PEXPIRE", "lent:book", "86400000"]], [["PTTL", "lent:book"], { above: 0 }]],
  ["TTL.TOO_LONG", "lent:{thing}", [["PEXPIRE", "lent:book", "1"]], [["PTTL", "lent:book"], { above: 86_400_000 }]],
  ["TTL.FAMILY", "group:{gid}:name", [["PEXPIREAT", "group:1:name", "1"]], there("group:1:name")],
  [
    "TTL.FAMILY",
    "group:{gid}:name",
    [["PEXPIREAT", "group:1:name", FAR]],
    [["PEXPIRETIME", "group:1:members"], Number(FAR)],
    [["PEXPIRETIME", "group:1:name"], { above: 0 }],
  ],
  [
    "TTL.FAMILY",
    "group:{gid}:members",
    [["PEXPIREAT", "group:1:members", "1"]],
    [["PEXPIRETIME", "group:1:members"], 1],
  ],
  [
    "TTL.FAMILY",
    "group:{gid}:members",
    [["PEXPIREAT", "group:1:members", FAR]],
    [["PEXPIRETIME", "lent:book"], Number(FAR)],
    [["PEXPIRETIME", "group:1:members"], { above: 0 }],
  ],
  // Another key of the family has this deadline, and the marker counts, or might.
  ...([[], [[["PEXPIRETIME", "group:1:name"], { above: 0 }]], [[["PEXPIRETIME", "group:2:name"], -2]]] as const).map(
    (marker): Forgery => [
      "TTL.FAMILY",
      "group:{gid}:seats",
      [["PEXPIREAT", "group:1:seats", FAR]],
      [["PEXPIRETIME", "group:1:members"], Number(FAR)],
      [["PEXPIRETIME", "group:1:seats"], { above: 0 }],
      ...marker,
    ],
  ),
  [
    "TTL.MISSING",
    "group:{gid}:seats",
    [["PEXPIREAT", "group:1:seats", FAR]],
    [["PTTL", "group:1:seats"], -1],
    [["PEXPIRETIME", "group:1:members"], Number(FAR)],
  ],
  // Among the keys that are left, the first that is declared counts.
  [
    "TTL.FAMILY",
    "group:{gid}:members",
    [["PEXPIREAT", "group:1:members", FAR]],
    [["PEXPIRETIME", "group:1:name"], -2],
    [["PEXPIRETIME", "group:1:seats"], Number(FAR)],
    [["PEXPIRETIME", "group:1:members"], { above: 0 }],
  ],
  ["TTL.MISSING", "keywright:expiry:{entity}", [["PEXPIREAT", "keywright:expiry:user:{id}", FAR]], there("user:1")],
  ["KEY.TYPE", "owner:{thing}", [["UNLINK", "owner:safe"]], [["TYPE", "owner:other"], "hash"]],
  ["KEY.SEGMENT", "owner:{thing}", [["UNLINK", "owner:safe"]], there("owner:safe")],
  ["VALUE.UNDECODABLE", "owner:{thing}", [["UNLINK", "owner:safe"]], there("user:1")],
  ["VALUE.UNDECODABLE", "queue:{id}", [["LREM", "queue:1", "0", "7"]], [["LPOS", "queue:1", "7"], 0]],
  ["VALUE.UNDECODABLE", "scores:{id}", [["ZREM", "scores:1", "7"]], [["ZSCORE", "scores:1", "7"], { score: "1" }]],
  ["VALUE.UNDECODABLE", "perms:{role}", [["SREM", "perms:USER", '"1"']]],
  ["VALUE.FIELD_MISSING", "card:{id}", [["UNLINK", "card:1"]], there("card:1")],
  ["VALUE.FIELD_MISSING", "card:{id}", [["UNLINK", "card:1"]], there("card:1"), [["HEXISTS", "card:1", "colour"], 0]],
  ["VALUE.FIELD_MISSING", "card:{id}", [["UNLINK", "card:1"]], [["HEXISTS", "card:2", "size"], 0]],
  ["VALUE.FIELD_UNKNOWN", "card:{id}", [["HDEL", "card:1", "size"]], [["HEXISTS", "card:1", "size"], 1]],
  ["VALUE.TOO_MANY", "queue:{id}", [["LTRIM", "queue:1", "0", "0"]], [["LLEN", "queue:1"], { above: 1 }]],
  ["ENTITY.ID", "owner:{thing}", [["UNLINK", "owner:safe"]], there("owner:safe")],
  ["ENTITY.NOT_INDEXABLE", "user:list", [["UNLINK", "user:list"]], there("user:list")],
  ["UNIQUE.TAKEN", "user:{id}", [["UNLINK", "user:1"]], there("user:2")],
  ["REFERENCE.MISSING", "user:{id}", [["UNLINK", "user:1"]], gone("team:9")],
  ...["INDEX", "MIRROR"].flatMap((area): Forgery[] => [
    [`${area}.MISSING`, "user:index:role:{role}", [["SADD", "user:index:role:ADMIN", "2"]], there("user:2")],
    [`${area}.MISSING`, "user:index:role:{role}", [["SADD", "user:index:role:ADMIN", "2"]], there("user:1")],
    ...["DANGLING", "STALE", "EXPIRED"].map((what): Forgery => [
      `${area}.${what}`,
      "user:index:role:{role}",
      [["SREM", "user:index:role:ADMIN", "1"]],
      there("user:1"),
    ]),
    [`${area}.DANGLING`, "user:index:role:{role}", [["SREM", "user:index:role:ADMIN", "1"]], gone("user:9")],
    [`${area}.SCORE`, "user:index:role:{role}", [["ZADD", "user:index:role:ADMIN", "XX", "1", "1"]], there("user:1")],
  ]),
  [
    "UNIQUE.MISSING",
    "user:index:email:{email}",
    [["SET", "user:index:email:ann@x", "2"]],
    there("user:2"),
    [["GET", "user:index:email:ann@x"], null],
  ],
  [
    "UNIQUE.STALE",
    "user:index:email:{email}",
    [["SET", "user:index:email:ann@x", "2"]],
    there("user:2"),
    [["GET", "user:index:email:ann@x"], "1"],
  ],
  [
    "UNIQUE.DANGLING",
    "user:index:email:{email}",
    [["UNLINK", "user:index:email:ann@x"]],
    gone("user:9"),
    [["GET", "user:index:email:ann@x"], "1"],
  ],
  ["LIST.MISSING", "user:list", [["SADD", "user:list", "evil"]], there("user:1")],
  ["LIST.DANGLING", "user:list", [["SREM", "user:list", "1"]], gone("user:9")],
  ["LIST.EXPIRED", "user:list", [["SREM", "user:list", "1"]], there("user:1")],
  ["COUNTER.BEHIND", "user:counter", [["RAISE", "user:counter", "999"]], there("user:1")],
  ["COUNTER.BEHIND", "user:counter", [["SET", "user:counter", "1"]], there("user:1")],
  // Ids that no counter gave: the next one would be far beyond, or the last one of all.
  ["COUNTER.BEHIND", "user:counter", [["RAISE", "user:counter", "0005"]], there("user:0005")],
  ["COUNTER.BEHIND", "user:counter", [["RAISE", "user:counter", "9999999999999999"]], there("user:9999999999999999")],
  ["COUNTER.NOT_A_NUMBER", "user:counter", [["RAISE", "user:counter", "0005"]], there("user:0005")],
  ["COUNTER.BEHIND", "tag:counter", [["RAISE", "tag:counter", "7"]], there("tag:7")],
  ["COUNTER.NOT_A_NUMBER", "user:counter", [["SET", "user:counter", "0"]], there("user:counter")],
  [
    "COUNTER.NOT_A_NUMBER",
    "user:counter",
    [["SET", "user:counter", "1"]],
    there("user:1"),
    [["GET", "user:counter"], "x"],
  ],
  ["COUNTER.NOT_A_NUMBER", "user:counter", [["RAISE", "user:counter", "999"]], there("user:counter")],
  ["THROUGH.DANGLING", "user:list", [["SREM", "user:list", "1"]]],
  ["THROUGH.DANGLING", "user:list", [["SREM", "user:list", "1"]], gone("team:1")],
  ["THROUGH.DANGLING", "teams:{user}", [["SREM", "teams:1", "1"]], gone("team:9")],
  ["THROUGH.DANGLING", "teams:{user}", [["SREM", "teams:1", "1"]], gone("user:1")],
  ["THROUGH.ORPHAN", "user:{id}", [["UNLINK", "user:1"]], there("user:1")],
  ["THROUGH.ORPHAN", "teams:{user}", [["UNLINK", "teams:1"]], there("teams:1"), gone("user:9")],
  ["THROUGH.ORPHAN", "teams:{user}", [["UNLINK", "teams:1"]], there("teams:1"), gone("team:1")],
  ["KEYOF.DANGLING", "user:list", [["SREM", "user:list", "1"]]],
  ["KEYOF.DANGLING", "owner:{thing}", [["UNLINK", "owner:safe"]], [["GET", "owner:safe"], "ann"], gone("ann")],
  ["KEYOF.DANGLING", "leads:{id}", [["SREM", "leads:1", "owner:safe"]], gone("owner:none")],
  ["KEYOF.DANGLING", "leads:{id}", [["SREM", "leads:1", '"owner:safe"']], gone('"owner:safe"')],
  ["KEYOF.DANGLING", "leads:{id}", [["SREM", "leads:1", "owner:safe"]], there("owner:safe")],
  ...["SAME.MISSING", "INVERSE.MISSING"].map((code): Forgery => [
    code,
    "perms:{role}",
    [["SADD", "perms:USER", '"9"']],
    [["SISMEMBER", "perms:ADMIN", '"9"'], 1],
  ]),
  ...["SAME.EXTRA", "REFERS.DANGLING", "REFERS.ORPHAN", "EXCLUDES.BOTH", "COMPARE.BROKEN", "INVERSE.EXTRA"].map(
    (code): Forgery => [
      code,
      "perms:{role}",
      [["SREM", "perms:USER", '"1"']],
      [["SISMEMBER", "perms:ADMIN", '"1"'], 0],
    ],
  ),
]

it("every code of a plan has been tried", () => {
  const tried = new Set(forgeries.map(([code]) => code))
  expect(plannedCodes.filter((code) => !tried.has(code))).toEqual([])
})

onAnyServer("a forged plan", (server) => {
  const send = (...command: Command) => server().driver.send(command)
  const plan = (actions: unknown[]): Promise<ChangePlan> =>
    planRepair([], schema, server().driver).then((empty) => ({ ...empty, actions }) as ChangePlan)
  const load = async (actions: unknown[]): Promise<string> => {
    const file = join(folder, `${process.pid}.json`)
    writeFileSync(file, JSON.stringify(await plan(actions)))
    return loadPlan(file, schema, server().driver, { for: "repair" }).then(
      () => "accepted",
      (error: { code: string }) => error.code,
    )
  }
  const actionOf = ([code, pattern, commands, ...expects]: Forgery) => ({
    code,
    db: 0,
    pattern,
    key: commands.at(-1)![1],
    why: "x",
    expects: expects.map(([read, is]) => ({ read, is })),
    commands,
    undo: [],
  })

  beforeEach(async () => {
    for (const [at, email, role] of [
      ["1", "ann@x", "ADMIN"],
      ["2", "eve@x", "USER"],
    ] as const) {
      await send("SET", `user:${at}`, JSON.stringify({ id: at, email, role }))
      await send("SADD", "user:list", at)
      await send("SADD", `user:index:role:${role}`, at)
      await send("SET", `user:index:email:${email}`, at)
    }
    await send("SET", "user:counter", "2")
    await send("SET", "owner:safe", '"ann"')
  })

  it("is refused when it raises a counter to an id that no counter gives", async () => {
    for (const at of ["0005", "9999999999999999"]) {
      await send("SET", `user:${at}`, JSON.stringify({ id: at, email: `${at}@x`, role: "USER" }))
      await send("SADD", "user:list", at)
      await send("SADD", "user:index:role:USER", at)
      await send("SET", `user:index:email:${at}@x`, at)
      expect((await audit(schema, server().driver)).summary).toEqual({})
      const raise = ["RAISE", "user:counter", at]
      expect(await load([actionOf(["COUNTER.BEHIND", "user:counter", [raise], there(`user:${at}`)])])).toBe(
        "CHANGE.PLAN",
      )
    }
  })

  it("is refused when it is loaded, by whatever code", async () => {
    const found = []
    for (const forgery of forgeries) found.push([JSON.stringify(forgery), await load([actionOf(forgery)])])
    expect(found.filter(([, code]) => code !== "CHANGE.PLAN")).toEqual([])
  })

  it("is not a plan that adds quotes to members with any score, unless both forms are there", async () => {
    await send("ZADD", "rank:USER", "10", '"bob"', "3", "bob", "0.1", "carl", "+inf", "dan")
    const { findings } = await audit(schema, server().driver)
    const made = await throughFile(await planRepair(findings, schema, server().driver), schema, server().driver)
    expect(made.outdated).toBeUndefined()
    expect((await applyRepair(made, server().driver)).outcomes).toEqual(["done", "done"])
    const scores = await send("ZMSCORE", "rank:USER", '"bob"', "bob", '"carl"', "carl", '"dan"', "dan")
    expect((scores as (string | null)[]).map((one) => one && Number(one.replace("inf", "Infinity")))).toEqual([
      10,
      3,
      0.1,
      null,
      Infinity,
      null,
    ])
  })

  it("is distinguished from the plans that repair makes for the same codes", async () => {
    const soon = Date.now() + 60_000_000
    await send("SET", "owner:safe", "ann")
    await send("SET", "lent:book", "bob", "PXAT", String(Date.now() + 80_000_000))
    await send("SADD", "perms:USER", "1")
    await send("ZADD", "rank:USER", "3", "ann")
    await send("HSET", "names:USER", "a", "eve")
    await send("HSET", "card:1", "title", "x", "size", "1")
    await send("SADD", "leads:1", "owner:none")
    await send("SADD", "teams:1", "9")
    await send("SADD", "teams:8", "5")
    await send("SET", "group:1:name", "x", "PX", "80000000")
    await send("SADD", "group:1:members", "a")
    await send("SADD", "group:2:members", "a")
    await send("SADD", "group:2:seats", "b")
    await send("PEXPIREAT", "group:2:members", String(soon))
    await send("PEXPIREAT", "group:2:seats", String(soon + 9_000))
    await send("SET", "team:5", '{"id":"5","name":"red"}')
    await send("SET", "user:counter", "many")
    const { findings } = await audit(schema, server().driver)
    const made = await throughFile(
      await planRepair(findings, schema, server().driver, { delete: ["orphans"] }),
      schema,
      server().driver,
    )
    expect(await applyRepair(made, server().driver)).toMatchObject({ done: made.actions.length })
    expect(new Set(made.actions.map(({ code }) => code))).toEqual(
      new Set([
        "VALUE.BARE",
        "KEYOF.DANGLING",
        "THROUGH.DANGLING",
        "THROUGH.ORPHAN",
        "TTL.MISSING",
        "TTL.FAMILY",
        "LIST.MISSING",
        "UNIQUE.MISSING",
        "COUNTER.BEHIND",
        "COUNTER.NOT_A_NUMBER",
      ]),
    )
    expect(await send("GET", "owner:safe")).toBe('"ann"')
    expect(await send("GET", "lent:book")).toBe('"bob"')
    expect(Number(await send("PTTL", "lent:book"))).toBeGreaterThan(0)
    expect(await send("PEXPIRETIME", "group:1:members")).toBe(await send("PEXPIRETIME", "group:1:name"))
    expect(await send("PEXPIRETIME", "group:2:seats")).toBe(soon)
    expect(await send("GET", "user:counter")).toBe("2")
  })

  it("is distinguished from those that set entries right which lack their quotes", async () => {
    const { driver } = server()
    await send("SET", "team:5", '{"id":"5","name":"red"}')
    await send("SET", "team:6", '{"id":"6","name":"blue"}')
    await send("SADD", "team:list", '"5"', '"6"', "9")
    await send("SET", "team:counter", "9")
    await send("SET", "team:index:name:red", "6")
    await send("SET", "team:index:name:blue", '"6"')
    await send("SET", "team:index:name:old", "9")
    const { findings } = await audit(schema, driver)
    const made = await throughFile(await planRepair(findings, schema, driver), schema, driver)
    await applyRepair(made, driver)
    expect((await audit(schema, driver)).summary).toEqual({})
    expect(await send("GET", "team:index:name:red")).toBe('"5"')
  })

  it("never lowers a counter that is a number, whatever it says", async () => {
    const raise = actionOf(["COUNTER.NOT_A_NUMBER", "user:counter", [["RAISE", "user:counter", "1"]], there("user:1")])
    expect(await load([raise])).toBe("accepted")
    expect(await applyRepair(await plan([raise]), server().driver)).toMatchObject({ done: 0, already: 1 })
    expect(await send("GET", "user:counter")).toBe("2")
  })
})
