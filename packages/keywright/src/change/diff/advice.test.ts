/* What diff tells people to do, done. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis, type RealRedis } from "../../../../../test/real-redis.ts"
import { commands } from "../../cli/commands.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import {
  connect,
  counter,
  entity,
  json,
  keyspace,
  scope,
  set,
  sharded,
  string,
  text,
  toJson,
  type Keyspace,
} from "../../index.ts"
import { applyRepair } from "../carry-out/carry-out.ts"
import { planPurge } from "../make-plan/plan-purge.ts"
import { copyKeys } from "../transfer/copy-keys.ts"
import { adviceFor } from "./advice.ts"
import type { Change } from "./change.ts"
import { diffSchemas } from "./diff.ts"
import type { Any } from "./experiment/program.cases.ts"
import { people, person } from "./scenes/scene.cases.ts"
import { scenes } from "./scenes/scenes.cases.ts"

const told = scenes.flatMap(({ before, after }) => diffSchemas(toJson(before), toJson(after)).changes)
const commandsOf = (change: Change) => adviceFor(change).flatMap(({ command }) => command?.split(" && ") ?? [])

test("every command in the advice exists, with every option", () => {
  const common = ["--url", "--schema", "--config"]
  const lines = new Set(told.flatMap(commandsOf))
  expect(lines.size).toBeGreaterThan(5)
  for (const line of [...lines].filter((one) => !one.startsWith("redis-cli "))) {
    const [program, name] = line.split(" ")
    const command = commands.find((one) => one.name === name)
    expect([program, command?.name], line).toEqual(["keywright", name])
    const known = [...common, ...(command?.options ?? []).flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? [])]
    for (const flag of line.match(/(?<= )--[\w-]+/g) ?? []) expect(known, line).toContain(flag)
  }
})

test("every change that needs work on the data says which, or that there is no command for it", () => {
  for (const change of told)
    if (change.data !== "nothing") expect(adviceFor(change).length, change.code).toBeGreaterThan(0)
})

test("nothing is purged that the new schema keeps under the same names", () => {
  const plain = entity("x:{id}", json(person))
  const kept = entity("x:{id}", json(person), { index: { name: "x:name:{name}" }, all: "x:all", counter: "x:next" })
  const byHand = { byName: set("x:name:{name}", text), all: set("x:all", text), next: counter("x:next") }
  const forms = [{ x: plain, ...byHand }, { x: kept }].map((entries) =>
    toJson(keyspace(entries, { ttl: "never" }) as Keyspace),
  )
  for (const [before, after] of [forms, forms.toReversed()]) {
    const lines = diffSchemas(before!, after!).changes.flatMap(commandsOf)
    expect(lines.filter((line) => /purge|UNLINK/.test(line))).toEqual([])
  }
})

test("a schema that somebody recorded gets no command of its own into a line for the shell", () => {
  const indexed = { unique: { email: "u';touch pwned;':{email}" }, all: "x';touch pwned;'" }
  const form = (entries: Parameters<typeof keyspace>[0]) => toJson(keyspace(entries, { ttl: "never" }) as Keyspace)
  const before = form({ user: entity("user:{id}", json(person), indexed) })
  const after = form({ user: entity("user:{id}", json(person)) })
  const lines = diffSchemas(before, after).changes.flatMap(commandsOf)
  expect(lines.sort()).toEqual([
    String.raw`keywright purge --unknown --match 'u'\'';touch pwned;'\'':*' --url …`,
    String.raw`redis-cli -u … UNLINK 'x'\'';touch pwned;'\'''`,
  ])
})

test.each(["x\nall", "x\u001b[2Kall", "\\';touch pwned;'"])(
  "there is no command with %j in it, and it says so",
  (all) => {
    const before = keyspace({ x: entity("x:{id}", json(person), { all }) }, { ttl: "never" }) as Keyspace
    const after = keyspace({ x: entity("x:{id}", json(person)) }, { ttl: "never" }) as Keyspace
    const advice = diffSchemas(toJson(before), toJson(after)).changes.flatMap(adviceFor)
    expect(advice.map(({ command, text: said }) => [command, said.split(", ")[0]])).toEqual([
      [undefined, "deletes keys that no pattern owns now: write the command yourself"],
    ])
  },
)

describe.runIf(needs("redis-server"))("what is left of an index", () => {
  let redis: RealRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  test("goes, and the records stay", async () => {
    const plain = entity("x:{id}", json(person))
    const indexed = entity("x:{id}", json(person), {
      index: { name: ["x:name:{name}", "name:{name}:x"] },
      unique: { email: "x:mail[1]:{email}" },
      all: "x:all",
      counter: "x:next",
    })
    const before = keyspace({ s: scope("s:", { x: indexed }) }, { ttl: "never" })
    const after = keyspace({ s: scope("s:", { x: plain }) }, { ttl: "never" }) as Keyspace
    const db = await connect(before, redis.url)
    for (const { id: _, ...one } of people.slice(0, 2)) await db.s.x.create(one)
    await db.$close()
    const driver = openResp(redis.url)
    const { changes } = diffSchemas(toJson(before as Keyspace), toJson(after))
    for (const line of changes.flatMap(commandsOf)) {
      const [, match, key] = /^(?:keywright purge --unknown --match '(.+)' --url …|redis-cli -u … UNLINK (.+))$/.exec(
        line,
      )!
      if (match === undefined) await driver.send(["UNLINK", key!])
      else await applyRepair(await planPurge(after, driver, { unknown: true, match }), driver)
    }
    expect(((await driver.send(["KEYS", "*"])) as string[]).sort()).toEqual(["s:x:1", "s:x:2"])
    await driver.close()
  })
})

describe.runIf(needs("redis-server"))("keys that have another place", () => {
  let [from, to]: RealRedis[] = []
  beforeAll(async () => {
    ;[from, to] = await Promise.all([startRedis(), startRedis()])
  })
  afterAll(() => Promise.all([from?.stop(), to?.stop()]))

  const spread = (shards: number) =>
    keyspace({ s: sharded(shards, "user", { x: string("x:{user}", text) }) }, { ttl: "never" })
  const named = (prefix: string) => keyspace({ s: scope(prefix, { x: string("x:{user}", text) }) }, { ttl: "never" })

  test.each([
    ["TAG.CHANGED", spread(8), spread(16)],
    ["PATTERN.MOVED", named("old:"), named("new:")],
  ] as const)("%s: are copied to another server as it is told", async (code, before, after) => {
    const [change] = diffSchemas(toJson(before as Keyspace), toJson(after as Keyspace)).changes
    expect([change!.code, commandsOf(change!).some((line) => line.startsWith("keywright copy "))]).toEqual([code, true])
    const [source, target] = [openResp(from!.url), openResp(to!.url)]
    await Promise.all([source.send(["FLUSHALL"]), target.send(["FLUSHALL"])])
    const users = Array.from({ length: 50 }, (_, i) => `u${i}`)
    const write = (await connect(before, from!.url)) as Any
    for (const user of users) await handleOf(write, user).set(user)
    await write.$close()
    expect(await copyKeys(before as Keyspace, source, target, { to: after as Keyspace })).toMatchObject({
      verified: true,
    })
    const read = (await connect(after, to!.url)) as Any
    expect(await Promise.all(users.map((user) => handleOf(read, user).get()))).toEqual(users)
    await Promise.all([read.$close(), source.close(), target.close()])
  })
})

/** A handle in a sharded group, which is bound first, or in a scope. */
const handleOf = (db: Any, user: string): Any => (typeof db.s === "function" ? db.s({ user }).x() : db.s.x({ user }))
