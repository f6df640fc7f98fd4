import { expectTypeOf, test } from "vitest"
import type { badPatterns, goodPatterns } from "./pattern.cases.ts"
import type { Checked, Invalid, KeyText, ParamNames } from "./pattern.ts"

type Good = (typeof goodPatterns)[number]
type Bad = (typeof badPatterns)[number]["pattern"]

test("the types find the parameters that the table lists", () => {
  type Wrong = {
    [C in Good as C["pattern"]]: [ParamNames<C["pattern"]>, C["params"][number]] extends [
      C["params"][number],
      ParamNames<C["pattern"]>,
    ]
      ? never
      : C["pattern"]
  }[Good["pattern"]]
  expectTypeOf<Wrong>().toEqualTypeOf<never>()
})

test("the types build keys of the table's form", () => {
  type Wrong = {
    [C in Good as C["pattern"]]: C["key"] extends KeyText<C["pattern"]> ? never : C["pattern"]
  }[Good["pattern"]]
  expectTypeOf<Wrong>().toEqualTypeOf<never>()
  expectTypeOf<KeyText<"{{userId}}:cart">>().toEqualTypeOf<`{${string}}:cart`>()
})

test("good patterns pass the check as they are, bad ones become a sentence", () => {
  type Refused = { [P in Good["pattern"]]: Checked<P> extends P ? never : P }[Good["pattern"]]
  expectTypeOf<Refused>().toEqualTypeOf<never>()
  type Accepted = { [P in Bad]: Checked<P> extends Invalid<string> ? never : P }[Bad]
  expectTypeOf<Accepted>().toEqualTypeOf<never>()
  expectTypeOf<Checked<"a:{x}{y}">>().toEqualTypeOf<
    Invalid<`"a:{x}{y}": two parameters touch; put a separator between them`>
  >()
})

test("a pattern that is only known as string is left to the machine", () => {
  expectTypeOf<Checked<string>>().toEqualTypeOf<string>()
})
