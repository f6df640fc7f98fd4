import { readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import * as z from "zod"
import { isFull } from "../../../../../test/full.ts"
import {
  database,
  drain,
  either,
  entity,
  family,
  hash,
  id,
  int,
  json,
  keyspace,
  refersTo,
  sameIds,
  scope,
  set,
  sharded,
  string,
  text,
  toJson,
  zset,
  type Keyspace,
  replicated,
} from "../../index.ts"
import type { Duration } from "../../schema/duration.ts"
import { keyspaces } from "../../schema/json/keyspaces.cases.ts"
import { adviceFor } from "./advice.ts"
import { changeOf } from "./change.ts"
import { changeCodes, type ChangeCode } from "./change-codes.ts"
import { diffSchemas, type Difference } from "./diff.ts"
import { edits } from "./random-edits.cases.ts"
import { reverses } from "./reverses.cases.ts"
import { scenes } from "./scenes/scenes.cases.ts"

const diff = (before: object, after: object, renames: Record<string, string> = {}): Difference =>
  diffSchemas(toJson(before as Keyspace), toJson(after as Keyspace), { renames })
const codes = ({ changes }: Difference) => changes.map(({ code, path }) => `${code} ${path}`)

const one = keyspace({ cart: string("cart:{id}", text), total: string("total", int) }, { ttl: "never" })

describe("nothing that matters", () => {
  test.each(Object.entries(keyspaces))("%s against itself", (_, same) => {
    expect(diff(same, same).changes).toEqual([])
  })

  test("order, docs, names of parameters and who validates", () => {
    const before = keyspace(
      {
        a: hash("a:{x}", { n: int, t: text }, { doc: "One." }),
        b: set("b", id("t")),
        c: string("c", json(z.object({ q: z.int().describe("A number.") }))),
      },
      { ttl: "never", invariants: [refersTo(id("t"), "b", "b2" as never)].slice(1) },
    )
    const after = keyspace(
      {
        c: string("c", json(z.object({ q: z.int() }))),
        b: set("b", id("t")),
        a: hash("a:{y}", { t: text, n: int }, { deprecated: "no", when: "always" }),
      },
      { ttl: "never", name: "other", doc: "Words." },
    )
    expect(diff(before, after).changes).toEqual([])
  })

  test("a TTL spelled otherwise, and one that comes from a group", () => {
    const before = keyspace({ s: scope("s:", { a: string("a", text, { ttl: "60s" }) }) })
    const after = keyspace({ s: scope("s:", { a: string("a", text) }, { ttl: "1m" }) })
    expect(diff(before, after).changes).toEqual([])
  })
})

describe("which entry is which", () => {
  const renamed = keyspace({ basket: string("basket:{id}", text), total: string("total", int) }, { ttl: "never" })
  const said = keyspace(
    { basket: string("basket:{id}", text, { was: "cart" }), total: string("total", int) },
    { ttl: "never" },
  )

  test("another name and another pattern is asked about, and counts as gone and new", () => {
    const difference = diff(one, renamed)
    expect(codes(difference)).toEqual(["PATTERN.REMOVED cart", "PATTERN.ADDED basket"])
    expect(difference.questions).toEqual([{ before: "cart", after: "basket" }])
  })

  test("a note in the schema or a rename decides it", () => {
    expect(codes(diff(one, said))).toEqual(["NAME.ENTRY basket", "PATTERN.MOVED basket"])
    expect(codes(diff(one, renamed, { cart: "basket" }))).toEqual(["NAME.ENTRY basket", "PATTERN.MOVED basket"])
    expect(codes(diff(said, one))).toEqual(["NAME.ENTRY cart", "PATTERN.MOVED cart"])
  })

  test("another name for the same keys is a rename in the source", () => {
    const after = keyspace({ trolley: string("cart:{id}", text), total: string("total", int) }, { ttl: "never" })
    expect(diff(one, after)).toMatchObject({ level: "harmless", order: "any", questions: [] })
  })

  test("a group that was renamed takes its entries along", () => {
    const before = keyspace({ live: scope("a:", { x: string("x", text) }) }, { ttl: "never" })
    const after = keyspace({ now: scope("b:", { x: string("x", text) }, { was: "live" }) }, { ttl: "never" })
    expect(codes(diff(before, after))).toEqual(["NAME.ENTRY now.x", "PATTERN.MOVED now.x"])
  })

  test("one that becomes several, and several that become one", () => {
    const several = keyspace(
      {
        a: string("a:{id}", text, { was: "cart" }),
        b: string("b:{id}", text, { was: "cart" }),
        total: string("total", int),
      },
      { ttl: "never" },
    )
    expect(codes(diff(one, several))).toEqual(["PATTERN.SPLIT cart"])
    expect(codes(diff(several, one))).toEqual(["PATTERN.MERGED cart"])
  })
})

describe("one that stays and gives a part to another", () => {
  const beside = keyspace(
    {
      cart: string("cart:{id}", text),
      guest: string("guest:{id}", text, { was: "cart" }),
      total: string("total", int),
    },
    { ttl: "never" },
  )

  test("is split, and taken back, merged", () => {
    expect(codes(diff(one, beside))).toEqual(["PATTERN.SPLIT cart"])
    expect(codes(diff(beside, one))).toEqual(["PATTERN.MERGED cart"])
    expect(diff(one, beside).level).toBe("silent")
  })
})

describe("two changes that meet in one pattern", () => {
  const person = json(z.object({ id: z.string(), mail: z.string() }))
  const records = (more: object) => keyspace({ user: entity("user:{id}", person, more) }, { ttl: "never" })
  const indexed = records({ index: { mail: "mail:{mail}" } })
  const unique = records({ unique: { mail: "mail:{mail}" } })

  test("an index that becomes unique is one change of type, repaired from the records", () => {
    const { changes, level } = diff(indexed, unique)
    expect(changes).toMatchObject([{ code: "KIND.TYPE", path: "user#mail", oldReader: "fails", data: "index" }])
    expect([level, adviceFor(changes[0]!)[0]!.command]).toEqual(["breaks-writers", expect.stringMatching("repair")])
  })

  test("a key of its own that an entity takes over: SET replaces silently what the entity keeps", () => {
    const plain = keyspace({ user: entity("user:{id}", person), byMail: string("mail:{mail}", text) }, { ttl: "never" })
    expect(diff(plain, indexed).changes).toMatchObject([
      { code: "KIND.TYPE", path: "user#mail", oldWriter: "silent", newWriter: "fails" },
    ])
    // Keys of one type do not clash, and none of them goes, so there is nothing to purge.
    expect(codes(diff(plain, unique))).toEqual(["UNIQUE.ADDED user#mail"])
    expect(diff(unique, plain).changes).toMatchObject([{ code: "UNIQUE.DROPPED", data: "nothing", leftovers: [] }])
  })

  test("a mirror of another type is reported beside what else the index changes", () => {
    const mirrored = records({ index: { mail: ["mail:{mail}", "m:{mail}"] } })
    const swapped = records({ index: { mail: "mail:{mail}" }, unique: { m: "m:{mail}" } })
    expect(codes(diff(mirrored, swapped)).sort()).toEqual(["KIND.TYPE user#m", "MIRROR.REMOVED user#mail"])
  })
})

test("a choice more needs no work on the data", () => {
  const chosen = (...choices: [Duration, Duration, ...("never" | Duration)[]]) =>
    keyspace({ x: string("x", text, { ttl: either(...choices) }) })
  expect(diff(chosen("1h", "1d"), chosen("1h", "1d", "never"))).toMatchObject({ level: "harmless" })
})

describe("what a row of the table cannot show alone", () => {
  test("a more literal pattern takes keys away from another", () => {
    const after = keyspace({ ...(one.entries as {}), list: set("cart:list", text) } as never, { ttl: "never" })
    expect(codes(diff(one, after))).toEqual(["PATTERN.SHADOWS list"])
    expect(codes(diff(after, one))).toEqual(["PATTERN.UNSHADOWS list"])
  })

  test("a reserved name that is back, an entry's and a field's", () => {
    const before = keyspace(
      { x: hash("x:{id}", { a: text }, { reserved: ["note"] }) },
      { ttl: "never", reserved: ["cart"] },
    )
    const after = keyspace({ x: hash("x:{id}", { a: text, note: int }), cart: string("cart", text) }, { ttl: "never" })
    expect(codes(diff(before, after)).sort()).toEqual([
      "FIELD.REQUIRED x.note",
      "FIELD.REUSED x.note",
      "NAME.REUSED cart",
      "PATTERN.ADDED cart",
    ])
    expect(diff(before, after).level).toBe("silent")
  })

  test("families, eviction, services, relations, rules and their truth", () => {
    const t = id("t")
    const items = { a: set("a", t), b: set("b", t) }
    const rule = (truth: "a" | "b") =>
      keyspace(items, { ttl: "never", invariants: [sameIds(t, ["a", "b"], { truth })] })
    expect(codes(diff(rule("a"), rule("b")))).toEqual(["INVARIANT.TRUTH a + b"])
    expect(codes(diff(rule("a"), keyspace(items, { ttl: "never" })))).toEqual(["INVARIANT.REMOVED a + b"])
    const alone = keyspace({ f: scope("f:{id}:", { a: set("a", text) }, { ttl: "3h" }) })
    const together = keyspace({ f: family("f:{id}:", { ttl: "3h" }, { a: set("a", text) }) })
    expect(codes(diff(alone, together))).toContain("FAMILY.CHANGED f.a")
    const notes = (more: object) => keyspace({ x: string("x", text, more) }, { ttl: "never" })
    expect(codes(diff(notes({}), notes({ evictable: true })))).toEqual(["EVICT.ALLOWED x"])
    expect(codes(diff(notes({ evictable: true }), notes({})))).toEqual(["EVICT.FORBIDDEN x"])
    expect(codes(diff(notes({ reads: ["web", "jobs"] }), notes({ reads: ["web"] })))).toEqual(["ACCESS.LOST x"])
    expect(codes(diff(notes({ writes: ["web"] }), notes({ writes: ["web", "jobs"] })))).toEqual(["ACCESS.GAINED x"])
    const person = json(z.object({ id: z.string(), roleId: z.string() }))
    const linked = (mayDangle: boolean) =>
      keyspace(
        { role: entity("role:{id}", json(z.object({ id: z.string() }))), user: entity("user:{id}", person) },
        { ttl: "never", relations: { user: { role: { one: "role", from: "roleId", mayDangle } } } },
      )
    expect(codes(diff(linked(true), linked(false)))).toEqual(["RELATION.STRICT user.roleId"])
    expect(codes(diff(linked(false), linked(true)))).toEqual(["RELATION.RELAXED user.roleId"])
  })

  test("a TTL that nobody had decided is never", () => {
    const undecided = keyspace({ x: string("x", text) })
    expect(codes(diff(undecided, keyspace({ x: string("x", text, { ttl: "never" }) })))).toEqual(["TTL.DECIDED x"])
    expect(codes(diff(undecided, keyspace({ x: string("x", text, { ttl: "1h" }) })))).toEqual(["TTL.ADDED x"])
  })

  test("several changes of one entry are reported one by one, and together", () => {
    const before = keyspace({ x: zset("x:{id}", text, { keep: 9, ttl: "1d" }) })
    const after = keyspace({ x: zset("x:{id}", int, { keep: 5, ttl: "2d" }) })
    const difference = diff(before, after)
    expect(codes(difference)).toEqual(["CODEC.NARROWED x.member", "TTL.LENGTHENED x", "KEEP.LOWERED x"])
    expect(difference).toMatchObject({ level: "silent", order: "all at once" })
  })

  test("drains, by their names, with the names that entries have now", () => {
    const shard = (was: object) => sharded(4, "token", { views: zset("views", text) }, was)
    const schema = (entries: object, drains: object) =>
      keyspace(entries as never, { ttl: "never", params: { token: text }, drains } as never)
    const keys = { s: shard({}), popular: zset("viewed:", text) }
    const views = drain({ from: "s.views", into: "popular" })
    const before = schema(keys, { views })
    const renamed = schema(
      { session: shard({ was: "s" }), popular: keys.popular },
      { views: drain({ from: "session.views", into: "popular" }) },
    )
    expect(codes(diff(before, renamed))).toEqual(["NAME.ENTRY session.views"])

    const gone = diff(before, schema(keys, {}))
    expect(codes(gone)).toEqual(["DRAIN.REMOVED $drains.views"])
    expect(gone).toMatchObject({ questions: [], level: "silent", order: "all at once" })
    expect(adviceFor(gone.changes[0]!).map(({ command, text }) => command ?? text)).toEqual([
      expect.stringContaining("run() of the drain"),
      "keywright purge --unknown --match '{*}:views:out' --url …",
      "keywright purge --unknown --match '{*}:views:note' --url …",
      "keywright purge --unknown --match 'keywright:drained:{*}:views' --url …",
    ])
    expect(diff(schema(keys, {}), before)).toMatchObject({ level: "silent", order: "readers first" })

    const seen = diff(before, schema(keys, { seen: views }))
    expect(codes(seen)).toEqual(["DRAIN.RENAMED $drains.seen"])
    expect(seen.order).toBe("all at once")
    const both = schema({ ...keys, other: zset("other:", text) }, { seen: drain({ from: "s.views", into: "other" }) })
    expect(codes(diff(before, both))).toEqual([
      "PATTERN.ADDED other",
      "DRAIN.RENAMED $drains.seen",
      "DRAIN.TARGET $drains.seen",
    ])

    const safe = schema(keys, { views: drain({ from: "s.views", into: "popular", durability: replicated(1) }) })
    expect(codes(diff(before, safe))).toEqual(["DURABILITY.RAISED $drains.views"])
    expect(codes(diff(safe, before))).toEqual(["DURABILITY.LOWERED $drains.views"])

    const nothing = keyspace({ x: string("x", text) }, { ttl: "never" })
    const removed = diff(before, nothing).changes.filter(({ code }) => code === "DRAIN.REMOVED")
    expect(removed).toMatchObject([{ newReader: "n/a", data: "purge", order: "readers first" }])
    expect(diff(nothing, before).changes.find(({ code }) => code === "DRAIN.ADDED")).toMatchObject({
      level: "harmless",
      order: "any",
    })
  })

  test("a key in another database", () => {
    const at = (db: number) => keyspace({ d: database(db, "d", { x: string("x", text) }) }, { ttl: "never" })
    expect(codes(diff(at(0), at(5)))).toEqual(["DB.MOVED d.x"])
  })
})

describe("the other way round", () => {
  test("every code names its own reverse", () => {
    for (const code of Object.keys(changeCodes) as ChangeCode[])
      for (const other of reverses[code]) expect(reverses[other], `${code} and ${other}`).toContain(code)
  })

  test.each(scenes.map((scene, i) => [`${i} ${scene.title}`, scene] as const))("%s", (_, { before, after }) => {
    const [there, back] = [diff(before, after), diff(after, before)]
    // That a reserved name is back has no other way round: reserving one changes nothing.
    const mirrors = there.changes.filter(({ code }) => reverses[code].length > 0)
    expect(back.changes.length).toBe(mirrors.length)
    for (const change of mirrors) {
      const mirrored = back.changes.filter(({ code }) => reverses[change.code].includes(code))
      expect(mirrored.length, change.code).toBeGreaterThan(0)
    }
  })
})

describe("any edit of any schema", () => {
  const count = isFull ? 300 : 30

  test.each(Object.entries(keyspaces))("%s: compared without a crash, and mirrored", (_, base) => {
    const form = toJson(base as Keyspace)
    for (const { edited, seed } of edits(form, count)) {
      const [there, back] = [diffSchemas(form, edited), diffSchemas(edited, form)]
      expect(back.changes.length > 0, `seed ${seed}`).toBe(there.changes.length > 0)
      for (const { code } of there.changes) expect(changeCodes[code], `seed ${seed}`).toBeDefined()
      const reversed = new Set(back.changes.map(({ code }) => code))
      for (const { code } of there.changes) {
        if (reverses[code].length > 0)
          expect(
            reverses[code].some((other) => reversed.has(other)),
            `seed ${seed}: ${code}`,
          ).toBe(true)
      }
    }
  })
})

test("the orders in the guide are those of the table", () => {
  const guide = readFileSync(new URL("../../../../../docs/guide/diff.md", import.meta.url), "utf8")
  const rows = [...guide.matchAll(/^\| (`[A-Z].*?) \| (.+?) \|/gm)]
  const told = rows.flatMap(([, names, order]) => [...names!.matchAll(/`(.+?)`/g)].map(([, code]) => [code, order]))
  expect(told.length).toBeGreaterThan(8)
  expect(told).toEqual(told.map(([code]) => [code, changeOf({ code: code as ChangeCode, path: "x", what: "" }).order]))
})
