/* From one server to a cluster, in another placement, while programs write: nothing that was
 * acknowledged is missing, nothing that was deleted is left, and both sides are compared. */

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import * as z from "zod"
import { needs } from "../../../../../test/needs.ts"
import { type RealRedis, startRedis } from "../../../../../test/real-redis.ts"
import { type RealCluster, startPrimaries } from "../../../../../test/redis-cluster.ts"
import { connect } from "../../client/connect.ts"
import type { Driver } from "../../driver/driver.ts"
import { findDriver } from "../../driver/find-driver.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bytes } from "../../schema/codec/bytes.ts"
import { id } from "../../schema/codec/id.ts"
import { json } from "../../schema/codec/json.ts"
import { int } from "../../schema/codec/number.ts"
import { oneOf } from "../../schema/codec/one-of.ts"
import { text } from "../../schema/codec/text.ts"
import { counter, list, map, set, stream, string, zset } from "../../schema/define.ts"
import { entity } from "../../schema/entity.ts"
import { sameIds } from "../../schema/invariant.ts"
import { keyspace, type Keyspace } from "../../schema/keyspace.ts"
import { withTag } from "../../schema/with-tag.ts"
import { copyKeys, type CopyOptions } from "./copy-keys.ts"

const token = id("token")
const shop = keyspace(
  {
    login: map("login:", token, text),
    recent: zset("recent:", token),
    cart: map("cart:{token}", text, int),
    queue: list("queue:{name}", text),
    tags: set("tags:{name}", text),
    picture: string("picture:{name}", bytes),
    log: stream("log:{name}", { what: text }),
    hits: counter("hits:{name}"),
    user: entity("user:{id}", json(z.object({ id: z.string(), email: z.string() })), {
      counter: "user:counter",
      all: "user:list",
      unique: { email: "user:email:{email}" },
    }),
    session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string() })), {
      ttl: "1h",
      index: { user: "session:user:{user}" },
    }),
  },
  { name: "shop", ttl: "never", params: { token }, invariants: [sameIds(token, ["login", "recent"])] },
)
const tagged = withTag(shop, "acme")

describe.runIf(needs("redis-server"))("a copy", () => {
  let server: RealRedis
  let cluster: RealCluster
  let from: Driver
  let to: Driver
  beforeAll(async () => {
    ;[server, cluster] = await Promise.all([startRedis(), startPrimaries(3)])
  })
  beforeEach(async () => {
    from = findDriver(server.url)
    to = findDriver(cluster.nodes[0]!.url)
    await Promise.all([from.send(["FLUSHALL"]), to.send(["FLUSHALL"])])
  })
  afterEach(() => Promise.all([from.close(), to.close()]))
  afterAll(() => Promise.all([server?.stop(), cluster?.stop()]))

  const copy = (options: CopyOptions = {}) =>
    copyKeys(shop as Keyspace, from, to, { to: tagged as Keyspace, ...options })

  async function fill(): Promise<void> {
    const db = await connect(shop, server.url, { sweep: false })
    await db.login().set("t1", "ada")
    await db.recent().add("t1", 1)
    await db.cart({ token: "t1" }).set("item", 2)
    await db.queue({ name: "q" }).pushRight("a", "b", "c")
    await db.tags({ name: "t" }).add("x", "y")
    await db.picture({ name: "p" }).set(Buffer.from([0, 255, 254, 13, 10]))
    await db.log({ name: "l" }).append({ what: "began" })
    await db.hits({ name: "h" }).increment(41)
    for (let i = 0; i < 20; i++) await db.user.create({ email: `u${i}@x.org` })
    await db.session.create({ id: "s1", user: "ada" })
    const many = Array.from({ length: 12_000 }, (_, i) => [`token${i}`, `user${i}`] as const)
    await from.send(["HSET", "login:", ...many.flat()])
    await from.send(["ZADD", "recent:", ...many.flatMap(([name], i) => [String(i), name])])
    await db.$close()
  }

  it("is complete, in another placement, with types, deadlines and large keys; and is compared by pattern", async () => {
    await fill()
    const result = await copy()
    expect(result).toMatchObject({ verified: true, foreign: 0, resumed: false, pausedMs: undefined })
    expect(result.rounds.at(-1)).toMatchObject({ written: 0, deleted: 0 })
    expect(result.patterns["{{tag}}:user:{id}"]).toEqual({ from: 20, to: 20, same: true })
    const db = await connect(tagged, cluster.nodes[0]!.url, { sweep: false })
    expect(await db.user.find("email", { email: "u7@x.org" })).toMatchObject({ id: "8" })
    expect((await db.user.create({ email: "new@x.org" })).id).toBe("21")
    expect(await db.picture({ name: "p" }).get()).toEqual(Buffer.from([0, 255, 254, 13, 10]))
    expect(await db.queue({ name: "q" }).range(0, -1)).toEqual(["a", "b", "c"])
    expect(await db.login().size()).toBe(12_001)
    expect(await to.send(["PEXPIRETIME", "{acme}:session:s1"])).toBe(await from.send(["PEXPIRETIME", "session:s1"]))
    expect((await audit(tagged as Keyspace, to)).summary).toEqual({})
    // The note on when a record expires came along: a sweep finds its index entries.
    const notes = ["ZRANGE", "keywright:expiry:{acme}:{{tag}}:session:{id}", "0", "-1"]
    expect(await to.send(notes)).toEqual(["s1\ttag=acme\tuser=ada"])
    await db.$close()
    expect(await to.send(["EXISTS", "keywright:copy:shop"])).toBe(0)
  })

  it("takes along what operation ids answered, where keys have the same names", async () => {
    const [here, there] = [server.url, `${server.url}/1`]
    const once = { operationId: "order-17", rememberFor: "1h" } as const
    const work = async (url: string) => {
      const db = await connect(shop, url, { sweep: false })
      const hits = await db.hits({ name: "h" }).increment(1, once)
      const { id: made } = await db.user.create({ email: "a@x.org" }, once)
      await db.$close()
      return { hits, made }
    }
    const first = await work(here)
    await from.send(["SET", "keywright:op:forged", "1"])
    await from.send(["SET", "keywright:op:forged-too", "1", "EX", String(400 * 86_400)])
    const other = findDriver(there)
    expect(await copyKeys(shop as Keyspace, from, other)).toMatchObject({ verified: true })
    const notes = (await other.send(["KEYS", "keywright:op:*"])) as string[]
    expect(notes.length).toBe(2)
    // Before a repetition moves them.
    for (const note of notes)
      expect(await other.send(["PEXPIRETIME", note])).toBe(await from.send(["PEXPIRETIME", note]))
    expect(await work(there)).toEqual(first)
    expect(await other.send(["GET", "hits:h"])).toBe("1")
    await other.close()
    // In another placement they would not be found.
    await copy()
    expect(await to.send(["KEYS", "keywright:op:*"])).toEqual([])
  })

  it("says that programs were led to the target, or why not, when the pause cannot be ended", async () => {
    await fill()
    await from.send(["ACL", "SETUSER", "mover", "on", ">pw", "~*", "&*", "+@all", "-client|unpause"])
    const mover = findDriver(server.url.replace("://", "://mover:pw@"))
    const moving = (onEqual: () => Promise<void>) =>
      copyKeys(shop as Keyspace, mover, to, { to: tagged as Keyspace, pauseMs: 60_000, onEqual })
    const failed = moving(() => Promise.reject(new Error("no")))
    await expect(failed).rejects.toMatchObject({ code: "COPY.SWITCH_FAILED" })
    await from.send(["CLIENT", "UNPAUSE"])
    let isSwitched = false
    const result = await moving(async () => void (isSwitched = true))
    await from.send(["CLIENT", "UNPAUSE"])
    expect(result).toMatchObject({ verified: true, left: [expect.stringMatching(/^the pause of writers .*unpause/)] })
    expect(isSwitched).toBe(true)
    await mover.close()
  })

  it("goes back to where it came from", async () => {
    await fill()
    await copy()
    await from.send(["FLUSHALL"])
    const back = await copyKeys(tagged as Keyspace, to, from, { to: shop as Keyspace })
    expect(back).toMatchObject({ verified: true })
    expect(await from.send(["HGET", "cart:t1", "item"])).toBe("2")
    expect(await from.send(["ZRANGE", "keywright:expiry:session:{id}", "0", "-1"])).toEqual(["s1\tuser=ada"])
  })

  it("loses nothing that was acknowledged before writers were led to the target, and brings back nothing deleted", async () => {
    await fill()
    const db = await connect(shop, server.url, { sweep: false, timeoutMs: 60_000 })
    const kept = new Map<string, number>()
    const writing = { isOver: false }
    const writer = async (name: string) => {
      for (let i = 1; !writing.isOver; i++) {
        await db.cart({ token: name }).set("n", i)
        if (!writing.isOver) kept.set(name, i)
        await db.tags({ name: `${name}-${i % 5}` }).add("x")
        await db.tags({ name: `${name}-${(i + 2) % 5}` }).delete()
      }
    }
    const writers = ["a", "b", "c"].map(writer)
    const seen: { state: Map<string, number>; sets: string[] }[] = []
    const result = await copy({
      pauseMs: 60_000,
      rounds: 4,
      onEqual: async () => {
        writing.isOver = true
        const sets = (await from.send(["KEYS", "tags:*"])) as string[]
        seen.push({ state: new Map(kept), sets: sets.sort() })
      },
    })
    await Promise.all(writers)
    await db.$close()
    expect(result.verified).toBe(true)
    expect(result.pausedMs).toBeGreaterThan(0)
    const [{ state, sets }] = seen as [{ state: Map<string, number>; sets: string[] }]
    for (const [name, n] of state) expect(await to.send(["HGET", `{acme}:cart:${name}`, "n"])).toBe(String(n))
    const there = (await to.send(["KEYS", "{acme}:tags:*"])) as string[]
    expect(there.map((key) => key.slice(7)).sort()).toEqual(sets)
    // Writers go on as soon as it is over.
    expect(await from.send(["SET", "hits:h", "1"])).toBe("OK")
  })

  it("says which patterns differ, and is not finished then", async () => {
    await from.send(["SET", "hits:h", "1"])
    await from.send(["SADD", "tags:t", "x"])
    const meddling = { to: undefined as Promise<unknown> | undefined }
    const result = await copy({
      rounds: 1,
      onProgress: () => (meddling.to ??= to.send(["SET", "{acme}:hits:more", "1"])),
    })
    await meddling.to
    expect(result.verified).toBe(false)
    expect(result.patterns).toEqual({
      "{{tag}}:hits:{name}": { from: 1, to: 2, same: false },
      "{{tag}}:tags:{name}": { from: 1, to: 1, same: true },
    })
    expect(await copy()).toMatchObject({ verified: true, resumed: true })
    expect(await to.send(["EXISTS", "{acme}:hits:more"])).toBe(0)
  })

  it("continues where it was stopped, and does not mix with another copy", async () => {
    for (let i = 0; i < 3000; i++) void from.send(["SET", `hits:n${i}`, String(i)])
    await from.send(["PING"])
    const stopping = new AbortController()
    const stopped = copy({
      signal: stopping.signal,
      rate: 2000,
      onProgress: () => stopping.abort(new Error("enough")),
    })
    await expect(stopped).rejects.toMatchObject({ code: "COPY.INTERRUPTED", details: { round: 1 } })
    const other = copyKeys(shop as Keyspace, from, to, { to: withTag(shop, "other") as Keyspace })
    await expect(other).rejects.toMatchObject({ code: "COPY.OTHER" })
    const result = await copy()
    expect(result).toMatchObject({ verified: true, resumed: true, keys: 3000 })
    await expect(copy()).rejects.toMatchObject({ code: "COPY.NOT_EMPTY" })
    await from.send(["DEL", "hits:n1"])
    expect(await copy({ overwrite: true })).toMatchObject({ verified: true, keys: 2999, resumed: false })
    expect(await to.send(["EXISTS", "{acme}:hits:n1"])).toBe(0)
  })

  it("counts keys that no pattern owns, and takes them along where it is asked to", async () => {
    await from.send(["SET", "something:else", "1"])
    await from.send(["SET", "hits:h", "1"])
    expect(await copy()).toMatchObject({ verified: true, foreign: 1, keys: 1 })
    expect(await to.send(["DBSIZE"])).toBe(1)
    await to.send(["FLUSHALL"])
    expect(await copy({ foreign: true })).toMatchObject({ verified: true, foreign: 1, keys: 2 })
    expect(await to.send(["GET", "something:else"])).toBe("1")
  })

  it("leaves a key that no pattern owns where its name belongs to another key on the target", async () => {
    await from.send(["SET", "hits:h", "1"])
    for (const name of ["h", "more"]) await from.send(["SET", `{acme}:hits:${name}`, "999"])
    expect(await copy()).toMatchObject({ verified: true, foreign: 2, inTheWay: 2 })
    await to.send(["FLUSHALL"])
    expect(await copy({ foreign: true })).toMatchObject({ verified: true, foreign: 2, inTheWay: 2, keys: 1 })
    expect(await to.send(["GET", "{acme}:hits:h"])).toBe("1")
    expect(await to.send(["EXISTS", "{acme}:hits:more"])).toBe(0)
  })

  it("does so from any logical database to any other", async () => {
    const there = await from.database(2)
    await from.send(["SET", "hits:h", "1"])
    await from.send(["SET", "{acme}:hits:h", "999"])
    const result = await copyKeys(shop as Keyspace, from, there, { to: tagged as Keyspace, foreign: true })
    expect(result).toMatchObject({ verified: true, inTheWay: 1 })
    expect(await there.send(["GET", "{acme}:hits:h"])).toBe("1")
  })

  it("refuses another schema, and a pause of the server that it writes to", async () => {
    const refused = (other: unknown) => copy({ to: other as Keyspace })
    await expect(refused(keyspace({ login: map("login:", token, text) }))).rejects.toMatchObject({
      code: "COPY.OTHER_SCHEMA",
    })
    const hits = (pattern: "h:{name}:{x}" | "h:{x}", params = {}) => keyspace({ hits: counter(pattern, { params }) })
    const one = keyspace({ hits: counter("hits:{name}") })
    for (const other of [hits("h:{name}:{x}"), hits("h:{x}")])
      await expect(copyKeys(one as Keyspace, from, to, { to: other as Keyspace })).rejects.toMatchObject({
        code: "COPY.OTHER_SCHEMA",
      })
    await from.send(["SET", "hits:a", "1"])
    const known = hits("h:{name}:{x}", { x: oneOf("1") })
    await copyKeys(one as Keyspace, from, to, { to: known as Keyspace })
    expect(await to.send(["GET", "h:a:1"])).toBe("1")
    const same = copyKeys(shop as Keyspace, from, from, { to: tagged as Keyspace, pauseMs: 1000 })
    await expect(same).rejects.toMatchObject({ code: "COPY.SAME_SERVER" })
  })

  it("does not pause the writes of a replica: its primary would take them", async () => {
    const replica = await startRedis({ args: ["--replicaof", "127.0.0.1", new URL(server.url).port] })
    const reading = findDriver(replica.url)
    await expect(
      copyKeys(shop as Keyspace, reading, to, { to: tagged as Keyspace, pauseMs: 1000 }),
    ).rejects.toMatchObject({
      code: "COPY.REPLICA",
    })
    await reading.close()
    await replica.stop()
  })

  it("ends the pause when it fails, and says when it was too short", async () => {
    await fill()
    await expect(copy({ pauseMs: 1 })).rejects.toMatchObject({ code: "COPY.PAUSE_OVER" })
    expect(await from.send(["SET", "hits:h", "1"])).toBe("OK")
    const failing = copy({ pauseMs: 60_000, onEqual: () => Promise.reject(new Error("the switch failed")) })
    await expect(failing).rejects.toMatchObject({ code: "COPY.SWITCH_FAILED" })
    expect(await from.send(["SET", "hits:h", "2"])).toBe("OK")
  })

  it("fails when writers went on before the switch was done: what they wrote stays behind", async () => {
    await fill()
    // The writer waits until the pause is over.
    const writer = async () => void (await from.send(["SET", "hits:late", "1"], { timeoutMs: 60_000 }))
    const late = copy({ pauseMs: 4000, onEqual: writer })
    await expect(late).rejects.toMatchObject({
      code: "COPY.PAUSE_OVER",
      message: expect.stringContaining("the switch"),
    })
  })
})
