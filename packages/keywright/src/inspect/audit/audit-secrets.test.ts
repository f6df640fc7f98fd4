/* The five systems' keyspaces with a canary in every secret place, everything of another
 * type or shape than declared: neither findings nor stats nor single keys show one. */

import { expect, it } from "vitest"
import * as z from "zod"
import { carto } from "../../../../../systems/carto/schema.ts"
import { messagingSchema } from "../../../../../systems/messaging/schema.ts"
import { recommender } from "../../../../../systems/recommender/schema.ts"
import { restaurant } from "../../../../../systems/restaurant/schema.ts"
import { shop } from "../../../../../systems/shop/schema.ts"
import { planRepair } from "../../change/make-plan/plan-repair.ts"
import { showAction, showCommand } from "../../change/plan/show-words.ts"
import { onAnyServer } from "../../client/servers.cases.ts"
import type { Command, Driver } from "../../driver/driver.ts"
import type { AnyCodec, CodecFields } from "../../schema/codec/codec.ts"
import { id } from "../../schema/codec/id.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { text } from "../../schema/codec/text.ts"
import { secret } from "../../schema/codec/wrap.ts"
import { hash, set, string } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { refersTo } from "../../schema/invariant.ts"
import type { Key } from "../../schema/key.ts"
import { type Keyspace, keyspace } from "../../schema/keyspace.ts"
import { audit } from "./audit.ts"
import { inspectKey } from "../model/inspect-key.ts"
import { stats } from "../stats/stats.ts"

/** Its rules leave the sweepers twice as long as it is between two passes: an audit waits that out. */
const messaging = messagingSchema({ sweepEvery: 0.5 })
const systems = { carto, messaging, recommender, restaurant, shop } as unknown as Readonly<Record<string, Keyspace>>
const CANARY = "CANARY-0123456789-abcdefghij"

/** A canary where it is secret, else something that fits or does not. */
const put = (codec: AnyCodec | undefined, other = "x y"): string => (codec?.secret === true ? CANARY : other)

const keyOf = ({ pattern, params }: Key): string =>
  pattern.replace(/\{(\w+)\}/g, (_, name: string) => put(params[name], params[name]!.example))

function write(row: Key): Command[] {
  const key = keyOf(row)
  const part = (name: string) => row.shape[name] as AnyCodec
  const document = { id: "another", ...Object.fromEntries([row.secret ?? []].flat().map((name) => [name, CANARY])) }
  switch (row.kind) {
    case "string":
    case "counter":
      return [["SET", key, Array.isArray(row.secret) ? JSON.stringify(document) : put(part("value"))]]
    case "hash":
      return Object.entries(row.shape["fields"] as CodecFields).map(([name, codec]) => ["HSET", key, name, put(codec)])
    case "map":
      return [["HSET", key, put(part("field")), put(part("value"))]]
    case "list":
      return [["RPUSH", key, put(part("item"))]]
    case "set":
      return [["SADD", key, put(part("member"))]]
    case "zset":
      return [["ZADD", key, "inf", put(part("member"))]]
    default:
      return []
  }
}

const another = (row: Key): Command[] => {
  const key = keyOf(row)
  return [["DEL", key], row.kind === "list" ? ["SET", key, CANARY] : ["RPUSH", key, CANARY]]
}

const user = id("user")
const SCORE = "471102"
/** A finding is about another place than the secret, and what it says follows from the secret. */
const derived = keyspace(
  {
    listed: entity("listed:{id}", json(z.object({ id: z.string(), level: z.number() })), {
      secret: ["level"],
      index: { level: { patterns: ["by-level", "by-level-too"], score: "level" } },
    }),
    declared: entity(
      "declared:{id}",
      { id: text, level: secret(int), boss: secret(text) },
      { index: { level: { patterns: "declared-by-level", score: "level" } } },
    ),
    numbered: entity("numbered:{id}", json(z.object({ id: z.number() })), {
      ids: "counter",
      counter: "numbered:next",
      params: { id: secret(int) },
    }),
    called: entity("called:{id}", json(z.object({ id: z.string() })), { ids: "given", all: "called", secret: ["id"] }),
    boss: entity("boss:{id}", { id: text }),
    chosen: set("chosen:{by}", secret(text), { params: { by: secret(text) } }),
    user: hash("user:{user}", { name: text }, { params: { user } }),
    vote: string("vote:{user}", text, { params: { user: secret(user) } }),
    voters: set("voters", secret(user)),
    ballot: hash("ballot:{n}", { user: secret(user) }),
  },
  {
    ttl: "never",
    relations: {
      declared: { boss: { one: "boss", from: "boss" } },
      boss: { chosen: { many: "boss", through: "chosen" } },
    },
    invariants: [refersTo(user, "vote", "user"), refersTo(user, "voters", "user"), refersTo(user, "ballot", "user")],
  },
)
const derivedWrites: Command[] = [
  ["SET", "listed:1", `{"id":"1","level":${SCORE}}`],
  ["ZADD", "by-level", "1", "1"],
  ["ZADD", "by-level-too", "1", "1"],
  ["HSET", "declared:1", "id", "1", "level", SCORE, "boss", CANARY],
  ["ZADD", "declared-by-level", "1", "1"],
  ["SET", `numbered:${SCORE}`, `{"id":${SCORE}}`],
  ["SET", "numbered:next", "5"],
  ["SET", `called:${CANARY}`, `{"id":"${CANARY}"}`],
  ["SADD", "called", `${CANARY}2`],
  ["SADD", `chosen:${CANARY}`, CANARY],
  ["SET", `vote:${CANARY}`, "x"],
  ["SADD", "voters", CANARY],
  ["HSET", "ballot:1", "user", CANARY],
]

onAnyServer("secrets", (server) => {
  it("are not shown by what is found elsewhere because of them", async () => {
    const { driver } = server()
    await driver.batch(derivedWrites)
    const { findings } = await audit(derived as unknown as Keyspace, driver)
    const codes = new Set(findings.map(({ code }) => code))
    expect([...codes].sort()).toEqual([
      "COUNTER.BEHIND",
      "INDEX.SCORE",
      "LIST.DANGLING",
      "LIST.MISSING",
      "MIRROR.SCORE",
      "REFERENCE.MISSING",
      "REFERS.DANGLING",
      "REFERS.ORPHAN",
      "THROUGH.DANGLING",
      "THROUGH.ORPHAN",
    ])
    const { actions } = await planRepair(findings, derived as unknown as Keyspace, driver)
    const plan = actions.map((action) => [showAction(action), action.commands.map((one) => showCommand(action, one))])
    expect(plan.length).toBeGreaterThan(5)
    expect(JSON.stringify([findings, plan])).not.toMatch(new RegExp(`${CANARY}|${SCORE}`))
  })

  it.each(Object.keys(systems))("are not shown: %s", async (name) => {
    const schema = systems[name]!
    const { driver } = server()
    const driverOf = async (row: Key): Promise<Driver> => driver.database(row.db)
    const shown: unknown[] = []
    for (const commands of [write, another]) {
      for (const row of schema.keys) await (await driverOf(row)).batch(commands(row))
      const { findings, ...rest } = await audit(schema, driver)
      expect(findings.length).toBeGreaterThan(schema.keys.length / 4)
      shown.push(findings, rest, await stats(schema, driver))
      for (const row of schema.keys) shown.push(await inspectKey(schema, driver, keyOf(row)))
    }
    expect(JSON.stringify(shown)).not.toContain(CANARY)
  })
})
