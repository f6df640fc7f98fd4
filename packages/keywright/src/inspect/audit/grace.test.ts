import { expect, it } from "vitest"
import { graceOf } from "./grace.ts"

it.each([
  [{}, {}],
  [{ grace: "10s" } as const, { graceMs: 10_000 }],
])("%j is %j", (rule, grace) => {
  expect(graceOf(rule)).toEqual(grace)
})
