import { describe, expectTypeOf, it } from "vitest"
import { json, keyspace, layout, scope, versionOf, type ClientOf } from "keywright"
import * as z from "zod"
import type { Dish, Order, restaurant, User } from "../../../../systems/restaurant/schema.ts"

declare const db: ClientOf<typeof restaurant>

describe("the repository of an entity", () => {
  it("gives records as the schema reads them", () => {
    expectTypeOf(db.user.get("1")).resolves.toEqualTypeOf<z.infer<typeof User> | undefined>()
    expectTypeOf(db.dish.getMany(["1"])).resolves.toEqualTypeOf<(z.infer<typeof Dish> | undefined)[]>()
    expectTypeOf(db.order.all()).resolves.toEqualTypeOf<z.infer<typeof Order>[]>()
    expectTypeOf(db.dish.ids()).resolves.toEqualTypeOf<string[]>()
    expectTypeOf(versionOf({})).toEqualTypeOf<string | undefined>()
  })

  it("asks a new record for its fields, and not for its id and stamps", () => {
    void db.cart.create({ userId: "1" })
    void db.cart.create({ id: "7", userId: "1" }, { by: "root", operationId: "o1" })
    // @ts-expect-error a cart has a user
    void db.cart.create({})
    // @ts-expect-error not of this type
    void db.cart.create({ userId: 1 })
    // @ts-expect-error a role has no colour
    void db.role.create({ name: "ADMIN", colour: "red" })
  })

  it("finds by unique indexes, with exactly their fields", () => {
    expectTypeOf(db.user.find("email", { email: "a@x.org" })).resolves.toEqualTypeOf<z.infer<typeof User> | undefined>()
    void db.cart.find("user", { userId: "1" })
    // @ts-expect-error there is no such unique index
    void db.user.find("name", { name: "Ann" })
    // @ts-expect-error an index of another kind
    void db.dish.find("category", { categoryId: "1" })
    // @ts-expect-error the field is missing
    void db.user.find("email", {})
    // @ts-expect-error an absent value has no entry
    void db.order.list("user", { userId: null })
  })

  it("lists by indexes, paged and in order", () => {
    expectTypeOf(
      db.dish.list("category", { categoryId: "1" }, { limit: 20, offset: 40, reverse: true }),
    ).resolves.toEqualTypeOf<z.infer<typeof Dish>[]>()
    void db.order.count("user", { userId: "1" })
    // @ts-expect-error there is no such index
    void db.dish.list("price", { price: 1 })
    // @ts-expect-error not a field of this index
    void db.dish.list("category", { name: "x" })
  })

  it("changes some fields, by value or by function", () => {
    void db.dish.update("1", { price: 5, description: undefined })
    void db.dish.update("1", (dish) => ({ soldToday: (dish.soldToday ?? 0) + 1 }), { version: "abc" })
    // @ts-expect-error a dish has no colour
    void db.dish.update("1", { colour: "red" })
    // @ts-expect-error not of this type
    void db.dish.update("1", { price: "5" })
    void db.dish.increment("1", "soldToday", 2)
    // @ts-expect-error not a number
    void db.dish.increment("1", "name")
  })

  it("loads relations along, inverses too, to any depth", () => {
    const loaded = db.cart.get("1", { with: { items: { dish: { category: true } } } })
    void loaded.then((cart) => {
      expectTypeOf(cart!.items[0]!.dish!.category!.name).toEqualTypeOf<string>()
      expectTypeOf(cart!.items[0]!.dish).extract<undefined>().toEqualTypeOf<undefined>()
    })
    void db.role.get("1", { with: { permissions: true } }).then((role) => {
      expectTypeOf(role!.permissions[0]!.apiPath).toEqualTypeOf<string>()
    })
    // @ts-expect-error a user has no dishes
    void db.user.get("1", { with: { dishes: true } })
    // @ts-expect-error an item has no such relation
    void db.cart.get("1", { with: { items: { colour: true } } })
  })

  it("is the same inside a transaction and an explanation", () => {
    expectTypeOf(db.$transaction(async (t) => (await t.user.get("1"))?.email)).resolves.toEqualTypeOf<
      string | undefined
    >()
    void db.$explain((x) => x.$transaction((t) => t.cart.delete("1")))
  })

  it("knows relations of entities in groups, by their paths", () => {
    const record = layout({ key: "{entity}:{id}", index: "{entity}:by:{index}:{value}" })
    const Named = json(z.object({ id: z.string(), name: z.string() }))
    const Member = json(z.object({ id: z.string(), teamId: z.string(), age: z.number() }))
    const entries = {
      club: scope("c:{club}:", {
        team: record("team", Named),
        member: record("member", Member, {
          index: { team: "teamId", byAge: { on: "teamId", score: "age", where: { teamId: "1" } } },
        }),
      }),
    }
    const clubs = keyspace(entries, {
      relations: { "club.member": { team: { one: "club.team", from: "teamId", inverse: "members" } } },
    })
    const client = null as unknown as ClientOf<typeof clubs>
    void client
      .club({ club: "a" })
      .team.get("1", { with: { members: true } })
      .then((team) => {
        expectTypeOf(team!.members[0]!.age).toEqualTypeOf<number>()
      })
    // @ts-expect-error no such entity
    keyspace(entries, { relations: { "club.member": { team: { one: "team", from: "teamId" } } } })
    // @ts-expect-error no such field
    record("member", Member, { index: { byName: { on: "teamId", score: "name" } } })
  })
})
