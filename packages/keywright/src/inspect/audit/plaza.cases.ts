/* A keyspace of plain keys with every kind, every TTL and every invariant, filled by
 * raw commands, damaged by raw commands, and written to by whole MULTIs. */

import { chance } from "../../../../../test/random.ts"
import type { Driver } from "../../driver/driver.ts"
import { compressed } from "../../schema/codec/bytes.ts"
import { unixSeconds } from "../../schema/codec/date.ts"
import { delimited } from "../../schema/codec/delimited.ts"
import { id, tagged } from "../../schema/codec/id.ts"
import { keyOf } from "../../schema/codec/key-of.ts"
import { float, int } from "../../schema/codec/number.ts"
import { oneOf } from "../../schema/codec/one-of.ts"
import { text } from "../../schema/codec/text.ts"
import { optional, secret } from "../../schema/codec/wrap.ts"
import { counter, geo, hash, hyperloglog, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { database, family, scope } from "../../schema/group.ts"
import { inverse, refersTo, sameIds } from "../../schema/invariant.ts"
import { keyspace } from "../../schema/keyspace.ts"
import { either } from "../../schema/ttl.ts"
import { type Damage, type Expected, shuffled } from "./damage.cases.ts"

const token = secret(id("token", { matching: /[A-Za-z0-9-]{1,64}/ }))
const user = id("user", { matching: /[a-z]\w{0,20}/ })
const channel = id("channel", { matching: /[a-z]\w{0,20}/ })
const row = id("row")

export const plaza = keyspace(
  {
    main: database(0, "main", {
      login: map("login:", token, user),
      recent: zset("recent:", token, { score: unixSeconds }),
      viewed: zset("viewed:{token}", text, { score: unixSeconds, keep: 25, params: { token } }),
      basket: map("basket:{token}", text, int, { params: { token } }),
      page: string("cache:{hash}", text, { ttl: "5m" }),
      packed: string("packed:{n}", compressed(text)),
      tokenKeys: map("TokensKeys", token, secret(keyOf({ access: "t:{project}:AccTok:{token}" }))),
      log: list("log-{day}", delimited("#", { ip: text, action: text })),
      events: stream("events:{n}", { kind: oneOf("in", "out"), note: optional(text) }),
      seen: hyperloglog("seen:{n}", text),
      places: geo("places", user),
      delay: zset("delay:", row, { score: float }),
      schedule: set("schedule:", row),
      tenant: scope("t:{project}:", {
        status: hash("St:{user}", { mood: oneOf("up", "down"), key: optional(secret(text)) }, { ttl: "10m" }),
        online: set("OnSub", user),
        contacts: list("C:{user}", tagged({ u_: user, c_: channel })),
        channel: family(
          "Ch:{channel}",
          { ttl: "3h", marker: "info" },
          {
            info: hash("", { name: text }),
            subscribers: set(":Sub", user),
            owners: set(":Own", user),
          },
        ),
        subscriber: family("Sub:{user}:", { ttl: "3h" }, { channels: set("Ch", channel), banned: set("Ban", channel) }),
        refresh: hash("RefTok:{token}", { user }, { ttl: either("30s", "never"), params: { token } }),
        access: hash("AccTok:{token}", { user }, { ttl: "3h", params: { token } }),
      }),
    }),
    other: database(1, "other", { hits: counter("hits:{n}") }),
    reserved: database(2, "reserved", {}),
  },
  {
    name: "plaza",
    ttl: "never",
    params: { user, channel },
    invariants: [
      sameIds(token, ["main.login", "main.recent"]),
      sameIds(row, ["main.delay", "main.schedule"]),
      refersTo(user, "main.tenant.online", "main.tenant.status"),
      inverse("main.tenant.channel.subscribers", "main.tenant.subscriber.channels"),
    ],
  },
)

/** Planted in every secret place: no finding may show it. */
export const CANARY = "canary-77aa01"
const HOURS = String(3 * 3_600_000)

/** Fills all of it, as an application would. */
export async function fillPlaza(driver: Driver, size: number): Promise<void> {
  const other = await driver.database(1)
  const packed = Buffer.from(compressed(text).encode("packed"))
  for (let i = 1; i <= size; i++) {
    const deadline = String(Date.now() + 3 * 3_600_000 - 1000)
    const T = `${CANARY}-${i}`
    const P = `t:p${i % 3}:`
    const family = [`${P}Ch:c${i}`, `${P}Ch:c${i}:Sub`, `${P}Ch:c${i}:Own`, `${P}Sub:u${i}:Ch`, `${P}Sub:u${i}:Ban`]
    await driver.batch([
      ["HSET", "login:", T, `u${i}`],
      ["ZADD", "recent:", "1750000000", T],
      ["ZADD", `viewed:${T}`, "1750000000", "item"],
      ["HSET", `basket:${T}`, "item", "2"],
      ["SET", `cache:${i}`, "page", "PX", "200000"],
      ["SET", `packed:${i}`, packed],
      ["RPUSH", `log-${i}`, "1.2.3.4#run", "1.2.3.5#stop"],
      ["XADD", `events:${i}`, "1-1", "kind", "in"],
      ["PFADD", `seen:${i}`, "a", "b"],
      ["GEOADD", "places", "13.3", "38.1", `u${i}`],
      ["ZADD", "delay:", "1.5", `r${i}`],
      ["SADD", "schedule:", `r${i}`],
      ["HSET", `${P}St:u${i}`, "mood", "up", "key", CANARY],
      ["PEXPIRE", `${P}St:u${i}`, "590000"],
      ["SADD", `${P}OnSub`, `u${i}`],
      ["RPUSH", `${P}C:u${i}`, "u_u1", "c_c1"],
      ["HSET", family[0]!, "name", "Channel"],
      ["SADD", family[1]!, `u${i}`, `x${i}`],
      ["SADD", family[2]!, `u${i}`],
      ["SADD", family[3]!, `c${i}`, `d${i}`],
      ["SADD", family[4]!, "c1"],
      ...family.map((key) => ["PEXPIREAT", key, deadline]),
      ["HSET", `${P}RefTok:${T}`, "user", `u${i}`],
      ["HSET", `${P}AccTok:${T}`, "user", `u${i}`],
      ["PEXPIRE", `${P}AccTok:${T}`, HOURS],
      ["HSET", "TokensKeys", T, `${P}AccTok:${T}`],
    ])
    await other.send(["SET", `hits:${i}`, String(i)])
  }
}

type Plant = (driver: Driver, i: number) => Promise<Expected>
const send = (driver: Driver, ...command: (string | Uint8Array)[]) => driver.send(command)
const P = (i: number) => `t:p${i % 3}:`
const T = (i: number) => `${CANARY}-${i}`

const plants: Readonly<Record<string, Plant>> = {
  "an id that the other place lacks": async (d, i) => (await send(d, "ZREM", "recent:", T(i)), { "SAME.MISSING": 1 }),
  "an id that the truth lacks": async (d, i) => {
    await send(d, "ZADD", "recent:", "1750000000", `${T(i)}-more`)
    return { "SAME.EXTRA": 1 }
  },
  "an id that a plain set lacks": async (d, i) => (await send(d, "SREM", "schedule:", `r${i}`), { "SAME.MISSING": 1 }),
  "an id that refers to nothing": async (d, i) => {
    await send(d, "SADD", `${P(i)}OnSub`, `ghost${i}`)
    return { "REFERS.DANGLING": 1 }
  },
  "a status that expired": async (d, i) => (await send(d, "DEL", `${P(i)}St:u${i}`), { "REFERS.DANGLING": 1 }),
  "one side of a pair": async (d, i) => {
    await send(d, "SREM", `${P(i)}Sub:u${i}:Ch`, `c${i}`)
    return { "INVERSE.MISSING": 1 }
  },
  "the other side of a pair": async (d, i) => {
    await send(d, "SREM", `${P(i)}Ch:c${i}:Sub`, `u${i}`)
    return { "INVERSE.EXTRA": 1 }
  },
  "a side that is not loaded": async (d, i) => {
    await send(d, "DEL", `${P(i)}Sub:u${i}:Ch`)
    return {}
  },
  "a key of nothing": async (d, i) => {
    await send(d, "HSET", "TokensKeys", `${T(i)}-more`, `${P(i)}AccTok:${T(i)}-more`)
    return { "KEYOF.DANGLING": 1 }
  },
  "another deadline in a family": async (d, i) => {
    await send(d, "PEXPIRE", `${P(i)}Ch:c${i}:Own`, "60000")
    return { "TTL.FAMILY": 1 }
  },
  "no deadline in a family": async (d, i) => {
    await send(d, "PERSIST", `${P(i)}Ch:c${i}:Own`)
    return { "TTL.MISSING": 1 }
  },
  "too many elements": async (d, i) => {
    const more = Array.from({ length: 30 }, (_, n) => ["1750000000", `item${n}`]).flat()
    await send(d, "ZADD", `viewed:${T(i)}`, ...more)
    return { "VALUE.TOO_MANY": 1 }
  },
  "a TTL longer than either": async (d, i) => {
    await send(d, "PEXPIRE", `${P(i)}RefTok:${T(i)}`, "9000000")
    return { "TTL.TOO_LONG": 1 }
  },
  "a TTL where there is never one": async (d, i) => {
    await send(d, "PEXPIRE", `basket:${T(i)}`, "9000000")
    return { "TTL.UNEXPECTED": 1 }
  },
  "a page without a TTL": async (d, i) => (await send(d, "PERSIST", `cache:${i}`), { "TTL.MISSING": 1 }),
  "a secret field that is too much": async (d, i) => {
    await send(d, "HSET", `${P(i)}St:u${i}`, "keey", CANARY)
    return { "VALUE.FIELD_UNKNOWN": 1 }
  },
  "a field that is missing": async (d, i) => {
    await send(d, "HDEL", `${P(i)}St:u${i}`, "mood")
    return { "VALUE.FIELD_MISSING": 1 }
  },
  "a field that does not decode": async (d, i) => {
    await send(d, "HSET", `${P(i)}St:u${i}`, "mood", "sideways")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "an item that does not decode": async (d, i) => {
    await send(d, "RPUSH", `log-${i}`, "no separator")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a tagged item without a tag": async (d, i) => {
    await send(d, "LPUSH", `${P(i)}C:u${i}`, "who")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a member that does not decode": async (d, i) => {
    await send(d, "SADD", `${P(i)}Sub:u${i}:Ban`, `Not An Id ${i}`)
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a member that is not text": async (d, i) => {
    await send(d, "SADD", `${P(i)}Sub:u${i}:Ban`, Buffer.from([0xff, 0x00, i]))
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a secret field name that does not decode": async (d, i) => {
    await send(d, "HSET", "login:", `${CANARY} with spaces ${i}`, "u1")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a value of a map that does not decode": async (d, i) => {
    await send(d, "HSET", `basket:${T(i)}`, "item2", "two")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a score that does not decode": async (d, i) => {
    await send(d, "ZADD", `viewed:${T(i)}`, "inf", "soon")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "an entry of a stream that does not decode": async (d, i) => {
    await send(d, "XADD", `events:${i}`, "2-1", "kind", "round")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a string that is not a HyperLogLog": async (d, i) => (
    await send(d, "SET", `seen:${i}`, "x"),
    { "VALUE.UNDECODABLE": 1 }
  ),
  "packed bytes that are something else": async (d, i) => {
    await send(d, "SET", `packed:${i}`, Buffer.from([1, 2, 3, 250, i]))
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a place of nobody": async (d, i) => {
    await send(d, "GEOADD", "places", "1", "1", `No One ${i}`)
    return { "VALUE.UNDECODABLE": 1 }
  },
  "another type": async (d, i) => {
    await d.batch([
      ["DEL", `log-${i}`],
      ["SET", `log-${i}`, CANARY],
    ])
    return { "KEY.TYPE": 1 }
  },
  "a segment of another kind": async (d, i) => {
    await d.batch([
      ["HSET", `t:1:St:${i}-is-no-user`, "mood", "up"],
      ["PEXPIRE", `t:1:St:${i}-is-no-user`, "60000"],
    ])
    return { "KEY.SEGMENT": 1 }
  },
  "an unknown key": async (d, i) => (await send(d, "HSET", `viewed: ${i}`, "a", CANARY), { "KEY.UNKNOWN": 1 }),
  "a key in a reserved database": async (d, i) => {
    await send(await d.database(2), "SET", `node:${i}`, "1")
    return { "KEY.UNKNOWN": 1 }
  },
  "a counter in another database": async (d, i) => {
    await send(await d.database(1), "SET", `hits:${i}`, "x")
    return { "VALUE.UNDECODABLE": 1 }
  },
  "a value that is too large": async (d, i) => {
    await d.batch([
      ["SETRANGE", `cache:${i}`, String(50 * 1024 * 1024), "x"],
      ["PEXPIRE", `cache:${i}`, "200000"],
    ])
    return { "VALUE.TOO_LARGE": 1 }
  },
}

/** Plants every kind of damage, each at its own place. */
export async function damagePlaza(driver: Driver, seed: number): Promise<Damage[]> {
  const names = shuffled(Object.keys(plants), chance(seed * 7919 + 17))
  const planted: Damage[] = []
  for (const [at, name] of names.entries()) planted.push({ name, expects: await plants[name]!(driver, at + 1) })
  return planted
}

/** Sessions, statuses and channels come and go, each as a whole, until they are stopped. */
export async function writePlaza(driver: Driver, isOver: () => boolean, from: number): Promise<number> {
  let writes = 0
  for (let i = from; !isOver(); i++) {
    const token = `w-${i}`
    const keys = [`t:p0:Ch:w${i}`, `t:p0:Ch:w${i}:Sub`, `t:p0:Sub:w${i}:Ch`]
    const deadline = String(Date.now() + 3 * 3_600_000 - 1000)
    await driver.multi([
      ["HSET", "login:", token, `w${i}`],
      ["ZADD", "recent:", "1750000000", token],
      ["HSET", `t:p0:St:w${i}`, "mood", "down"],
      ["PEXPIRE", `t:p0:St:w${i}`, "590000"],
      ["SADD", "t:p0:OnSub", `w${i}`],
      ["HSET", keys[0]!, "name", "w"],
      ["SADD", keys[1]!, `w${i}`],
      ["SADD", keys[2]!, `w${i}`],
      ...keys.map((key) => ["PEXPIREAT", key, deadline]),
    ])
    // The family is touched as a whole.
    const later = String(Date.now() + 3 * 3_600_000 - 500)
    await driver.multi(keys.map((key) => ["PEXPIREAT", key, later]))
    if (i % 3 > 0) {
      await driver.multi([
        ["HDEL", "login:", token],
        ["ZREM", "recent:", token],
        ["DEL", `t:p0:St:w${i}`, ...keys],
        ["SREM", "t:p0:OnSub", `w${i}`],
      ])
    }
    writes++
  }
  return writes
}
