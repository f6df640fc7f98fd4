/* Plan files that call a rule of the schema broken (REFERS, COMPARE): accepted only when their conditions say that it is. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import {
  at,
  compare,
  counter,
  day,
  hash,
  id,
  int,
  keyspace,
  map,
  month,
  refersTo,
  set,
  string,
  text,
  zset,
} from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import { loadPlan } from "../make-plan/plan-file.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import { throughFile } from "./saved-plan.cases.ts"

const token = id("token")
const schema = keyspace(
  {
    login: map("login", token, text),
    recent: zset("recent", token),
    seen: set("seen", token),
    cart: hash("cart:{token}", { n: text }, { params: { token } }),
    count: string("count:{token}", int, { params: { token: text } }),
    most: string("most:{token}", int, { params: { token: text } }),
    stock: map("stock", text, int),
    rank: zset("rank", text),
    card: hash("card:{name}", { name: text, size: int }),
    perDay: counter("views:{u}:d:{day}", { params: { day }, value: int }),
    perMonth: counter("views:{u}:m:{month}", { params: { month }, value: int }),
  },
  {
    ttl: "never",
    invariants: [
      refersTo(token, "seen", ["login", "recent"]),
      refersTo(token, "cart", "login"),
      compare(at("count", "value"), "<=", at("most", "value")),
      compare(at("stock", "value"), ">=", 0),
      compare(at("rank", "score"), "<=", 9),
      compare(at("card", "name"), "=", at("card", "{name}")),
      compare(at("perDay", "value"), "<=", at("perMonth", "value", { otherwise: 0 })),
    ],
  },
) as unknown as Keyspace

type Condition = readonly [read: readonly string[], is: unknown]
type Forgery = readonly [code: string, pattern: string, command: readonly string[], ...expects: readonly Condition[]]

/** A day that has more views than a month which is not there: each names another one than the day's. */
const ofOtherMonth = ["2024", "2024-0", "2", "", "2024-05-03", "2024-06"].map((other): Forgery => [
  "COMPARE.BROKEN",
  "views:{u}:d:{day}",
  ["UNLINK", "views:bob:d:2024-05-03"],
  [["GET", "views:bob:d:2024-05-03"], "7"],
  [["GET", `views:bob:m:${other}`], null],
])

const forgeries: readonly Forgery[] = [
  ...ofOtherMonth,
  ["REFERS.DANGLING", "seen", ["SREM", "seen", "t"]],
  ["REFERS.DANGLING", "seen", ["SREM", "seen", "t"], [["HEXISTS", "login", "t"], 0]],
  [
    "REFERS.DANGLING",
    "seen",
    ["SREM", "seen", "t"],
    [["HEXISTS", "login", "other"], 0],
    [["ZSCORE", "recent", "other"], null],
  ],
  ["REFERS.ORPHAN", "cart:{token}", ["UNLINK", "cart:t"], [["EXISTS", "cart:t"], 1]],
  ["REFERS.ORPHAN", "cart:{token}", ["UNLINK", "cart:t"], [["EXISTS", "cart:t"], 1], [["HEXISTS", "login", "u"], 0]],
  ["COMPARE.BROKEN", "count:{token}", ["UNLINK", "count:t"], [["GET", "count:t"], "5"]],
  ["COMPARE.BROKEN", "count:{token}", ["UNLINK", "count:t"], [["GET", "count:t"], "5"], [["GET", "most:t"], "9"]],
  ["COMPARE.BROKEN", "count:{token}", ["UNLINK", "count:t"], [["GET", "count:t"], "5"], [["GET", "most:u"], "1"]],
  [
    "COMPARE.BROKEN",
    "count:{token}",
    ["UNLINK", "count:t"],
    [["GET", "count:t"], { sha1: sha1("5"), length: 1 }],
    [["GET", "most:t"], { sha1: sha1("9"), length: 1 }],
  ],
  [
    "COMPARE.BROKEN",
    "count:{token}",
    ["UNLINK", "count:t"],
    [["GET", "count:t"], { sha1: sha1("5"), length: 100 }],
    [["GET", "most:t"], { sha1: sha1("9"), length: 100 }],
  ],
  ["COMPARE.BROKEN", "count:{token}", ["UNLINK", "count:t"], [["GET", "count:t"], "5"], [["STRLEN", "most:t"], 1]],
  ["COMPARE.BROKEN", "count:{token}", ["UNLINK", "count:t"], [["GET", "count:t"], "5"], [["EXISTS", "most:t"], 1]],
  [
    "COMPARE.BROKEN",
    "card:{name}",
    ["HSET", "card:a", "name", "b"],
    [["HGET", "card:a", "name"], { sha1: sha1("a"), length: 100 }],
  ],
  ["COMPARE.BROKEN", "stock", ["HDEL", "stock", "apple"], [["HGET", "stock", "apple"], "3"]],
  ["COMPARE.BROKEN", "stock", ["HDEL", "stock", "apple"], [["HGET", "stock", "pear"], "-3"]],
  ["COMPARE.BROKEN", "stock", ["UNLINK", "stock"], [["HGET", "stock", "pear"], "-3"]],
  ["COMPARE.BROKEN", "rank", ["ZREM", "rank", "ann"], [["ZSCORE", "rank", "ann"], { score: "3" }]],
  ["COMPARE.BROKEN", "card:{name}", ["UNLINK", "card:a"], [["HGET", "card:a", "name"], "a"]],
  ["COMPARE.BROKEN", "card:{name}", ["UNLINK", "card:a"], [["EXISTS", "card:a"], 1]],
  ["COMPARE.BROKEN", "card:{name}", ["UNLINK", "card:a"], [["HGET", "card:a", "name"], "b"]],
  ["COMPARE.BROKEN", "card:{name}", ["HSET", "card:a", "size", "a"], [["HGET", "card:a", "size"], "7"]],
]

const folder = mkdtempSync(join(tmpdir(), "keywright-rules-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onAnyServer("a plan by a rule", (server) => {
  const send = (...command: Command) => server().driver.send(command)
  beforeEach(async () => {
    await send("HSET", "login", "t", "ann")
    await send("SADD", "seen", "t")
    await send("HSET", "cart:t", "n", "1")
    await send("SET", "count:t", "5")
    await send("SET", "most:t", "9")
    await send("HSET", "stock", "apple", "3")
    await send("ZADD", "rank", "3", "ann")
    await send("HSET", "card:a", "name", "a", "size", "7")
    await send("SET", "views:bob:d:2024-05-03", "7")
    await send("SET", "views:bob:m:2024-05", "9")
  })

  it("is not needed for data that is right", async () => {
    expect((await audit(schema, server().driver)).summary).toEqual({})
  })

  it.each(forgeries)("is refused: %s of %s, %j", async (code, pattern, command, ...expects) => {
    const file = join(folder, "forged.json")
    const conditions = expects.map(([read, is]) => ({ read, is }))
    const action = {
      code,
      db: 0,
      pattern,
      key: command[1],
      why: "x",
      expects: conditions,
      commands: [command],
      undo: [],
    }
    const plan = { ...(await planRepair([], schema, server().driver)), actions: [action] }
    writeFileSync(file, JSON.stringify(plan))
    await expect(loadPlan(file, schema, server().driver, { for: "repair" })).rejects.toMatchObject({
      code: "CHANGE.PLAN",
    })
  })

  it("is carried out when repair made it", async () => {
    await send("SADD", "seen", "gone")
    await send("HSET", "cart:gone", "n", "1")
    await send("SET", "count:u", "5")
    await send("SET", "most:u", "1")
    await send("HSET", "stock", "pear", "-3")
    await send("ZADD", "rank", "12", "eve")
    await send("HSET", "card:b", "name", "a", "size", "7")
    await send("SET", "views:eve:d:2024-05-03", "7")
    const { driver } = server()
    const { findings, summary } = await audit(schema, driver)
    expect(summary).toEqual({ "REFERS.DANGLING": 1, "REFERS.ORPHAN": 1, "COMPARE.BROKEN": 5 })
    const all = ["unknown", "broken", "conflicts", "fields", "orphans", "excess"] as const
    const made = await throughFile(await planRepair(findings, schema, driver, { delete: all }), schema, driver)
    const codes = made.actions.map(({ code }) => code).sort()
    expect(codes).toEqual([
      ...Array<string>(codes.length - 2).fill("COMPARE.BROKEN"),
      "REFERS.DANGLING",
      "REFERS.ORPHAN",
    ])
    expect(await applyRepair(made, driver)).toMatchObject({ done: made.actions.length })
    expect(await send("HGET", "card:b", "name")).toBe("b")
    expect(await send("SMEMBERS", "seen")).toEqual(["t"])
  })
})
