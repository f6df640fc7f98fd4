import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { clusterSlot } from "../driver/cluster-slot.ts"
import {
  classifier,
  clusterAtomicity,
  counter,
  drain,
  fingerprint,
  float,
  fromJson,
  int,
  keyspace,
  map,
} from "../index.ts"
import { replicated, scope, set, sharded, text, toJson, withTag, zset } from "../index.ts"
import { jsonSchemaCheck } from "./json/json-schema-codec.ts"
import { keyFormat } from "./key-format.ts"

const published = JSON.parse(readFileSync(new URL("../../keyspace.schema.json", import.meta.url), "utf8"))
const fits = jsonSchemaCheck(published)
const shop = (shards: number, prefix = "viewed:") =>
  keyspace(
    {
      session: sharded(shards, "token", { views: zset("views:", text) }),
      popular: zset(prefix as "viewed:", text),
    },
    { ttl: "never", drains: { views: drain({ from: "session.views", into: "popular", durability: replicated(1) }) } },
  )

describe("a drain", () => {
  it("has keys of its own, which are part of the keyspace", () => {
    expect(shop(0).keys.map(({ name, pattern, kind }) => [name, pattern, kind])).toEqual([
      ["session.views", "views:", "zset"],
      ["popular", "viewed:", "zset"],
      ["session.views#out", "views::out", "zset"],
      ["session.views#note", "views::note", "hash"],
      ["popular#drained.views", "keywright:drained:{{target}}:views", "map"],
    ])
    const { keys } = shop(16)
    const { owner } = classifier(keys)
    const drained = keyFormat(keys[4]!.pattern, keys[4]!.params).build({})
    expect(drained).toBe("keywright:drained:{viewed:}:views")
    expect(owner(drained)?.key.name).toBe("popular#drained.views")
    expect(owner("{1bz}:views::out")?.key.name).toBe("session.views#out")
    expect(keys.slice(2, 4).map(({ pattern }) => pattern)).toEqual(["{{shard}}:views::out", "{{shard}}:views::note"])
  })

  it("keeps what belongs together in one slot", () => {
    for (const one of [shop(16), withTag(shop(16), "acme"), withTag(shop(0), "acme")]) {
      expect(clusterAtomicity(one).every(({ atomic }) => atomic)).toBe(true)
      const [into, drained] = ["popular", "popular#drained.views"].map((name) => {
        const { pattern, params } = one.keys.find((key) => key.name === name)!
        return clusterSlot(keyFormat(pattern, params).build({}))
      })
      expect(drained).toBe(into)
    }
    expect(clusterAtomicity(shop(0)).filter(({ atomic }) => !atomic)).toMatchObject([
      {
        name: "$drains.views",
        kind: "drain",
        refused: ["run"],
        proposal: 'more than 0 shards: sharded(1024, "token", …)',
      },
    ])
  })

  it("survives JSON, and is part of the fingerprint", () => {
    const form = toJson(shop(16))
    expect(form.drains).toEqual({ views: { from: "session.views", into: "popular", durability: { replicas: 1 } } })
    expect(fits(form)).toHaveProperty("value")
    const again = fromJson(JSON.parse(JSON.stringify(form)))
    expect(toJson(again)).toEqual(form)
    expect(fingerprint(again)).toBe(fingerprint(shop(16)))
    const { drains: _, ...without } = form
    expect(fingerprint(fromJson(without))).not.toBe(fingerprint(again))
    expect(() => fromJson({ ...form, drains: { views: { from: "session.views" } } })).toThrow(/into/)
    expect(fits({ ...form, drains: { views: { from: "session.views" } } })).not.toHaveProperty("value")
  })

  it("is refused where it could not add up", () => {
    const entries = {
      group: sharded(4, "by", {
        a: zset("a:", text),
        b: map("b:", text, int),
        c: counter("c:"),
        d: set("d:", text),
        e: zset("e:{day}", text),
      }),
      z: zset("z:", text),
      n: zset("n:", int, { score: float }),
      m: map("m:", text, int),
      s: set("s:", text),
      t: scope("t:{tenant}:", { z: zset("z", text) }),
    }
    const make = (from: string, into: string, name = "x") =>
      keyspace(entries, { ttl: "never", drains: { [name]: drain({ from, into }) as never } })
    expect(make("group.a", "z").keys).toHaveLength(13)
    for (const [from, into, why] of [
      ["group.a", "m", "the same members"],
      ["group.a", "n", "the same members"],
      ["group.d", "s", "a set cannot be added up"],
      ["group.e", "z", "{day}"],
      ["group.a", "t.z", "{tenant}"],
      ["z", "z", "no other end"],
    ])
      expect(() => make(from!, into!), `${from} ${into}`).toThrow(why)
    expect(() => make("group.a", "nothing")).toThrow(expect.objectContaining({ code: "KEYSPACE.REFERENCE" }))
    expect(() => make("group.a", "z", "a-b")).toThrow(expect.objectContaining({ code: "KEYSPACE.ENTRY" }))
    const twice = { x: drain({ from: "group.a", into: "z" }), y: drain({ from: "group.a", into: "z" }) }
    expect(() => keyspace(entries, { ttl: "never", drains: twice as never })).toThrow("has a drain already")
  })
})
