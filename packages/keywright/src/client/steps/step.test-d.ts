import { connect, type Id } from "keywright"
import { describe, expectTypeOf, it } from "vitest"
import { shop } from "./step.cases.ts"

describe("the type of a step", () => {
  it("takes the parameters of its keys, arrays of them, and its arguments", async () => {
    const db = await connect(shop)
    type Clean = Parameters<typeof db.$steps.clean>[0]
    expectTypeOf<Clean["limit"]>().toEqualTypeOf<number>()
    expectTypeOf<Clean["viewed"][number]>().toEqualTypeOf<{ token: Id<"token"> }>()
    expectTypeOf<Clean["tokens"]>().toEqualTypeOf<readonly Id<"token">[]>()
    type Online = Parameters<typeof db.$steps.online>[0]
    expectTypeOf<Online["project"]>().toEqualTypeOf<string>()
    expectTypeOf<keyof Online["status"][number]>().toEqualTypeOf<"user">()
    // @ts-expect-error -- the row is missing
    void db.$steps.setRow({ value: "v" })
    // @ts-expect-error -- no such argument
    void db.$steps.hit({ by: 1, bye: 2 })
    // @ts-expect-error -- it takes an argument
    void db.$steps.hit()
    void db.$steps.shapes()
  })

  it("returns what is declared", async () => {
    const db = await connect(shop)
    expectTypeOf(db.$steps.hit).returns.resolves.toEqualTypeOf<number>()
    expectTypeOf(db.$steps.getRow).returns.resolves.toEqualTypeOf<string | undefined>()
    expectTypeOf(db.$steps.setRow).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf(db.$steps.clean).returns.resolves.toEqualTypeOf<Id<"token">[]>()
    expectTypeOf(db.$steps.shapes).returns.resolves.toEqualTypeOf<
      [number, string, [string, number][], Uint8Array, string | undefined]
    >()
  })
})
