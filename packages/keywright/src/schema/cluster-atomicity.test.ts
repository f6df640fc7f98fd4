import { describe, expect, test } from "vitest"
import * as z from "zod"
import { clusterAtomicity } from "./cluster-atomicity.ts"
import { hashTag } from "./hash-tag.ts"
import { json } from "./codec/json.ts"
import { text } from "./codec/text.ts"
import { id } from "./codec/id.ts"
import { int } from "./codec/number.ts"
import { hash, map, set, string, zset } from "./define.ts"
import { entity } from "./entity.ts"
import { family, scope } from "./group.ts"
import { compare, inverse, refersTo, sameIds } from "./index.ts"
import { keyspace } from "./keyspace.ts"
import { at } from "./place.ts"
import { step } from "./step.ts"

const User = json(z.object({ id: z.string(), email: z.string() }))
const user = () =>
  entity("user:{id}", User, { counter: "user:counter", all: "user:list", unique: { email: "user:email:{email}" } })

describe("what stays atomic in a cluster", () => {
  test("an entity whose keys share a hash tag", () => {
    expect(clusterAtomicity(keyspace({ tenant: scope("{{tenant}}:", { user: user() }) }))).toEqual([
      { name: "tenant.user", kind: "entity", atomic: true, tag: "tenant", refused: [] },
    ])
  })

  test("not an entity without one: it says which keys are apart, and what is refused", () => {
    expect(clusterAtomicity(keyspace({ user: user() }))).toEqual([
      {
        name: "user",
        kind: "entity",
        atomic: false,
        apart: ["user:{id}", "user:counter"],
        refused: ["create", "delete", "update of an indexed field", "transaction"],
        proposal: 'scope("{{tenant}}:", { user })',
      },
    ])
  })

  test("a record that is alone, tagged or not", () => {
    expect(clusterAtomicity(keyspace({ user: entity("user:{id}", User) }))).toMatchObject([{ atomic: true }])
  })

  test("an entity is judged with the sets of its relations", () => {
    const roles = keyspace(
      {
        role: entity("role:{id}", json(z.object({ id: z.string() }))),
        right: entity("right:{id}", json(z.object({ id: z.string() }))),
        rights: set("role:{role}:rights", text),
      },
      { relations: { role: { rights: { many: "right", through: "rights" } } } },
    )
    expect(clusterAtomicity(roles).map(({ name, atomic }) => [name, atomic])).toEqual([
      ["role", false],
      ["right", true],
    ])
  })

  test("families likewise", () => {
    const entries = { info: hash("", { name: text }), members: set(":members", text) }
    const of = (prefix: string) =>
      clusterAtomicity(keyspace({ channel: family(prefix as "Ch:{channel}", { ttl: "1h", marker: "info" }, entries) }))
    expect(of("Ch:{{channel}}")).toMatchObject([{ name: "channel", kind: "family", atomic: true, tag: "channel" }])
    expect(of("Ch:{channel}")).toMatchObject([{ atomic: false, apart: ["Ch:{channel}", "Ch:{channel}:members"] }])
    expect(of("Ch:{channel}")[0]!.proposal).toBe("Ch:{{channel}}, Ch:{{channel}}:members")
  })

  test("a step whose keys share a tag, or that has one key", () => {
    const script = "-- KEYS\nreturn 1"
    const token = id("token")
    const steps = {
      one: step({ script, keys: ["cart"] }),
      apart: step({ script, keys: ["login", "cart"] }),
      tagged: step({ script, keys: ["seen", "last"] }),
      many: step({ script, keys: ["cart[]"] }),
      manyTagged: step({ script, keys: ["seen", "seen[]"] }),
      none: step({ script, keys: [] }),
    }
    const schema = keyspace(
      {
        login: map("login:", token, text),
        cart: map("cart:{token}", text, int),
        seen: set("seen:{{token}}", text),
        last: string("last:{{token}}", text),
      },
      { params: { token }, steps },
    )
    expect(clusterAtomicity(schema).map(({ name, atomic, proposal }) => [name, atomic, proposal])).toEqual([
      ["$steps.one", true, undefined],
      ["$steps.apart", false, 'scope("{{tenant}}:", { login, cart })'],
      ["$steps.tagged", true, undefined],
      ["$steps.many", false, 'scope("{{tenant}}:", { cart })'],
      ["$steps.manyTagged", true, undefined],
      ["$steps.none", true, undefined],
    ])
  })

  test("an invariant whose keys share a tag", () => {
    const [user, channel] = [id("user"), id("channel")]
    const entries = {
      members: set("members:{channel}", user, { params: { channel } }),
      channels: set("channels:{user}", channel, { params: { user } }),
      ages: zset("ages:", user),
      names: map("names:", user, text),
    }
    const rules = (under: string) =>
      [
        inverse(`${under}members`, `${under}channels`),
        sameIds(user, [`${under}ages`, `${under}names`]),
        refersTo(user, `${under}members`, `${under}names`),
        compare(at(`${under}ages`, "score"), ">", 0),
      ] as never
    const of = (schema: Parameters<typeof clusterAtomicity>[0]) =>
      clusterAtomicity(schema).map(({ name, kind, atomic, refused }) => [name, kind, atomic, refused.length])
    expect(of(keyspace(entries, { invariants: rules("") }))).toEqual([
      ["inverse(members, channels)", "invariant", false, 0],
      ["sameIds(ages, names)", "invariant", false, 0],
      ["refersTo(members, names)", "invariant", false, 0],
      ["compare(ages)", "invariant", true, 0],
    ])
    const tenant = keyspace({ t: scope("{{tenant}}:", entries) }, { invariants: rules("t.") })
    expect(of(tenant).map(([, , atomic]) => atomic)).toEqual([true, true, true, true])
  })

  test("not where a parameter before the tag may hold a brace, nor where one value is spelled in two ways", () => {
    const anything = id("anything", { matching: /.+/, allow: "{}" })
    const script = "-- KEYS\nreturn 1"
    const of = (one: object, other: object) =>
      clusterAtomicity(
        keyspace(
          {
            a: string("a:{x}:{{tag}}", text, { params: one as { x: typeof text } }),
            b: string("b:{x}:{{tag}}", text, { params: other as { x: typeof text } }),
          },
          { steps: { both: step({ script, keys: ["a", "b"] }) } },
        ),
      )[0]!.atomic
    expect(of({}, {})).toBe(true)
    expect(of({ x: anything }, { x: anything })).toBe(false)
    expect(of({ tag: int }, {})).toBe(false)
  })

  test("a tag is the first parameter in braces", () => {
    expect(["{{a}}:b:{c}", "x:{{a}}", "x:{a}:{{b}}", "x:{a}", "plain"].map(hashTag)).toEqual([
      "a",
      "a",
      "b",
      undefined,
      undefined,
    ])
  })
})
