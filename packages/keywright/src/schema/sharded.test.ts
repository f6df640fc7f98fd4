import { readFileSync } from "node:fs"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clusterSlot } from "../driver/cluster-slot.ts"
import { classifier } from "./classify/classify.ts"
import { clusterAtomicity } from "./cluster-atomicity.ts"
import { id } from "./codec/id.ts"
import { int } from "./codec/number.ts"
import { text } from "./codec/text.ts"
import { map, set, string, zset } from "./define.ts"
import { scope } from "./group.ts"
import { inverse, sameIds } from "./invariant.ts"
import { fingerprint } from "./json/fingerprint.ts"
import { fromJson } from "./json/from-json.ts"
import { jsonSchemaCheck } from "./json/json-schema-codec.ts"
import { toJson } from "./json/to-json.ts"
import { keyBuilder } from "./key-builder.ts"
import { type KeyFormat, keyFormat } from "./key-format.ts"
import { keyspace, type Keyspace } from "./keyspace.ts"
import { checksum, shardOf, shardTags } from "./shard.ts"
import { sharded } from "./sharded.ts"
import { step } from "./step.ts"
import { withTag } from "./with-tag.ts"

const published = JSON.parse(readFileSync(new URL("../../keyspace.schema.json", import.meta.url), "utf8"))
const fits = jsonSchemaCheck(published)
const token = id("token", { matching: /[^\s:]{1,64}/u, allow: "{}" })
const shop = (shards: number) =>
  keyspace(
    {
      session: sharded(shards, "token", {
        login: map("login:", token, text),
        recent: zset("recent:", token),
        cart: map("cart:{token}", text, int),
      }),
      row: sharded(shards, "row", { inv: string("inv:{row}", text), delay: zset("delay:", text) }),
      page: string("cache:{hash}", text),
    },
    {
      ttl: "never",
      params: { token },
      invariants: [sameIds(token, ["session.login", "session.recent"])],
      steps: {
        end: step({ script: "-- KEYS\nreturn 1", keys: ["session.login", "session.recent", "session.cart"] }),
        both: step({ script: "-- KEYS\nreturn 1", keys: ["session.cart", "row.inv"] }),
      },
    },
  )

describe("a sharded group under a tag", () => {
  it("keeps its shards: the tag is part of the name, and what is not sharded is in its slot", () => {
    const tagged = withTag(shop(64), "acme") as Keyspace
    const patterns = Object.fromEntries(tagged.keys.map(({ name, pattern }) => [name, pattern]))
    expect(patterns["session.cart"]).toBe("{{shard}}:{tag}:cart:{token}")
    expect(patterns["page"]).toBe("{{tag}}:cache:{hash}")
    const cart = tagged.keys.find(({ name }) => name === "session.cart")!
    const key = keyFormat(cart.pattern, cart.params, "token").build({ token: "EB93", tag: "acme" })
    expect(key).toMatch(/^\{\w+\}:acme:cart:EB93$/)
    expect(clusterAtomicity(tagged).filter(({ atomic }) => !atomic)).toMatchObject([{ name: "$steps.both" }])
    expect(fingerprint(fromJson(JSON.parse(JSON.stringify(toJson(tagged)))))).toBe(fingerprint(tagged))
  })
})

describe("tags of shards", () => {
  it("are spread exactly over the slots, whatever their number", () => {
    for (const shards of [1, 2, 3, 7, 64, 1000, 1024, 16_384]) {
      const slots = shardTags(shards).map((tag) => clusterSlot(`{${tag}}:x`))
      expect(slots).toEqual(Array.from({ length: shards }, (_, i) => Math.floor((i * 16_384) / shards)))
    }
  })

  it("have up to four letters and digits, and never change: data is found by them", () => {
    expect(shardTags(16_384).every((tag) => /^[0-9a-z]{1,4}$/.test(tag))).toBe(true)
    expect(shardTags(4)).toEqual(["1bz", "17p", "fjl", "356"])
    expect(["EB93", "token", "", "ключ"].map((value) => shardOf(value, 1024))).toEqual([41, 913, 0, 63])
  })

  it("share values evenly", () => {
    const counts = new Uint32Array(64)
    for (let i = 0; i < 64_000; i++) counts[shardOf(`user-${i}`, 64)]!++
    expect(Math.min(...counts)).toBeGreaterThan(800)
    expect(Math.max(...counts)).toBeLessThan(1200)
  })
})

describe("a sharded group", () => {
  const builders = (schema: Keyspace) => new Map(schema.keys.map((key) => [key.name, keyBuilder(key, schema.keys)]))

  it("prints the plain names with 0 shards", () => {
    const plain = shop(0)
    expect(plain.keys.map(({ pattern }) => pattern)).toEqual([
      "login:",
      "recent:",
      "cart:{token}",
      "inv:{row}",
      "delay:",
      "cache:{hash}",
    ])
    expect(builders(plain as Keyspace).get("session.login")!({ token: "EB93" })).toBe("login:")
    expect(builders(plain as Keyspace).get("session.cart")!({ token: "EB93" })).toBe("cart:EB93")
  })

  it("has all keys of one value in one slot, and the same value always in the same shard", () => {
    const [one, other] = [builders(shop(1024) as Keyspace), builders(shop(1024) as Keyspace)]
    const value = fc
      .string({ minLength: 1, maxLength: 30, unit: "grapheme" })
      .filter((text) => /^[^\s\p{C}:*?[\]\\]+$/u.test(text))
    fc.assert(
      fc.property(value, (token) => {
        const keys = ["login", "recent", "cart"].map((name) => one.get(`session.${name}`)!({ token }))
        expect(new Set(keys.map(clusterSlot)).size).toBe(1)
        expect(clusterSlot(keys[0]!)).toBe(Math.floor((shardOf(token, 1024) * 16_384) / 1024))
        expect(other.get("session.cart")!({ token })).toBe(keys[2])
      }),
    )
  })

  it("is read back, and is shown as one pattern", () => {
    const { keys } = shop(1024)
    expect(keys.map(({ pattern }) => pattern)).toContain("{{shard}}:cart:{token}")
    const cart = keys.find(({ name }) => name === "session.cart")!
    const key = keyBuilder(cart, keys)({ token: "EB93" })
    expect(keyFormat(cart.pattern, cart.params).parse(key)).toEqual({
      shard: key.slice(1, key.indexOf("}")),
      token: "EB93",
    })
    expect(keyFormat(cart.pattern, cart.params, "token").glob({ token: "EB93" })).toBe(key)
    expect(keyFormat(cart.pattern, cart.params).glob()).toBe("{*}:cart:*")
    expect(classifier(keys).owner(key)?.key.name).toBe("session.cart")
    expect(keyFormat(cart.pattern, cart.params).parse("{zzzz}:cart:EB93")).toBeUndefined()
  })

  it("takes a shard that is named, for what exists once in each, and refuses others", () => {
    const { keys } = shop(4)
    const [first] = shardTags(4)
    const login = keyBuilder(keys[0]!, keys)
    expect(login({ shard: first })).toBe(`{${first}}:login:`)
    // A token that is spelled as the tag of a shard is a token.
    expect(login({ token: first })).toBe(`{${shardTags(4)[shardOf(first!, 4)]}}:login:`)
    expect(() => login({ shard: "nobody" })).toThrow("is not the tag of one of 4 shards")
    expect(() => login({})).toThrow("token")
  })

  it("is in one slot, and two groups by different parameters are not", () => {
    const named = (shards: number) =>
      clusterAtomicity(shop(shards) as Keyspace).map(({ name, atomic }) => [name, atomic])
    const rule = "sameIds(session.login, session.recent)"
    expect(named(1024)).toEqual([["$steps.end", true], ["$steps.both", false], [rule, true]]) // oxfmt-ignore
    expect(named(0)).toEqual([["$steps.end", false], ["$steps.both", false], [rule, false]]) // oxfmt-ignore
    const [end] = clusterAtomicity(shop(0) as Keyspace)
    expect(end!.proposal).toBe('more than 0 shards: sharded(1024, "token", …)')
  })

  it("has its number of shards in the fingerprint, and a JSON form", () => {
    const prints = [0, 512, 1024].map((shards) => fingerprint(shop(shards) as Keyspace))
    expect(new Set(prints).size).toBe(3)
    for (const [i, shards] of [0, 512, 1024].entries()) {
      const form = JSON.parse(JSON.stringify(toJson(shop(shards) as Keyspace)))
      expect(form.entries.session).toMatchObject({ group: "sharded", shards, by: "token" })
      expect(fits(form)).toEqual({ value: form })
      expect(fingerprint(fromJson(form))).toBe(prints[i])
    }
  })

  it("is refused for what is not a number of shards, not a parameter, or inside another one", () => {
    const code = (make: () => unknown) => {
      try {
        make()
      } catch (error) {
        return (error as { code?: string }).code
      }
    }
    for (const shards of [-1, 1.5, 16_385, Number.NaN])
      expect(code(() => sharded(shards, "token", {}))).toBe("DEFINE.SHARDED")
    for (const by of ["", "a b", "shard"]) expect(code(() => sharded(4, by, {}))).toBe("DEFINE.SHARDED")
    const inner = { inner: sharded(4, "token", { seen: set("seen:{token}", text) }) }
    expect(code(() => keyspace({ outer: sharded(4, "user", inner) }))).toBe("DEFINE.SHARDED")
    expect(keyspace({ t: scope("t:", inner) }).keys[0]!.pattern).toBe("t:{{shard}}:seen:{token}")
  })
})

describe("a group that is sharded by several parameters", () => {
  const user = id("user")
  const messenger = (shards: number, notes: object = {}) =>
    keyspace(
      {
        people: sharded(
          shards,
          "home",
          {
            status: string("P:{project}:St:{user}", text),
            online: set("P:{project}:OnSub", user),
            access: string("AccTok:{token}", text),
            tokens: map("TokensKeys", token, text),
          },
          { checksumOf: ["project", "user"], startOf: ["token"], ...notes },
        ),
      },
      {
        ttl: "never",
        params: { token, user },
        invariants: [sameIds(user, ["people.status", "people.online"])],
        steps: {
          login: step({ script: "-- KEYS\nreturn 1", keys: ["people.status", "people.online", "people.tokens"] }),
        },
      },
    ) as unknown as Keyspace
  const formats = (schema: Keyspace) =>
    Object.fromEntries(
      schema.keys.map((key) => [key.name, keyFormat(key.pattern, key.params, key.sharded!.by)] as const),
    )

  it("has the keys of all of them in one slot, also those that begin with the checksum", () => {
    const of = formats(messenger(1024))
    const word = fc.string({ minLength: 1, maxLength: 20, unit: fc.constantFrom(..."abc019_-") })
    fc.assert(
      fc.property(word, word, (project, user) => {
        const home = checksum(project, user)
        const keys = [
          of["people.status"]!.build({ home, project, user }),
          of["people.status"]!.build({ project, user }),
          of["people.online"]!.build({ home, project }),
          of["people.access"]!.build({ token: `${home}x9` }),
          of["people.tokens"]!.build({ home }),
        ]
        expect(new Set(keys.map(clusterSlot)).size).toBe(1)
        expect(clusterSlot(keys[0]!)).toBe(Math.floor((shardOf(`${project}:${user}`, 1024) * 16_384) / 1024))
      }),
    )
  })

  it("is built the same whatever was built, or refused, before", () => {
    const pattern = "t:{tenant}:{{shard}}:P:{project}:{service}:St:{user}"
    const shard = messenger(1024, { checksumOf: ["service", "project", "user"] }).keys[0]!.params["shard"]!
    const fresh = () => keyFormat(pattern, { shard }, "home")
    const word = fc.constantFrom("a", "b", "é", "日", "", "a b")
    const params = fc.record({ tenant: word, project: word, service: word, user: word })
    const built = (format: KeyFormat, given: object): string => {
      try {
        return format.build(given as Record<string, string>)
      } catch (error) {
        return String(error)
      }
    }
    fc.assert(
      fc.property(fc.array(params, { minLength: 2, maxLength: 30 }), (all) => {
        const used = fresh()
        for (const one of all) {
          const key = built(used, one)
          expect(key).toBe(built(fresh(), one))
          const number = shardOf(`${one.service}:${one.project}:${one.user}`, 1024)
          if (key.startsWith("t:")) expect(key).toContain(`{${shardTags(1024)[number]}}`)
        }
      }),
    )
  })

  it("has checksums that never change: values begin with them", () => {
    expect([checksum("456", "789", "u1"), checksum("a"), checksum("")]).toEqual(["0a9e", "7c87", "0000"])
  })

  it("refuses a checksum of something else than the key's own parameters, and what is not a checksum", () => {
    const { "people.status": status, "people.online": online } = formats(messenger(1024))
    const home = checksum("456", "u2")
    expect(() => status!.build({ home, project: "456", user: "u1" })).toThrow("another shard than")
    const other = { shard: shardTags(1024)[0], project: "456", user: "u1" }
    expect(() => status!.build(other)).toThrow("another shard than")
    expect(() => online!.build({ home: "nobody", project: "456" })).toThrow("is not a checksum")
    expect(() => online!.build({ project: "456" })).toThrow("needs {home}")
    // Built again and again, as a program does: what was remembered is not taken for something else.
    expect(status!.build({ home, project: "456", user: "u2" })).toContain(":P:456:St:u2")
    expect(() => status!.build({ home, project: "456", user: "u1" })).toThrow("another shard than")
  })

  it("puts a value that does not begin with a checksum where its own is", () => {
    const { "people.access": access } = formats(messenger(64))
    expect(access!.build({ token: "not-hex" })).toBe(
      access!.build({ token: `${checksum("not-hex")}-` }).replace(/AccTok.*/, "AccTok:not-hex"),
    )
  })

  it("is looked for in its shard, where that is known", () => {
    const { "people.status": status } = formats(messenger(64))
    expect(status!.glob({ project: "456", user: "u1" })).toBe(status!.build({ project: "456", user: "u1" }))
    expect(status!.glob({ project: "456" })).toBe("{*}:P:456:St:*")
  })

  it("is in one slot, has plain names without shards, a JSON form, and what decides in its fingerprint", () => {
    expect(clusterAtomicity(messenger(64)).filter(({ atomic }) => !atomic)).toEqual([])
    expect(messenger(0).keys.map(({ pattern }) => pattern)[3]).toBe("TokensKeys")
    const form = JSON.parse(JSON.stringify(toJson(messenger(64))))
    expect(form.entries.people).toMatchObject({ checksumOf: ["project", "user"], startOf: ["token"] })
    expect(fits(form)).toEqual({ value: form })
    expect(fingerprint(fromJson(form))).toBe(fingerprint(messenger(64)))
    expect(fingerprint(messenger(64, { startOf: [] }))).not.toBe(fingerprint(messenger(64)))
  })

  it("is not proposed to be tagged in another place, where a rule is between two groups", () => {
    const schema = keyspace(
      {
        people: sharded(4, "user", { rooms: set("Sub:{project}:{user}", id("room")) }),
        rooms: sharded(4, "room", { users: set("Ch:{project}:{room}", user) }),
      },
      { ttl: "never", params: { user, room: id("room") }, invariants: [inverse("people.rooms", "rooms.users")] },
    )
    const rule = clusterAtomicity(schema as unknown as Keyspace).find(({ atomic }) => !atomic)
    expect(rule!.proposal).toBe("one sharded(…) group for all of them, by a parameter that each has")
  })

  it("is refused where it is the checksum of nothing, or of itself", () => {
    for (const notes of [{ checksumOf: [] }, { checksumOf: ["home"] }, { checksumOf: undefined }])
      expect(() => messenger(4, notes)).toThrow("cannot be sharded by")
  })
})
