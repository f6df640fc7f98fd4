/* Plan files whose conditions hold on the server and justify nothing: spelled as no plan spells them, of another scope or
 * database, or of a kind of key that their code does not have. All data is right, and none of it may be changed. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeEach, expect, it } from "vitest"
import * as z from "zod"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command } from "../../driver/driver.ts"
import { sha1, unorderedDigest } from "../../driver/reply-digest.ts"
import {
  bytes,
  database,
  either,
  entity,
  id,
  int,
  json,
  keyOf,
  keyspace,
  layout,
  map,
  quoted,
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
import { loadPlan } from "../make-plan/plan-file.ts"
import { MOST_CONDITIONS } from "../plan/plan-grammar.ts"
import { planRepair } from "../make-plan/plan-repair.ts"
import type { Word } from "../plan/word.ts"

const [post, token] = [id("post"), id("token")]
const record = layout({
  key: "{entity}:{id}",
  counter: "{entity}:counter",
  all: "{entity}:list",
  index: "{entity}:index:{index}:{value}",
})
const User = json(z.object({ id: z.string(), email: z.string(), role: z.string(), note: z.string() }))
const schema = keyspace(
  {
    user: record("user", User, { unique: { email: "email" }, index: { role: ["role"] } }),
    pet: entity("pet:{id}", { id: text, kind: text, photo: bytes }, { index: { kind: "pet:index:kind:{kind}" } }),
    owner: string("owner:{thing}", text),
    deed: string("deed:{n}", keyOf({ owner: "owner:{thing}" })),
    deeds: set("deeds", keyOf({ owner: "owner:{thing}" })),
    stock: map("stock", text, int),
    rank: zset("rank", text, { score: int }),
    front: string("front", post),
    picked: set("picked", post),
    led: string("led", quoted(id("lead"))),
    leads: set("leads", id("lead")),
    spare: database(1, "spare", { place: string("owner:{thing}", text) }),
    byday: zset("byday", post),
    login: string("login", token),
    seen: set("seen", token),
    status: string("status:{user}", text, { ttl: either("30s", "never") }),
    org: scope("org:{org}:", { team: record("team", json(z.object({ id: z.string() }))) }),
  },
  {
    ttl: "never",
    invariants: [
      refersTo(post, "picked", "front"),
      refersTo(post, "byday", "front"),
      refersTo(id("lead"), "leads", "led"),
      sameIds(token, ["login", "seen"]),
    ],
  },
) as unknown as Keyspace

const ANN = JSON.stringify({ id: "1", email: "ann@x", role: "ADMIN", note: "n".repeat(80) })
/** Its id has the character that stands for bytes which are not text. */
const CAFE = JSON.stringify({ id: "caf\ufffd", email: "cafe@x", role: "ADMIN", note: "" })
/** Has the same address: only a person can decide whose it is. */
const TWIN = JSON.stringify({ id: "2", email: "ann@x", role: "USER", note: "" })
const PHOTO = Buffer.from([255, 254, 0])
const LED = '"\\u0070\\u0031"'
const right: readonly Command[] = [
  ["SET", "user:1", ANN],
  ["SADD", "user:list", "1"],
  ["SADD", "user:index:role:ADMIN", "1"],
  ["SET", "user:index:email:ann@x", "1"],
  ["SET", "user:counter", "1"],
  ["SET", "user:caf\ufffd", CAFE],
  ["SADD", "user:list", "caf\ufffd"],
  ["SADD", "user:index:role:ADMIN", "caf\ufffd"],
  ["SET", "user:index:email:cafe@x", "caf\ufffd"],
  ["SET", "deed:1", "owner:\ufffd"],
  ["SADD", "deeds", "owner:\ufffd"],
  ["SET", "owner:\ufffd", "ann"],
  ["SET", "owner:safe", "ann"],
  ["HSET", "stock", "apple", "3"],
  ["HSET", "pet:1", "id", "1", "kind", "cat", "photo", PHOTO],
  ["SADD", "pet:index:kind:cat", "1"],
  ["ZADD", "rank", "5", "ann"],
  ["SET", "front", "p1"],
  ["SADD", "picked", "p1"],
  ["ZADD", "byday", "1", "p1"],
  ["SET", "led", LED],
  ["SADD", "leads", "p1"],
  ["SET", "login", "t1"],
  ["SADD", "seen", "t1"],
  ["SET", "status:1", "here"],
  ["SET", "org:1:team:7", '{"id":"7"}'],
  ["SADD", "org:1:team:list", "7"],
  ["SET", "org:1:team:counter", "7"],
  ["SET", "org:2:team:999", '{"id":"999"}'],
  ["SADD", "org:2:team:list", "999"],
  ["SET", "org:2:team:counter", "999"],
]

type Forgery = readonly [
  code: string,
  pattern: string,
  commands: readonly (readonly Word[])[],
  ...expects: (readonly [read: readonly Word[], is: unknown, db?: number])[],
]

const digest = (value: string) => ({ sha1: sha1(value), length: value.length })
const turned = (value: string) => ({ length: value.length, sha1: sha1(value) })
const long = (value: string) => ({ sha1: sha1(value), length: 1000 })

/** A word whose bytes are not text: no key that the schema owns, and no element that it has. */
const latin1 = (text: string): Word => ({ base64: Buffer.from(text, "latin1").toString("base64") })

const forgeries: readonly Forgery[] = [
  ["LIST.DANGLING", "user:list", [["SREM", "user:list", "caf\ufffd"]], [["EXISTS", latin1("user:caf\xff")], 0]],
  ...[["EXISTS", 0] as const, ["GET", null] as const].flatMap(([read, is]): Forgery[] => [
    [
      "INDEX.DANGLING",
      "user:index:role:{role}",
      [["SREM", "user:index:role:ADMIN", "caf\ufffd"]],
      [[read, latin1("user:caf\xff")], is],
    ],
    [
      "UNIQUE.DANGLING",
      "user:index:email:{email}",
      [["UNLINK", "user:index:email:cafe@x"]],
      [["GET", "user:index:email:cafe@x"], "caf\ufffd"],
      [[read, latin1("user:caf\xff")], is],
    ],
  ]),
  [
    "KEYOF.DANGLING",
    "deed:{n}",
    [["UNLINK", "deed:1"]],
    [["GET", "deed:1"], "owner:\ufffd"],
    [["EXISTS", latin1("owner:\xff")], 0],
  ],
  ["KEYOF.DANGLING", "deeds", [["SREM", "deeds", "owner:\ufffd"]], [["EXISTS", latin1("owner:\xff")], 0]],
  ["REFERS.DANGLING", "picked", [["SREM", "picked", latin1("p\xff")]], [["GET", "front"], "p1"]],
  [
    "PURGE",
    "user:{id}",
    [
      ["SREM", "user:list", latin1("caf\xff")],
      ["UNLINK", "user:caf\ufffd"],
    ],
    [["EXISTS", "user:caf\ufffd"], 1],
  ],
  ...[digest, turned, long].map((form): Forgery => [
    "KEY.TYPE",
    "owner:{thing}",
    [["UNLINK", "owner:safe"]],
    [["TYPE", "owner:safe"], form("string")],
  ]),
  ...[digest, turned, long, String].flatMap((form): Forgery[] => [
    ["INDEX.STALE", "user:index:role:{role}", [["SREM", "user:index:role:ADMIN", "1"]], [["GET", "user:1"], form(ANN)]],
    [
      "UNIQUE.STALE",
      "user:index:email:{email}",
      [["UNLINK", "user:index:email:ann@x"]],
      [["GET", "user:index:email:ann@x"], "1"],
      [["GET", "user:1"], form(ANN)],
    ],
    ["INDEX.MISSING", "user:index:role:{role}", [["SADD", "user:index:role:EVE", "1"]], [["GET", "user:1"], form(ANN)]],
  ]),
  ...["5", "5.0", "05", "0x5", " 5", "5e0", "5\0x"].map((score): Forgery => [
    "VALUE.UNDECODABLE",
    "rank",
    [["ZREM", "rank", "ann"]],
    [["ZSCORE", "rank", "ann"], { score }],
  ]),
  [
    "INDEX.STALE",
    "pet:index:kind:{kind}",
    [["SREM", "pet:index:kind:cat", "1"]],
    [["HGETALL", "pet:1"], { pairs: unorderedDigest(["id", "1", "kind", "cat", "photo", PHOTO], 2) }],
  ],
  ["VALUE.FIELD_UNKNOWN", "stock", [["HDEL", "stock", "apple"]], [["HGET", "stock", "apple"], "3"]],
  ...[digest, turned, long].flatMap((form): Forgery[] => [
    ["REFERS.DANGLING", "picked", [["SREM", "picked", "p1"]], [["GET", "front"], form("p1")]],
    [
      "REFERS.DANGLING",
      "byday",
      [["ZREM", "byday", "p1"]],
      [["ZSCORE", "byday", "p1"], { score: "1" }],
      [["GET", "front"], form("p1")],
    ],
    ["SAME.EXTRA", "seen", [["SREM", "seen", "t1"]], [["GET", "login"], form("t1")]],
  ]),
  ["REFERS.DANGLING", "leads", [["SREM", "leads", "p1"]], [["GET", "led"], digest(LED)]],
  [
    "KEY.TYPE",
    "owner:{thing}",
    [["UNLINK", "owner:safe"]],
    [["EXISTS", "owner:safe"], 1],
    [["TYPE", "owner:safe"], "none", 1],
  ],
  // Both have this address, and the entry is rightly that of the first.
  ...[
    [],
    [[["GET", "user:index:email:ann@x"], "1"]] as const,
    [
      [["GET", "user:index:email:ann@x"], "9"],
      [["EXISTS", "user:1"], 0],
    ] as const,
    [
      [["GET", "user:index:email:ann@x"], "1"],
      [["EXISTS", "user:1"], 1],
    ] as const,
    [
      [["GET", "user:index:email:ann@x"], "1"],
      [["GET", "user:1"], digest(ANN)],
    ] as const,
    [[["GET", "user:index:email:ann@x"], null, 1]] as const,
  ].map((holder): Forgery => [
    "UNIQUE.STALE",
    "user:index:email:{email}",
    [["SET", "user:index:email:ann@x", "2"]],
    [["GET", "user:2"], digest(TWIN)],
    [["EXISTS", "user:index:email:ann@x"], 1],
    ...holder,
  ]),
  // Its record cannot be read.
  ["INDEX.STALE", "user:index:role:{role}", [["SREM", "user:index:role:ADMIN", "3"]], [["GET", "user:3"], "{"]],
  // In the other database the same key holds the id of nobody.
  [
    "UNIQUE.DANGLING",
    "user:index:email:{email}",
    [["UNLINK", "user:index:email:ann@x"]],
    [["EXISTS", "user:999"], 0],
    [["EXISTS", "user:index:email:ann@x"], 1],
    [["GET", "user:index:email:ann@x"], "999", 1],
  ],
  // An index that is a set does not have a single value.
  ...[0, 1].map((db): Forgery => [
    "INDEX.DANGLING",
    "user:index:role:{role}",
    [["UNLINK", "user:index:role:ADMIN"]],
    [["EXISTS", "user:999"], 0],
    [["EXISTS", "user:index:role:ADMIN"], 1],
    [["GET", "user:index:role:ADMIN"], "999", db],
  ]),
  [
    "INDEX.MISSING",
    "user:index:role:{role}",
    [["SET", "user:index:role:ADMIN", "1"]],
    [["GET", "user:1"], digest(ANN)],
    [["EXISTS", "user:index:role:ADMIN"], 1],
  ],
  ["TTL.MISSING", "status:{user}", [["PEXPIRE", "status:1", "30000"]], [["PTTL", "status:1"], -1]],
  [
    "COUNTER.BEHIND",
    "org:{org}:team:counter",
    [["RAISE", "org:1:team:counter", "999"]],
    [["EXISTS", "org:2:team:999"], 1],
  ],
  ["KEY.SEGMENT", "owner:{thing}", [["UNLINK", "owner:\ud800"]], [["EXISTS", "owner:\ud800"], 1]],
  ["KEY.UNKNOWN", "owner:{thing}", [["UNLINK", "owner:\ud800"]], [["EXISTS", "owner:\ud800"], 1]],
  // Each is compared with all others: more than a plan can need would keep the check busy.
  [
    "UNIQUE.DANGLING",
    "user:index:email:{email}",
    [["UNLINK", "user:index:email:ann@x"]],
    [["GET", "user:index:email:ann@x"], "9"],
    ...Array.from({ length: MOST_CONDITIONS }, () => [["EXISTS", "user:9"], 0] as const),
  ],
  [
    "PURGE",
    "owner:{thing}",
    [
      ["SREM", "user:list", "1"],
      ["UNLINK", "owner:safe"],
    ],
    [["EXISTS", "owner:safe"], 1],
  ],
  [
    "PURGE",
    "user:{id}",
    [
      ["SREM", "user:index:role:ADMIN", "1"],
      ["UNLINK", "user:9"],
    ],
    [["EXISTS", "user:1"], 1],
  ],
  [
    "PURGE",
    "org:{org}:team:{id}",
    [
      ["SREM", "org:1:team:list", "7"],
      ["UNLINK", "org:2:team:999"],
    ],
    [["EXISTS", "org:2:team:999"], 1],
  ],
]

const folder = mkdtempSync(join(tmpdir(), "keywright-spelled-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

onAnyServer("conditions that are spelled in another way", (server) => {
  beforeEach(async () => {
    for (const command of right) await server().driver.send(command)
  })

  it("are of data that is right", async () => {
    expect((await audit(schema, server().driver)).summary).toEqual({})
  })

  it("justify nothing", async () => {
    const { driver } = server()
    await driver.send(["SET", "user:2", TWIN])
    await driver.send(["SET", "user:3", "{"])
    const empty = await planRepair([], schema, driver)
    const accepted: unknown[] = []
    for (const [code, pattern, commands, ...conditions] of forgeries) {
      const expects = conditions.map(([read, is, db]) => ({ read, is, ...(db !== undefined && { db }) }))
      const action = { code, db: 0, pattern, key: commands.at(-1)![1], why: "x", expects, commands, undo: [] }
      const file = join(folder, "forged.json")
      writeFileSync(file, JSON.stringify({ ...empty, actions: [action] }))
      await loadPlan(file, schema, driver, { for: code === "PURGE" ? "purge" : "repair" }).then(
        () => accepted.push(action),
        (error) => expect(error).toMatchObject({ code: "CHANGE.PLAN" }),
      )
    }
    expect(accepted).toEqual([])
  })
})
