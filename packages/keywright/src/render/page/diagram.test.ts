import { expect, it } from "vitest"
import * as z from "zod"
import {
  entity,
  hash,
  id,
  json,
  keyspace,
  map,
  secret,
  set,
  string,
  tagged,
  text,
  zset,
  type Keyspace,
} from "../../index.ts"
import { diagramOf } from "./diagram.ts"

const [token, user, item] = [secret(id("token")), id("user"), id("item")]
const linesOf = (schema: unknown): string[] =>
  diagramOf(schema as Keyspace).lines.map(
    ({ from, to, label, ends }) => `${from} ${ends[0]}-${ends[1]} ${to}: ${label}`,
  )

const Doc = json(z.object({ id: z.string(), roleId: z.string() }))
const entities = (relations: object) =>
  keyspace(
    {
      user: entity("user:{id}", Doc, { index: { role: "user:role:{roleId}" }, unique: { only: "user:only:{roleId}" } }),
      role: entity("role:{id}", Doc),
    },
    { relations } as object,
  )

it.each<[string, object, string[]]>([
  ["of a field", { user: { role: { one: "role", from: "roleId" } } }, ["user many-one role: role"]],
  ["of an index", { role: { users: { many: "user", by: "role" } } }, ["role one-many user: users"]],
  ["of a unique index", { role: { user: { one: "user", by: "only" } } }, ["role one-maybe user: user"]],
  [
    "once, though both sides declare it",
    { user: { role: { one: "role", from: "roleId" } }, role: { users: { many: "user", by: "role" } } },
    ["user many-one role: role"],
  ],
])("between entities, draws the line %s", (_, relations, lines) => {
  expect(linesOf(entities(relations))).toEqual(lines)
})

it.each<[string, object, string[]]>([
  ["from the parameter to what is held", { viewed: zset("viewed:{token}", item) }, ["token one-many item: viewed"]],
  ["from a map's field to its value", { login: map("login", token, user) }, ["token one-one user: login"]],
  [
    "to the fields of a hash",
    { cart: hash("cart:{token}", { owner: user, note: text }) },
    ["token one-one user: cart"],
  ],
  [
    "to every id of a tagged member",
    { f: set("f:{token}", tagged({ u: user, i: item })) },
    ["token one-many user: f", "token one-many item: f"],
  ],
  ["from the outer to the inner parameter", { x: string("x:{user}:{item}", text) }, ["user one-many item: x"]],
  [
    "once for several keys",
    Object.fromEntries("abcd".split("").map((n) => [n, set(`${n}:{token}`, item)])),
    ["token one-many item: a, b, c +1"],
  ],
])("between ids, draws the line %s", (_, entries, lines) => {
  expect(linesOf(keyspace(entries as Record<string, never>, { params: { token, user, item } }))).toEqual(lines)
})

it("keeps what concerns one id only in its box, and leaves out what concerns none", () => {
  const schema = keyspace({ recent: zset("recent", token), log: string("log", text) }) as Keyspace
  expect(diagramOf(schema)).toEqual({
    kind: "ids",
    boxes: [{ name: "token", rows: [{ name: "recent", type: "zset", secret: false }] }],
    lines: [],
  })
})
