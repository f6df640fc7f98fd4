/* What diff tells people to do, done. */

import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { needs } from "../../../../../test/needs.ts"
import { startRedis, type RealRedis } from "../../../../../test/real-redis.ts"
import { commands } from "../../cli/commands.ts"
import { openResp } from "../../driver/resp/open-resp.ts"
import { connect, entity, json, keyspace, scope, toJson, type Keyspace } from "../../index.ts"
import { applyRepair } from "../carry-out.ts"
import { planPurge } from "../plan-purge.ts"
import { adviceFor } from "./advice.ts"
import type { Change } from "./change.ts"
import { diffSchemas } from "./diff.ts"
import { people, person } from "./scenes/scene.cases.ts"
import { scenes } from "./scenes/scenes.cases.ts"

const told = scenes.flatMap(({ before, after }) => diffSchemas(toJson(before), toJson(after)).changes)
const commandsOf = (change: Change) => adviceFor(change).flatMap(({ command }) => command?.split(" && ") ?? [])

test("every command that is told exists, with every option", () => {
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
      const [, match, key] = /^(?:keywright purge --unknown --match '(.+)' --url …|redis-cli -u … UNLINK '(.+)')$/.exec(
        line,
      )!
      if (match === undefined) await driver.send(["UNLINK", key!])
      else await applyRepair(await planPurge(after, driver, { unknown: true, match }), driver)
    }
    expect(((await driver.send(["KEYS", "*"])) as string[]).sort()).toEqual(["s:x:1", "s:x:2"])
    await driver.close()
  })
})
