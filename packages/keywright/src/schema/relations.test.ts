import { describe, expect, test } from "vitest"
import * as z from "zod"
import { entity, id, json, keyspace, set, string, text } from "../index.ts"
import { relationRows } from "./entity-relations.ts"

const shaped = <const N extends string>(...names: N[]) =>
  json(
    z.object({
      id: z.string(),
      ...(Object.fromEntries(names.map((name) => [name, z.string()])) as Record<N, z.ZodString>),
    }),
  )

const entries = {
  user: entity("user:{id}", shaped("roleId", "email"), { index: { role: "user:role:{roleId}" } }),
  role: entity("role:{id}", shaped("name"), { unique: { name: "role-name:{name}" } }),
  cart: entity("cart:{id}", shaped("userId"), { unique: { user: "cart:user:{userId}" } }),
  order: entity("order:{id}", shaped("userId", "status"), {
    index: { user: "order:user:{userId}", both: "order:both:{userId}:{status}" },
  }),
  permission: entity("permission:{id}", { id: text, name: text }),
  rolePermissions: set("role:{roleId}:permissions", id("permission")),
  motd: string("motd", text),
}
type Relations = Record<string, Record<string, object>>
const made = (relations: Relations) => keyspace(entries, { relations: relations as never })
const rows = (relations: Relations) => relationRows(made(relations))

describe("relations are spelled out", () => {
  test("by a field, with the inverse through an index on it", () => {
    expect(rows({ user: { role: { one: "role", from: "roleId", inverse: "users", doc: "One." } } })).toEqual([
      { entity: "user", name: "role", target: "role", many: false, via: { field: "roleId" }, doc: "One." },
      { entity: "role", name: "users", target: "user", many: true, via: { index: "role", unique: false } },
    ])
  })

  test("an inverse through a unique index is one record", () => {
    expect(rows({ cart: { user: { one: "user", from: "userId", inverse: "cart" } } })[1]).toEqual({
      entity: "user",
      name: "cart",
      target: "cart",
      many: false,
      via: { index: "user", unique: true },
    })
  })

  test("by an index of the target, unique or not", () => {
    expect(rows({ user: { cart: { one: "cart", by: "user" }, orders: { many: "order", by: "user" } } })).toEqual([
      { entity: "user", name: "cart", target: "cart", many: false, via: { index: "user", unique: true } },
      { entity: "user", name: "orders", target: "order", many: true, via: { index: "user", unique: false } },
    ])
  })

  test("through a set of ids", () => {
    expect(rows({ role: { permissions: { many: "permission", through: "rolePermissions" } } })[0]!.via).toEqual({
      set: "rolePermissions",
    })
  })

  test("two entities may refer to each other", () => {
    expect(
      rows({
        user: { role: { one: "role", from: "roleId" } },
        role: { first: { one: "user", from: "name" }, users: { many: "user", by: "role" } },
      }),
    ).toHaveLength(3)
  })
})

describe("relations that cannot be followed are refused", () => {
  test.each<[string, Relations, string]>([
    ["of an unknown entity", { usr: {} }, "KEYSPACE.ENTRY"],
    ["of a plain key", { motd: {} }, "KEYSPACE.ENTRY"],
    ["of what every object has", { constructor: {} }, "KEYSPACE.ENTRY"],
    ["to an unknown entity", { user: { role: { one: "rol", from: "roleId" } } }, "KEYSPACE.REFERENCE"],
    ["to a plain key", { user: { role: { one: "motd", from: "roleId" } } }, "KEYSPACE.REFERENCE"],
    ["to what every object has", { user: { role: { one: "constructor", from: "roleId" } } }, "KEYSPACE.REFERENCE"],
    ["from an unknown field", { user: { role: { one: "role", from: "role_id" } } }, "KEYSPACE.REFERENCE"],
    ["from an unknown field of a hash", { permission: { role: { one: "role", from: "role" } } }, "KEYSPACE.REFERENCE"],
    ["by an unknown index", { user: { orders: { many: "order", by: "usr" } } }, "KEYSPACE.REFERENCE"],
    ["by what every object has", { user: { orders: { many: "order", by: "toString" } } }, "KEYSPACE.REFERENCE"],
    ["to one by an index of many", { user: { order: { one: "order", by: "user" } } }, "KEYSPACE.REFERENCE"],
    ["to many by a unique index", { user: { carts: { many: "cart", by: "user" } } }, "KEYSPACE.REFERENCE"],
    ["by an index on several fields", { user: { orders: { many: "order", by: "both" } } }, "KEYSPACE.RELATION"],
    [
      "through an unknown set",
      { role: { permissions: { many: "permission", through: "perms" } } },
      "KEYSPACE.REFERENCE",
    ],
    ["through nothing", { role: { permissions: { many: "permission" } } }, "KEYSPACE.REFERENCE"],
    [
      "through a key without members",
      { role: { permissions: { many: "permission", through: "motd" } } },
      "KEYSPACE.RELATION",
    ],
    [
      "with an inverse that no index serves",
      { user: { mail: { one: "role", from: "email", inverse: "mails" } } },
      "KEYSPACE.RELATION",
    ],
    [
      "with an inverse that is declared too",
      {
        user: { role: { one: "role", from: "roleId", inverse: "users" } },
        role: { users: { many: "user", by: "role" } },
      },
      "KEYSPACE.RELATION",
    ],
  ])("%s", (_, relations, code) => {
    expect(() => made(relations)).toThrow(expect.objectContaining({ code, fix: expect.any(String) }))
  })
})
