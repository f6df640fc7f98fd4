import { connect, type Id } from "keywright"
import { describe, expectTypeOf, it } from "vitest"
import { messenger } from "./family.cases.ts"

describe("the type of a family", () => {
  it("has its keys as values; the marker is always there", async () => {
    const db = await connect(messenger)
    const found = await db.channel({ channel: "1" }).$read()
    expectTypeOf(found!.info).toEqualTypeOf<{ name: string; topic?: string }>()
    expectTypeOf(found!.subscribers).toEqualTypeOf<Id<"user">[]>()
    expectTypeOf(found!.hits).toEqualTypeOf<number | undefined>()
    const all = await db.everything({ id: "1" }).$read()
    expectTypeOf(all!.hash).toEqualTypeOf<{ a: number; b?: string } | undefined>()
    expectTypeOf(all!.map).toEqualTypeOf<Map<string, number>>()
    expectTypeOf(all!.zset).toEqualTypeOf<[string, number][]>()
  })

  it("asks for the marker, and for nothing else, when it is filled", async () => {
    const db = await connect(messenger)
    const channel = db.channel({ channel: "1" })
    void channel.$fill({ info: { name: "n" } })
    // @ts-expect-error -- the marker is missing
    void channel.$fill({ subscribers: [] })
    // @ts-expect-error -- a name is text
    void channel.$load(async () => ({ info: { name: 1 } }))
    void db.subscriber({ user: "u" }).$fill({})
    expectTypeOf(channel.$change(() => 1)).resolves.toEqualTypeOf<number>()
  })
})
