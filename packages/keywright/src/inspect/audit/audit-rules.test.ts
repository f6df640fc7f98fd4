/* Bounds, comparisons, choices, exclusions and references to several places, other databases
 * and fields: each is broken alone, found as exactly that, and repaired as far as repair may. */

import { expect, it } from "vitest"
import { applyRepair } from "../../change/carry-out/carry-out.ts"
import type { Deletion } from "../../change/make-plan/deletions.ts"
import { planRepair } from "../../change/make-plan/plan-repair.ts"
import { onBothServers } from "../../client/servers.cases.ts"
import type { Driver } from "../../driver/driver.ts"
import {
  anyOf,
  at,
  compactDay,
  compare,
  counter,
  csv,
  database,
  day,
  excludes,
  float,
  hash,
  id,
  int,
  keyOf,
  keyspace,
  list,
  many,
  map,
  month,
  oneOf,
  optional,
  refersTo,
  secret,
  set,
  string,
  text,
  zset,
} from "../../index.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"

const CANARY = "canary-5512"
const token = secret(id("token"))
const user = id("user")
const channel = id("channel")
const account = id("account", int({ min: 1 }))
const post = id("post", int)

const fair = keyspace(
  {
    main: database(0, "main", {
      settings: hash("settings", {
        days: optional(int({ min: 1 })),
        slot: optional(int({ min: 0 })),
        kinds: int({ min: 1 }),
      }),
      ring: zset("ring:{kind}", text, { score: int({ min: 0 }), params: { kind: int({ min: 1, max: 5 }) } }),
      info: map("info", int, csv({ kind: int, note: text })),
      spent: map("spent", user, many(int({ min: 0 }))),
      visits: zset("visits:{page}", anyOf(compactDay, oneOf("total")), { score: int({ min: 0 }) }),
      stock: counter("stock:{item}", { value: int({ min: 0 }) }),
      rate: string("rate:{item}", float({ min: 0, max: 1 })),
      hours: list("hours:{day}", int({ min: 0, max: 23 })),
      grant: hash("p:{project}:grant:{token}", { project: text, account }, { params: { token } }),
      grants: map("grants", token, secret(keyOf({ grant: "p:{project}:grant:{token}" }))),
      subscribers: set("ch:{channel}:sub", user),
      barred: set("ch:{channel}:bar", user),
      joined: set("u:{user}:ch", channel),
      members: set("members", user),
      guests: zset("guests", user),
      badge: string("badge:{user}", text),
      online: set("online", user),
      status: string("status:{user}", text),
      posts: map("posts", post, text),
      pool: set("pool:{kind}", post, { params: { kind: int } }),
      friends: set("friends:{user}", user),
      perDay: counter("queries:{day}", { value: int({ min: 0 }), params: { day } }),
      perMonth: counter("queries:{month}", { value: int({ min: 0 }), params: { month } }),
      views: zset("views", compactDay, { score: int }),
    }),
    other: database(1, "other", { account: hash("account:{name}", { id: account, mail: optional(text) }) }),
  },
  {
    ttl: "never",
    params: { user, channel },
    invariants: [
      compare(at("main.settings", "slot"), "<", at("main.settings", "days", { otherwise: 7 })),
      compare(at("main.ring", "score"), "<", at("main.settings", "days", { otherwise: 7 })),
      compare(at("main.ring", "{kind}"), "<=", at("main.settings", "kinds")),
      compare(at("main.info", "value.kind"), "<", at("main.settings", "kinds")),
      compare(at("main.spent", "value.length"), "=", at("main.settings", "kinds")),
      compare(at("main.hours", "size"), "=", 3),
      compare(at("main.grant", "project"), "=", at("main.grant", "{project}")),
      compare(at("main.grants", "value.params.token"), "=", at("main.grants", "field")),
      excludes("main.barred", "main.subscribers"),
      excludes("main.barred", "main.joined"),
      refersTo(user, "main.badge", ["main.members", "main.guests"]),
      refersTo(account, at("main.grant", "account"), at("other.account", "id")),
      refersTo(user, "main.online", "main.status", { grace: "300ms" }),
      refersTo(post, "main.posts", "main.pool"),
      compare(at("main.friends", "member"), "!=", at("main.friends", "{user}")),
      compare(at("main.perDay", "value"), "<=", at("main.perMonth", "value", { otherwise: 0 })),
      compare(at("main.visits", "score"), "<=", at("main.views", "score")),
    ],
  },
) as unknown as Keyspace

async function fill(driver: Driver): Promise<void> {
  const other = await driver.database(1)
  await driver.batch([
    ["HSET", "settings", "kinds", "3", "slot", "6"],
    ["ZADD", "ring:1", "0", "a", "6", "b"],
    ["ZADD", "ring:3", "2", "c"],
    ["HSET", "info", "1", "0,x", "2", "2,y"],
    ["HSET", "spent", "u1", "0,0,4"],
    ["ZADD", "visits:p1", "2", "20111003", "2", "total"],
    ["SET", "stock:s1", "0"],
    ["SET", "rate:s1", "0.5"],
    ["RPUSH", "hours:mon", "0", "12", "23"],
    ["HSET", `p:1:grant:${CANARY}-1`, "project", "1", "account", "7"],
    ["HSET", `p:2:grant:${CANARY}-2`, "project", "2", "account", "8"],
    ["HSET", "grants", `${CANARY}-1`, `p:1:grant:${CANARY}-1`, `${CANARY}-2`, `p:2:grant:${CANARY}-2`],
    ["SADD", "ch:c1:sub", "u1", "u2"],
    ["SADD", "ch:c1:bar", "u3"],
    ["SADD", "u:u1:ch", "c1"],
    ["SADD", "members", "u1"],
    ["ZADD", "guests", "1", "u2"],
    ["SET", "badge:u1", "x"],
    ["SET", "badge:u2", "x"],
    ["SADD", "online", "u1"],
    ["SET", "status:u1", "here"],
    ["HSET", "posts", "1", "x", "2", "x"],
    ["SADD", "pool:1", "1"],
    ["SADD", "pool:2", "2"],
    ["SADD", "friends:u1", "u2"],
    ["SET", "queries:2011-10-03", "4"],
    ["SET", "queries:2011-10", "4"],
    ["ZADD", "views", "2", "20111003"],
  ])
  await other.batch([
    ["HSET", "account:ann", "id", "7"],
    ["HSET", "account:bob", "id", "8"],
  ])
}

/** How a repair fixes it: by itself, or only with the option to delete data that is not derived. */
type Repair = "always" | Deletion | "never"

interface Plant {
  readonly name: string
  readonly commands: readonly (readonly string[])[]
  readonly db?: number
  readonly finds: readonly string[]
  readonly repair: Repair
}

const plants: readonly Plant[] = [
  {
    name: "a number below its bound",
    commands: [["SET", "stock:s1", "-1"]],
    finds: ["VALUE.UNDECODABLE stock:s1"],
    repair: "broken",
  },
  {
    name: "a fraction above its bound",
    commands: [["SET", "rate:s1", "1.5"]],
    finds: ["VALUE.UNDECODABLE rate:s1"],
    repair: "broken",
  },
  {
    name: "a number without end",
    commands: [["SET", "rate:s1", "inf"]],
    finds: ["VALUE.UNDECODABLE rate:s1"],
    repair: "broken",
  },
  {
    name: "a score below its bound",
    commands: [["ZADD", "ring:1", "-1", "z"]],
    finds: ["VALUE.UNDECODABLE ring:1"],
    repair: "broken",
  },
  {
    name: "a segment beyond its bounds",
    commands: [["ZADD", "ring:9", "0", "z"]],
    finds: ["KEY.SEGMENT ring:9"],
    repair: "broken",
  },
  {
    name: "an element beyond its bounds",
    commands: [["LSET", "hours:mon", "1", "24"]],
    finds: ["VALUE.UNDECODABLE hours:mon"],
    repair: "never",
  },
  {
    name: "a part of a list below its bound",
    commands: [["HSET", "spent", "u1", "1,-1,0"]],
    finds: ["VALUE.UNDECODABLE spent"],
    repair: "broken",
  },
  {
    name: "neither a day nor the total",
    commands: [["ZADD", "visits:p1", "1", "sum"]],
    finds: ["VALUE.UNDECODABLE visits:p1"],
    repair: "broken",
  },
  {
    name: "a slot beyond the days that count when none are set",
    commands: [["HSET", "settings", "slot", "7"]],
    finds: ["COMPARE.BROKEN settings"],
    repair: "never",
  },
  {
    name: "scores and a slot beyond fewer days",
    commands: [["HSET", "settings", "days", "6"]],
    finds: ["COMPARE.BROKEN ring:1", "COMPARE.BROKEN settings"],
    repair: "never",
  },
  {
    name: "a score beyond the days",
    commands: [["ZADD", "ring:1", "7", "z"]],
    finds: ["COMPARE.BROKEN ring:1"],
    repair: "broken",
  },
  {
    name: "a segment beyond another key's value",
    commands: [["ZADD", "ring:4", "0", "z"]],
    finds: ["COMPARE.BROKEN ring:4"],
    repair: "broken",
  },
  {
    name: "a column beyond another key's value",
    commands: [["HSET", "info", "2", "3,y"]],
    finds: ["COMPARE.BROKEN info"],
    repair: "broken",
  },
  {
    name: "a list of another length",
    commands: [["HSET", "spent", "u1", "1,2,3,4"]],
    finds: ["COMPARE.BROKEN spent"],
    repair: "broken",
  },
  {
    name: "a Redis list of another length",
    commands: [["RPUSH", "hours:mon", "4"]],
    finds: ["COMPARE.BROKEN hours:mon"],
    repair: "never",
  },
  {
    name: "a field that repeats another segment",
    commands: [["HSET", `p:1:grant:${CANARY}-1`, "project", "7"]],
    finds: ["COMPARE.BROKEN p:1:grant:…"],
    repair: "always",
  },
  {
    name: "a secret that points at another's key",
    commands: [["HSET", "grants", `${CANARY}-1`, `p:2:grant:${CANARY}-2`]],
    finds: ["COMPARE.BROKEN grants"],
    repair: "broken",
  },
  {
    name: "an id in two sets that rule each other out",
    commands: [["SADD", "ch:c1:sub", "u3"]],
    finds: ["EXCLUDES.BOTH ch:c1:sub"],
    repair: "always",
  },
  {
    name: "the same, from both sides",
    commands: [["SADD", "u:u3:ch", "c1"]],
    finds: ["EXCLUDES.BOTH u:u3:ch"],
    repair: "always",
  },
  {
    name: "a key of somebody in neither of two places",
    commands: [["ZREM", "guests", "u2"]],
    finds: ["REFERS.ORPHAN badge:u2"],
    repair: "orphans",
  },
  {
    name: "a field of nobody in another database",
    commands: [["HSET", `p:1:grant:${CANARY}-1`, "account", "99"]],
    finds: ["REFERS.ORPHAN p:1:grant:…"],
    repair: "orphans",
  },
  {
    name: "somebody who is gone from another database",
    db: 1,
    commands: [["DEL", "account:bob"]],
    finds: ["REFERS.ORPHAN p:2:grant:…"],
    repair: "orphans",
  },
  {
    name: "what is in no key of a pattern, whichever it is",
    commands: [["SREM", "pool:2", "2"]],
    finds: ["REFERS.DANGLING posts"],
    repair: "always",
  },
  {
    name: "a member that repeats a segment",
    commands: [["SADD", "friends:u1", "u1"]],
    finds: ["COMPARE.BROKEN friends:u1"],
    repair: "broken",
  },
  {
    name: "a day beyond its month",
    commands: [["SET", "queries:2011-10-03", "5"]],
    finds: ["COMPARE.BROKEN queries:2011-10-03"],
    repair: "broken",
  },
  {
    name: "a score beyond that of the same member elsewhere",
    commands: [["ZADD", "visits:p1", "3", "20111003"]],
    finds: ["COMPARE.BROKEN visits:p1"],
    repair: "broken",
  },
  {
    name: "what no job saw to within its grace",
    commands: [["DEL", "status:u1"]],
    finds: ["REFERS.DANGLING online"],
    repair: "always",
  },
]

onBothServers("rules of the language", (server) => {
  const found = async () => {
    const { findings } = await audit(fair, server().driver)
    return { findings, names: findings.map(({ code, key }) => `${code} ${key}`).sort() }
  }

  it("finds nothing where there is nothing to find", async () => {
    await fill(server().driver)
    expect((await found()).findings).toEqual([])
  })

  it.each(plants)("$name", async ({ commands, db = 0, finds, repair }) => {
    const { driver } = server()
    await fill(driver)
    await (await driver.database(db)).batch(commands)
    const { findings, names } = await found()
    expect(names, JSON.stringify(findings, undefined, 1)).toEqual(finds)
    expect(JSON.stringify(findings)).not.toContain(CANARY)
    expect(findings.every(({ fixable }) => fixable === (repair === "always"))).toBe(true)

    const careful = await planRepair(findings, fair, driver)
    expect(careful.actions).toHaveLength(repair === "always" ? findings.length : 0)
    if (repair === "never") return
    const plan = await planRepair(findings, fair, driver, { delete: repair === "always" ? [] : [repair] })
    expect(await applyRepair(plan, driver)).toMatchObject({ done: findings.length, refused: 0 })
    // What is deleted is the key of something else, which the next look finds.
    const [first] = (await found()).findings
    if (first?.code === "KEYOF.DANGLING") await applyRepair(await planRepair([first], fair, driver), driver)
    expect((await found()).names).toEqual([])
  })

  it("waits for what a job sees to", async () => {
    const { driver } = server()
    await fill(driver)
    await driver.send(["SADD", "online", "u9"])
    const seen = audit(fair, driver)
    const swept = new Promise((resolve) => setTimeout(resolve, 100)).then(() => driver.send(["SREM", "online", "u9"]))
    expect((await seen).findings).toEqual([])
    await swept
  })

  it("finds none of the accounts that come and go as a whole", async () => {
    const { driver } = server()
    await fill(driver)
    const other = await driver.database(1)
    let over = false
    const isOver = () => over
    const writing = (async () => {
      let i = 0
      for (; !isOver(); i++) {
        await other.send(["HSET", `account:w${i}`, "id", String(1000 + i)])
        await driver.send(["HSET", `p:1:grant:w${i}`, "project", "1", "account", String(1000 + i)])
        if (i % 2 === 0) continue
        await driver.send(["DEL", `p:1:grant:w${i}`])
        await other.send(["DEL", `account:w${i}`])
      }
      return i
    })()
    for (let round = 0; round < 5; round++) expect((await found()).names).toEqual([])
    over = true
    expect(await writing).toBeGreaterThan(0)
  })

  it("counts a collection that is too large to be read at once", async () => {
    const { driver } = server()
    await driver.send(["RPUSH", "hours:all", ...Array.from({ length: 2500 }, () => "1")])
    expect((await found()).names).toEqual(["COMPARE.BROKEN hours:all"])
  })
})
