/* Plan files whose actions look like those of a broken rule between keys, or of an overdue note of the sweeper: each has
 * conditions that hold on the server, and none of them follows from these. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { sha1 } from "../../driver/reply-digest.ts"
import {
  excludes,
  hash,
  id,
  inverse,
  json,
  keyspace,
  layout,
  list,
  map,
  refersTo,
  sameIds,
  scope,
  set,
  string,
  text,
  zset,
} from "../../index.ts"
import { audit } from "../../inspect/audit/audit.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { applyRepair, doneOf, undoRepair } from "../carry-out/carry-out.ts"
import { journalOf, loadPlan, savePlan } from "../make-plan/plan-file.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import { throughFile } from "./saved-plan.cases.ts"

const [token, user, chan, post] = [id("token"), id("user"), id("chan"), id("post")]
const [account, visit] = [id("account"), id("visit")]
const record = layout({ key: "{entity}:{id}", all: "{entity}:list", index: "{entity}:index:{index}:{value}" })
const Named = json(z.object({ id: z.string() }))
const schema = keyspace(
  {
    login: map("login", token, text),
    recent: zset("recent", token),
    owner: string("owner:{chan}", token, { params: { chan } }),
    queue: list("queue", user),
    asked: set("asked", user),
    members: set("members:{chan}", user, { params: { chan } }),
    chans: set("chans:{user}", chan, { params: { user } }),
    banned: set("banned:{chan}", user, { params: { chan } }),
    pool: set("pool:{category}", post),
    picked: set("picked", post),
    money: string("money:{who}", text),
    front: string("front", post),
    top: string("top", post),
    posts: set("posts", post),
    sess: hash("sess:{s}", { who: account, n: text }),
    acct: string("acct:{account}", text, { params: { account } }),
    last: string("last", visit),
    visits: set("visits", visit),
    session: record("session", json(z.object({ id: z.string(), by: z.string() })), {
      index: { by: ["by"] },
      ttl: "1h",
    }),
    org: scope("org:{org}:", {
      team: record("team", Named),
      staff: record("staff", Named),
      teams: set("teams:{staff}", id("team")),
    }),
  },
  {
    ttl: "never",
    invariants: [
      sameIds(token, ["login", "recent", "owner"]),
      sameIds(user, ["queue", "asked"]),
      inverse("members", "chans"),
      excludes("banned", "members"),
      refersTo(post, "picked", "pool"),
      refersTo(post, "front", "posts"),
      refersTo(post, "top", "pool"),
      refersTo(account, "sess", "acct"),
      sameIds(visit, ["last", "visits"]),
    ],
    relations: { "org.staff": { teams: { many: "org.team", through: "org.teams" } } },
  },
) as unknown as Keyspace

const NOTES = "keywright:expiry:session:{id}"
const EXPIRY = "keywright:expiry:{entity}"
const NOTE = "s1\tby=ann"
const WHEN = String(Date.now() + 1_800_000)

/** What is on the server: all of it as the schema says. */
const right: readonly Command[] = [
  ["HSET", "login", "t1", "ann"],
  ["ZADD", "recent", "1", "t1"],
  ["SET", "owner:c1", "t1"],
  ["RPUSH", "queue", "u1"],
  ["SADD", "asked", "u1"],
  ["SADD", "members:c1", "u1"],
  ["SADD", "chans:u1", "c1"],
  ["SADD", "banned:c1", "u9"],
  ["SADD", "pool:news", "p1"],
  ["SADD", "picked", "p1"],
  ["SET", "money:ann", "1000"],
  ["SET", "front", "p1"],
  ["SET", "top", "p1"],
  ["SADD", "posts", "p1"],
  ["HSET", "sess:1", "who", "u1", "n", "1"],
  ["SET", "acct:u1", "x"],
  ["SET", "last", "v1"],
  ["SADD", "visits", "v1"],
  ["SET", "session:s1", '{"id":"s1","by":"ann"}', "PXAT", WHEN],
  ["SADD", "session:list", "s1"],
  ["SADD", "session:index:by:ann", "s1"],
  ["ZADD", NOTES, WHEN, NOTE],
  ["SET", "org:1:staff:7", '{"id":"7"}'],
  ["SADD", "org:1:staff:list", "7"],
  ["SET", "org:1:team:2", '{"id":"2"}'],
  ["SADD", "org:1:team:list", "2"],
  ["SADD", "org:1:teams:7", "2"],
]

type Condition = readonly [read: readonly string[], is: unknown]
type Forgery = readonly [
  code: string,
  pattern: string,
  commands: readonly (readonly string[])[],
  ...expects: readonly Condition[],
]

const digest = (of: string) => ({ sha1: sha1(of), length: of.length })
const score = (of: string) => ({ score: of })
const exists = (key: string, is: unknown = 1): Condition => [["EXISTS", key], is]
const member = (key: string, of: string, is: unknown): Condition => [["SISMEMBER", key, of], is]
const overdue = (...commands: readonly (readonly string[])[]) => [...commands, ["ZREM", NOTES, NOTE]] as const
const noted: Condition = [["ZSCORE", NOTES, NOTE], score(WHEN)]
const ofT1: Condition = [["ZSCORE", "recent", "t1"], score("1")]

const forgeries: readonly Forgery[] = [
  ["EXPIRY.OVERDUE", EXPIRY, overdue(["UNLINK", "money:ann"]), exists("money:ann")],
  ["EXPIRY.OVERDUE", EXPIRY, overdue(["UNLINK", "money:ann"]), noted, exists("session:s1", 0)],
  ["EXPIRY.OVERDUE", EXPIRY, overdue(["SREM", "session:list", "s1"]), noted, exists("session:s9", 0)],
  ["EXPIRY.OVERDUE", EXPIRY, overdue(["SREM", "org:1:staff:list", "7"]), noted],
  ["EXPIRY.OVERDUE", EXPIRY, overdue(["UNLINK", "org:1:teams:7"]), noted, exists("session:s1", 0)],
  ["EXPIRY.OVERDUE", EXPIRY, overdue(), noted],
  // Its record is gone, and its time is not over.
  [
    "EXPIRY.OVERDUE",
    EXPIRY,
    overdue(["SREM", "session:list", "s1"], ["SREM", "session:index:by:ann", "s1"]),
    noted,
    exists("session:s1", 0),
  ],
  ["EXPIRY.UNREADABLE", EXPIRY, overdue(), noted],
  ["SAME.EXTRA", "recent", [["ZREM", "recent", "t1"]], ofT1, [["GET", "owner:c9"], null]],
  ["SAME.EXTRA", "recent", [["ZREM", "recent", "t1"]], ofT1, [["GET", "owner:c1"], "t1"]],
  ["SAME.EXTRA", "recent", [["ZREM", "recent", "t1"]], ofT1, [["HGET", "login", "t1"], "ann"]],
  ["SAME.EXTRA", "recent", [["ZREM", "recent", "t1"]], ofT1, [["HEXISTS", "login", "t9"], 0]],
  [
    "SAME.EXTRA",
    "owner:{chan}",
    [["UNLINK", "owner:c1"]],
    [["GET", "owner:c1"], "t1"],
    [["HEXISTS", "login", "c1"], 0],
  ],
  // The place of the first item: it is there.
  ["SAME.EXTRA", "asked", [["SREM", "asked", "u1"]], [["LPOS", "queue", "u1"], 0]],
  ["SAME.MISSING", "asked", [["SADD", "asked", "u8"]], [["LLEN", "queue"], 1]],
  ["SAME.MISSING", "asked", [["SADD", "asked", "u8"]], [["LPOS", "queue", "u8"], null]],
  ["INVERSE.EXTRA", "chans:{user}", [["SREM", "chans:u1", "c1"]], member("members:c9", "u1", 0)],
  ["INVERSE.EXTRA", "chans:{user}", [["SREM", "chans:u1", "c1"]], member("members:c1", "u9", 0)],
  ["INVERSE.MISSING", "chans:{user}", [["SADD", "chans:u1", "c9"]], member("members:c9", "u1", { above: -1 })],
  ["INVERSE.MISSING", "chans:{user}", [["SADD", "chans:u9", "c1"]], member("members:c1", "u1", 1)],
  ["EXCLUDES.BOTH", "members:{chan}", [["SREM", "members:c1", "u1"]], member("banned:c1", "u1", { above: -1 })],
  ["EXCLUDES.BOTH", "members:{chan}", [["SREM", "members:c1", "u1"]], member("banned:c1", "u1", "0")],
  ["EXCLUDES.BOTH", "members:{chan}", [["SREM", "members:c1", "u1"]], member("banned:c1", "u9", 1)],
  // A digest that matches none of the texts in the action is not an id.
  ["REFERS.DANGLING", "front", [["UNLINK", "front"]], [["GET", "front"], digest("p1")], member("posts", "\0", 0)],
  [
    "REFERS.ORPHAN",
    "sess:{s}",
    [["UNLINK", "sess:1"]],
    [["HGET", "sess:1", "who"], digest("u1")],
    exists("acct:\0", 0),
  ],
  ["SAME.EXTRA", "last", [["UNLINK", "last"]], [["GET", "last"], digest("v1")], member("visits", "\0", 0)],
  ["SAME.MISSING", "visits", [["SADD", "visits", "\0"]], [["GET", "last"], digest("v1")]],
  ["SAME.MISSING", "visits", [["SADD", "visits", ""]], [["GET", "last"], digest("v1")]],
  ["THROUGH.DANGLING", "org:{org}:teams:{staff}", [["SREM", "org:1:teams:7", "2"]], exists("org:2:team:2", 0)],
  ["THROUGH.DANGLING", "org:{org}:teams:{staff}", [["SREM", "org:1:teams:7", "2"]], exists("org:2:team:9", 0)],
  [
    "THROUGH.ORPHAN",
    "org:{org}:teams:{staff}",
    [["UNLINK", "org:1:teams:7"]],
    exists("org:1:teams:7"),
    exists("org:1:staff:9", 0),
  ],
  ["LIST.MISSING", "session:list", [["SADD", "session:list", "s9"]], exists("session:s9", { above: -1 })],
  ["LIST.MISSING", "session:list", [["SADD", "session:list", "s9"]], exists("session:s9", "0")],
  ["LIST.MISSING", "session:list", [["SADD", "session:list", "s9"]], exists("session:s9", score("0"))],
]

/** No command can ask for these: all pools are looked at when the plan is loaded. */
const held: readonly Forgery[] = [
  ["REFERS.DANGLING", "picked", [["SREM", "picked", "p1"]], exists("money:ann")],
  ["REFERS.DANGLING", "picked", [["SREM", "picked", "p1"]], member("pool:old", "p1", 0)],
  ["REFERS.DANGLING", "top", [["UNLINK", "top"]], [["GET", "top"], digest("p1")]],
]

/** What repair sets right, by the same codes. */
const wrong: readonly Command[] = [
  ["ZADD", "recent", "1", "t2"],
  ["SET", "owner:c3", "t3"],
  ["RPUSH", "queue", "u2"],
  ["SADD", "asked", "u3"],
  ["SADD", "members:c2", "u1"],
  ["SADD", "chans:u4", "c1"],
  ["SADD", "banned:c1", "u5"],
  ["SADD", "members:c1", "u5"],
  ["SADD", "chans:u5", "c1"],
  ["SADD", "picked", "p2"],
  ["SADD", "org:1:teams:7", "8"],
  ["SADD", "org:1:teams:9", "2"],
  ["HSET", "sess:2", "who", "u2", "n", "1"],
  ["ZADD", NOTES, "1700000000000", "s2\tby=bob"],
  ["SADD", "session:list", "s2"],
  ["SADD", "session:index:by:bob", "s2"],
  ["ZADD", NOTES, WHEN, "rubbish"],
  ["SREM", "org:1:team:list", "2"],
]

const folder = mkdtempSync(join(tmpdir(), "keywright-replays-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onAnyServer("a plan by a rule between keys", (server) => {
  const sendAll = async (commands: readonly Command[]) => {
    for (const command of commands) await server().driver.send(command)
  }
  beforeEach(() => sendAll(right))

  it("has nothing to do where all is right", async () => {
    expect((await audit(schema, server().driver)).summary).toEqual({})
  })

  const loaded = async ([code, pattern, commands, ...conditions]: Forgery) => {
    const expects = conditions.map(([read, is]) => ({ read, is }))
    const action = { code, db: 0, pattern, key: commands.at(-1)![1], why: "x", expects, commands, undo: [] }
    const file = join(folder, "forged.json")
    writeFileSync(file, JSON.stringify({ ...(await planRepair([], schema, server().driver)), actions: [action] }))
    return loadPlan(file, schema, server().driver, { for: "repair" })
  }

  it("is refused where nothing follows from its conditions", async () => {
    const accepted: unknown[] = []
    for (const forgery of forgeries)
      await loaded(forgery).then(
        () => accepted.push(forgery),
        (error) => expect(error).toMatchObject({ code: "CHANGE.PLAN" }),
      )
    expect(accepted).toEqual([])
  })

  it("is skipped where what it calls dangling is somewhere, even if that goes away", async () => {
    const plans = []
    for (const forgery of held) plans.push(await loaded(forgery))
    await server().driver.send(["DEL", "pool:news"])
    for (const plan of plans) expect(await applyRepair(plan, server().driver)).toMatchObject({ done: 0, skipped: 1 })
  })

  it("is undone where what was dangling is somewhere by now", async () => {
    const { driver } = server()
    await sendAll([["SADD", "picked", "p2"]])
    const file = join(mkdtempSync(join(folder, "run-")), "undone.json")
    const { findings } = await audit(schema, driver)
    savePlan(await planRepair(findings, schema, driver), file)
    const made = await loadPlan(file, schema, driver)
    await applyRepair(made, driver, { journal: journalOf(file) })
    await sendAll([["SADD", "pool:news", "p2"]])
    const again = await loadPlan(file, schema, driver)
    expect(await undoRepair(again, driver, { done: doneOf(again, journalOf(file)) })).toMatchObject({ done: 1 })
    expect(await driver.send(["SISMEMBER", "picked", "p2"])).toBe(1)
  })

  it("is skipped where it rests on the digest of something that is not there yet", async () => {
    const { driver } = server()
    const action = {
      ...{ code: "REFERS.DANGLING", db: 0, pattern: "top", key: "top", why: "x" },
      ...{ expects: [{ read: ["GET", "top"], is: digest("p1 ") }], commands: [["UNLINK", "top"]], undo: [] },
    }
    const file = join(folder, "forged.json")
    writeFileSync(file, JSON.stringify({ ...(await planRepair([], schema, driver)), actions: [action] }))
    const plan = await loadPlan(file, schema, driver, { for: "repair" })
    expect(plan.outdated).toEqual([0])
    await driver.send(["SET", "top", "p1 "])
    expect(await applyRepair(plan, driver)).toMatchObject({ done: 0, skipped: 1 })
    expect(await driver.send(["GET", "top"])).toBe("p1 ")
  })

  it("is carried out when it has only the digest of a long id", async () => {
    const { driver } = server()
    await sendAll([["SET", "top", "p".repeat(100)]])
    const { findings } = await audit(schema, driver)
    const made = await throughFile(await planRepair(findings, schema, driver, { delete: ["orphans"] }), schema, driver)
    expect(made.actions.map(({ code }) => code)).toEqual(["REFERS.DANGLING"])
    expect(await applyRepair(made, driver)).toMatchObject({ done: 1 })
    expect(await driver.send(["EXISTS", "top"])).toBe(0)
  })

  it("is carried out when repair made it", async () => {
    await sendAll(wrong)
    const { driver } = server()
    const { findings } = await audit(schema, driver)
    const made = await throughFile(await planRepair(findings, schema, driver, { delete: ["orphans"] }), schema, driver)
    expect(new Set(made.actions.map(({ code }) => code))).toEqual(new Set(forgeries.map(([code]) => code)))
    expect(await applyRepair(made, driver)).toMatchObject({ done: made.actions.length })
    expect(await driver.send(["SMEMBERS", "picked"])).toEqual(["p1"])
    expect(await driver.send(["SMEMBERS", "session:list"])).toEqual(["s1"])
  })
})
