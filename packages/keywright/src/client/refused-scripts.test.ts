/* A user of an ACL who may run only some of the commands of a script: what is refused has written nothing, so that it can
 * be repeated. */

import { expect, it } from "vitest"
import { Refused } from "../errors/outcome.ts"
import {
  counter,
  family,
  fence,
  fencedStep,
  hash,
  int,
  keyspace,
  list,
  many,
  map,
  set,
  step,
  string,
  text,
} from "../index.ts"
import { connect } from "./connect.ts"
import { takeFences } from "./fences/fences.ts"
import { onBothServers } from "./servers.cases.ts"
import { drainers, schemaOf } from "./shards/drain.cases.ts"

const schema = keyspace(
  {
    hits: counter("hits:{id}", { ttl: "1h" }),
    points: map("points", text, int),
    waiting: list("waiting", text, { ttl: "1h" }),
    total: counter("total"),
    page: string("page:{id}", text),
    fence: fence("fence"),
    channel: family(
      "channel:{channel}",
      { ttl: "3h", marker: "info" },
      { info: hash("", { name: text }), banned: set(":banned", text), seen: counter(":seen") },
    ),
  },
  {
    ttl: "never",
    steps: {
      count: step({
        script: '-- KEYS[1] total\n-- ARGV none\nreturn redis.call("INCRBY", KEYS[1], 5)',
        keys: ["total"],
        once: true,
        returns: int,
      }),
      add: fencedStep({
        script:
          '-- KEYS[1] total\n-- ARGV n, n × amount\nfor i = 1, tonumber(ARGV[1]) do redis.call("INCRBY", KEYS[1], ARGV[1 + i]) end',
        keys: ["total"],
        fence: "fence",
        record: many(int),
      }),
    },
  },
)

onBothServers("a script that is refused in its middle", (server) => {
  const raw = (...words: string[]) => server().raw(...words)
  const contents = async () => Promise.all((await server().keys()).map(async (key) => [key, await raw("DUMP", key)]))
  const withoutCommand = async (command: string, call: () => Promise<unknown>) => {
    const before = await contents()
    await raw("ACL", "SETUSER", "default", `-${command}`)
    const error = await call().catch((reason: unknown) => reason)
    await raw("ACL", "SETUSER", "default", "+@all")
    expect(error).toBeInstanceOf(Refused)
    expect(await contents()).toEqual(before)
  }

  it.each(["hset", "rename", "incrby", "time"])("loses and repeats no amount of a drain: -%s", async (command) => {
    const drained = schemaOf(0)
    const { total } = drainers(drained, server().driver)
    await raw("SET", "keywright:total", "7")
    await total.run()
    await raw("SET", "keywright:total", "100")
    await raw("ACL", "SETUSER", "default", `-${command}`)
    for (const _ of [1, 2]) await expect(total.run()).rejects.toBeInstanceOf(Refused)
    await raw("ACL", "SETUSER", "default", "+@all")
    await total.run()
    expect(await raw("GET", "all:")).toBe("107")
  })

  it("loses no item that was waited for when its list cannot be given a deadline", async () => {
    const db = await connect(schema, server().target)
    await raw("RPUSH", "waiting", "a", "b")
    await raw("ACL", "SETUSER", "default", "-pexpire")
    const taken = await db.waiting().takeLeft({ waitMs: 1000 })
    await raw("ACL", "SETUSER", "default", "+@all")
    expect(taken).toBe("a")
    expect(await raw("LRANGE", "waiting", "0", "-1")).toEqual(["b"])
    await db.$close()
  })

  it("adds no amount of a drain twice where only some can be added, or the number cannot be noted", async () => {
    const { sums } = drainers(schemaOf(0), server().driver)
    await raw("HSET", "keywright:sums", "a", "5", "b", "1.5")
    for (const rights of [["-hincrbyfloat"], ["+@all", "resetkeys", "%R~*", "~keywright:sums*", "~sum:"]]) {
      await raw("ACL", "SETUSER", "default", ...rights)
      for (const _ of [1, 2]) await expect(sums.run()).rejects.toBeInstanceOf(Refused)
    }
    await raw("ACL", "SETUSER", "default", "+@all", "~*")
    await sums.run()
    expect(await raw("HMGET", "sum:", "a", "b")).toEqual(["5", "1.5"])
  })

  it.each(["set", "pexpire"])(
    "adds nothing that its operation id would not keep from being added again: -%s",
    async (command) => {
      const db = await connect(schema, server().target)
      await withoutCommand(command, () => db.hits({ id: "1" }).increment(5, { operationId: "one" }))
      await db.hits({ id: "1" }).increment(5, { operationId: "one" })
      expect(await db.hits({ id: "1" }).get()).toBe(5)
      await db.$close()
    },
  )

  it("adds once what is too large to be told, and does not call it refused", async () => {
    const db = await connect(schema, server().target)
    const add = () => db.points().increment("a", 5, { operationId: "one" })
    await raw("HSET", "points", "a", "9007199254740993")
    await raw("ACL", "SETUSER", "default", "-hget")
    for (const _ of [1, 2]) await expect(add()).rejects.toMatchObject({ name: "OutcomeUnknown", code: "DRIVER.REPLY" })
    await raw("ACL", "SETUSER", "default", "+@all")
    expect(await raw("HGET", "points", "a")).toBe("9007199254740998")
    await db.$close()
  })

  it.each(["pexpireat", "time"])("leaves no family without a deadline: -%s", async (command) => {
    const db = await connect(schema, server().target)
    const channel = db.channel({ channel: "1" })
    const whole = { info: { name: "n" }, banned: ["b"], seen: 1 }
    await withoutCommand(command, () => channel.$fill(whole))
    await channel.$fill(whole)
    await withoutCommand("pexpireat", () => channel.seen().increment(1))
    await db.$close()
  })

  it.each(["hset", "sadd", "set", "unlink"])("keeps the family that it would have replaced: -%s", async (command) => {
    const db = await connect(schema, server().target)
    const channel = db.channel({ channel: "1" })
    await channel.$fill({ info: { name: "n" }, banned: ["b"], seen: 1 })
    await withoutCommand(command, () => channel.$fill({ info: { name: "m" }, banned: ["c"], seen: 2 }))
    await db.$close()
  })

  it.each(["zadd", "zrem", "pexpire", "pttl"])("leaves no hold behind: -%s", async (command) => {
    const db = await connect(schema, server().target)
    await db.page({ id: "1" }).set("old")
    await withoutCommand(command, () => db.page({ id: "1" }).invalidateWhile(() => 1))
    await db.$close()
  })

  it("does no step that could not be remembered", async () => {
    const db = await connect(schema, server().target)
    await withoutCommand("set", () => db.$steps.count({}, { operationId: "one" }))
    expect(await db.$steps.count({}, { operationId: "one" })).toBe(5)
    await db.$close()
  })

  it("applies nothing behind a fence that could not be moved, and forgets no term", async () => {
    const db = await connect(schema, server().target)
    const take = (term: number, forget: boolean) =>
      takeFences({ on: db, term, all: [db.fence()], of: () => db.fence(), forget })
    const fences = await take(1, false)
    const [part] = fences.split("sale", [{ id: 1 }], () => 1)
    const add = () => db.$steps.add({ sequence: part!.sequence, fence: part!.fence, records: [[5]] })
    await withoutCommand("hset", add)
    await withoutCommand("hset", () => take(2, true))
    await add()
    expect(await db.total().get()).toBe(5)
    await db.$close()
  })
})
