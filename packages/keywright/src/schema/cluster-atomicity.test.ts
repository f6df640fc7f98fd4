import { describe, expect, test } from "vitest"
import * as z from "zod"
import { clusterAtomicity, hashTag } from "./cluster-atomicity.ts"
import { json } from "./codec/json.ts"
import { text } from "./codec/text.ts"
import { hash, set } from "./define.ts"
import { entity } from "./entity.ts"
import { family, scope } from "./group.ts"
import { keyspace } from "./keyspace.ts"

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
