/* Texts that are declared in quotes: those stored without are found, and repair quotes them. */

import { expect, it } from "vitest"
import { applyRepair } from "../../../change/carry-out/carry-out.ts"
import { planRepair } from "../../../change/make-plan/plan-repair.ts"
import { onBothServers } from "../../../client/servers.cases.ts"
import { id } from "../../../schema/codec/id.ts"
import { quoted } from "../../../schema/codec/quoted.ts"
import { secret } from "../../../schema/codec/wrap.ts"
import { text } from "../../../schema/codec/text.ts"
import { hash, list, map, set, string, zset } from "../../../schema/define.ts"
import { refersTo, sameIds } from "../../../schema/invariant.ts"
import { keyspace } from "../../../schema/keyspace.ts"
import { unixSeconds } from "../../../schema/codec/date.ts"
import { audit } from "../audit.ts"

const [token, user] = [secret(id("token")), id("user")]
const shop = keyspace(
  {
    user: hash("user:{user}", { name: quoted(text) }, { ttl: "never", params: { user } }),
    online: set("online", quoted(user), { ttl: "never" }),
    seen: zset("seen", quoted(user), { score: unixSeconds, ttl: "never" }),
    owner: string("owner:{room}", quoted(user), { ttl: "1h" }),
    login: map("login", token, quoted(user), { ttl: "never" }),
    queue: list("queue", quoted(user), { ttl: "never" }),
    tokens: set("tokens", quoted(token), { ttl: "never" }),
  },
  { invariants: [refersTo(user, "online", "user"), sameIds(token, ["login", "tokens"])] },
)

onBothServers("texts in quotes", (server) => {
  const raw = (...command: string[]) => server().raw(...command)
  const findings = async () => (await audit(shop, server().driver)).findings
  const repaired = async () => {
    const plan = await planRepair(await findings(), shop, server().driver)
    return (await applyRepair(plan, server().driver)).done
  }
  const good = async () => {
    for (const name of ["ann", "bob"]) await raw("HSET", `user:${name}`, "name", `"${name}"`)
    await raw("SADD", "online", '"ann"', '"bob"')
    await raw("ZADD", "seen", "1760000000", '"ann"')
    await raw("SET", "owner:1", '"bob"', "PX", "3000000")
    await raw("HSET", "login", "t1", '"ann"')
    await raw("SADD", "tokens", '"t1"')
    await raw("RPUSH", "queue", '"ann"')
  }

  it("are clean, and rules between keys see the ids inside", async () => {
    await good()
    expect(await findings()).toEqual([])
    await raw("SADD", "online", '"eve"')
    await raw("SADD", "tokens", '"t2"')
    expect((await findings()).map(({ code, key }) => `${code} ${key}`).sort()).toEqual([
      "REFERS.DANGLING online",
      "SAME.EXTRA tokens",
    ])
    expect(await repaired()).toBe(2)
    expect(await findings()).toEqual([])
    expect(((await raw("SMEMBERS", "online")) as string[]).sort()).toEqual(['"ann"', '"bob"'])
  })

  it("are found without them, secrets untold, and put in quotes: values, members, scores and deadlines stay", async () => {
    await good()
    await raw("SREM", "online", '"bob"')
    await raw("SADD", "online", "bob")
    await raw("ZADD", "seen", "1760000007", 'b"b')
    await raw("SET", "owner:1", "bob", "KEEPTTL")
    await raw("HSET", "user:ann", "name", "ann")
    await raw("HSET", "login", "t1", "ann")
    await raw("SADD", "tokens", "t1")
    const found = await findings()
    expect(found.map(({ code, key }) => `${code} ${key}`).sort()).toEqual(
      ["login", "online", "owner:1", "seen", "tokens", "user:ann"].map((one) => `VALUE.BARE ${one}`),
    )
    expect(found.every(({ fixable }) => fixable)).toBe(true)
    expect(JSON.stringify(found)).not.toContain("t1")
    expect(await repaired()).toBe(6)
    expect(await findings()).toEqual([])
    expect(await raw("SMEMBERS", "tokens")).toEqual(['"t1"'])
    expect(await raw("ZSCORE", "seen", '"b\\"b"')).toBe("1760000007")
    expect([await raw("GET", "owner:1"), Number(await raw("PTTL", "owner:1")) > 0]).toEqual(['"bob"', true])
    expect(await raw("HGET", "user:ann", "name")).toBe('"ann"')
  })

  it("in a list are reported and left alone, because repair does not know its order; what is neither is not decoded", async () => {
    await good()
    await raw("RPUSH", "queue", "bob")
    await raw("SADD", "online", '"ann')
    const found = await findings()
    expect(found.map(({ code, key, fixable }) => `${code} ${key} ${fixable}`).sort()).toEqual([
      "VALUE.BARE queue false",
      "VALUE.UNDECODABLE online false",
    ])
  })
})
