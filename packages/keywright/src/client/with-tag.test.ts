/* Two tenants with a tag each on a real cluster: the program is the one of a single server,
 * and nothing of one tenant is seen or touched by the other. */

import { afterAll, beforeAll, describe, expect, it } from "vitest"
import * as z from "zod"
import { needs } from "../../../../test/needs.ts"
import { type RealCluster, startPrimaries } from "../../../../test/redis-cluster.ts"
import { clusterSlot } from "../driver/cluster-slot.ts"
import { findDriver } from "../driver/find-driver.ts"
import { type Auditable, expectClean } from "../inspect/audit/expect-clean.ts"
import { audit } from "../inspect/audit/audit.ts"
import { clusterAtomicity } from "../schema/cluster-atomicity.ts"
import { id } from "../schema/codec/id.ts"
import { json } from "../schema/codec/json.ts"
import { int } from "../schema/codec/number.ts"
import { oneOf } from "../schema/codec/one-of.ts"
import { text } from "../schema/codec/text.ts"
import { hash, map, set, string, zset } from "../schema/define.ts"
import { entity } from "../schema/entity.ts"
import { family, scope } from "../schema/group.ts"
import { sameIds } from "../schema/invariant.ts"
import { fingerprint } from "../schema/json/fingerprint.ts"
import { fromJson } from "../schema/json/from-json.ts"
import { toJson } from "../schema/json/to-json.ts"
import { keyspace, type Keyspace } from "../schema/keyspace.ts"
import { step } from "../schema/step.ts"
import { withTag } from "../schema/with-tag.ts"
import { connect } from "./connect.ts"
import { exclusive } from "./jobs/exclusive.ts"

const token = id("token")
const User = json(z.object({ id: z.string(), email: z.string(), city: z.string() }))
const app = keyspace(
  {
    login: map("login:", token, text),
    recent: zset("recent:", token),
    cart: map("cart:{token}", text, int),
    user: entity("user:{id}", User, {
      counter: "user:counter",
      all: "user:list",
      unique: { email: "user:email:{email}" },
      index: { city: "city:{city}:users" },
    }),
    session: entity("session:{id}", json(z.object({ id: z.string(), user: z.string() })), {
      ttl: "1h",
      index: { user: "session:user:{user}" },
    }),
    room: scope("room:{room}:", { note: string("note", text) }),
    channel: family(
      "ch:{channel}",
      { ttl: "1h", marker: "info" },
      { info: hash("", { name: text }), who: set(":who", text) },
    ),
  },
  {
    ttl: "never",
    params: { token },
    invariants: [sameIds(token, ["login", "recent"])],
    steps: {
      begin: step({
        script: `-- KEYS login, recent  ARGV token, user
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
return redis.call("ZADD", KEYS[2], 1, ARGV[1])`,
        keys: ["login", "recent"],
        args: { session: token, user: text },
        returns: int,
        once: true,
      }),
      drop: step({
        script: "-- KEYS carts\nreturn redis.call('UNLINK', unpack(KEYS))",
        keys: ["cart[]"],
        returns: int,
      }),
    },
  },
)

describe("a keyspace under a tag", () => {
  it("is provably in one slot, and keeps its names, steps and relations", () => {
    expect(clusterAtomicity(app).every(({ atomic }) => atomic)).toBe(false)
    const acme = withTag(app, "acme")
    expect(clusterAtomicity(acme).every(({ atomic, tag }) => atomic && tag === "tag")).toBe(true)
    expect(acme.keys.map(({ name }) => name)).toEqual(app.keys.map(({ name }) => name))
    expect(acme.keys.map(({ pattern }) => pattern)).toEqual(app.keys.map(({ pattern }) => `{{tag}}:${pattern}`))
    expect(acme.steps).toBe(app.steps)
  })

  it("has another fingerprint for each tag, and a JSON form", () => {
    const prints = [app, withTag(app, "acme"), withTag(app, "other")].map((one) => fingerprint(one as Keyspace))
    expect(new Set(prints).size).toBe(3)
    const back = fromJson(JSON.parse(JSON.stringify(toJson(withTag(app, "acme") as Keyspace))))
    expect(fingerprint(back)).toBe(prints[1])
  })

  it("is refused for what is not a tag, and for one under a prefix", () => {
    const code = (make: () => unknown) => {
      try {
        make()
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    for (const tag of ["", "a}b", "a:b", "a b"]) expect(code(() => withTag(app, tag))).toBe("KEYSPACE.TAG")
    expect(code(() => withTag(withTag(app, "a"), "b"))).toBe("KEYSPACE.TAG")
  })

  it("may have a prefix that leaves a choice, for tools; a client refuses it", async () => {
    const entries = { x: string("x", text) }
    for (const options of [{ prefix: "{{t}}:" }, { prefix: "{{t}}:", params: { t: oneOf("a", "b") } }]) {
      const open = keyspace(entries, options)
      expect(open.keys[0]!.pattern).toBe("{{t}}:x")
      await expect(connect(open, "memory:")).rejects.toMatchObject({ code: "KEYSPACE.PREFIX" })
    }
    const db = await connect(keyspace(entries, { prefix: "app:" }), "memory:")
    expect(db.x().key).toBe("app:x")
    await db.$close()
  })
})

describe.runIf(needs("redis-server"))("two tenants on a cluster", () => {
  let cluster: RealCluster
  beforeAll(async () => {
    cluster = await startPrimaries(3)
  })
  afterAll(() => cluster?.stop())

  it("work as on one server, apart from each other", async () => {
    const tenants = ["acme", "globex"] as const
    const [slot, other] = tenants.map((tag) => clusterSlot(`{${tag}}:x`))
    expect(slot).not.toBe(other)
    for (const tag of tenants) {
      const db = await connect(withTag(app, tag), cluster.nodes[0]!.url)
      expect(await db.$steps.begin({ session: "t1", user: "ada" }, { operationId: "op-1" })).toBe(1)
      expect(await db.$steps.begin({ session: "t1", user: "ada" }, { operationId: "op-1" })).toBe(1)
      expect(await db.login().get("t1")).toBe("ada")
      await db.cart({ token: "t1" }).set("item", 2)
      const ada = await db.user.create({ email: "ada@x.org", city: "Paris" })
      expect(ada.id).toBe("1")
      await expect(db.user.create({ email: "ada@x.org", city: "Rome" })).rejects.toMatchObject({
        code: "INDEX.UNIQUE_TAKEN",
      })
      await db.session.create({ id: "s1", user: "ada" })
      await db.room({ room: "7" }).note().set("hello")
      await db.channel({ channel: "c" }).$fill({ info: { name: "c" }, who: ["ada"] })
      await db.$transaction(async (t) => {
        const user = await t.user.get("1")
        await t.user.update(user!, { city: "Rome" })
        await t.cart({ token: "t1" }).set("item", 3)
      })
      expect((await db.user.list("city", { city: "Rome" })).map(({ id }) => id)).toEqual(["1"])
      const found: unknown[] = []
      for await (const { params } of db.cart.scan()) found.push(params)
      expect(found).toEqual([{ tag, token: "t1" }])
      expect(await db.$steps.drop({ cart: [{ token: "t1" }, { token: "t2" }] })).toBe(1)
      await expectClean(db as unknown as Auditable, { match: `{${tag}}:*` })
      const isElsewhere = exclusive({ name: "nightly", on: db })
      expect(await isElsewhere.run(async () => tag)).toBe(tag)
      await db.$close()
    }
    const driver = findDriver(cluster.nodes[0]!.url)
    const keys = (await driver.send(["KEYS", "*"])) as string[]
    const own = keys.filter((key) => !key.startsWith("keywright:"))
    expect(own.every((key) => tenants.some((tag) => key.startsWith(`{${tag}}:`)))).toBe(true)
    expect(keys.every((key) => tenants.some((tag) => key.includes(`{${tag}}:`)))).toBe(true)
    const { summary } = await audit(withTag(app, "acme") as Keyspace, driver, { match: "{acme}:*" })
    expect(summary).toEqual({})
    await driver.close()
  })

  it("do not share the lease of a job", async () => {
    const [one, two] = await Promise.all(
      ["acme", "globex"].map((tag) => connect(withTag(app, tag), cluster.nodes[0]!.url)),
    )
    const both = await exclusive({ name: "nightly", on: one! }).run(() =>
      exclusive({ name: "nightly", on: two! }).run(async () => "both"),
    )
    expect(both).toBe("both")
    await Promise.all([one!.$close(), two!.$close()])
  })
})
