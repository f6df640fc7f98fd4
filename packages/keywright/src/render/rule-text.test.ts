import { expect, it } from "vitest"
import type { InvariantRule } from "../schema/invariant.ts"
import { ruleText } from "./rule-text.ts"

const place = { key: "cart", place: "{token}" }

it.each<[InvariantRule, string]>([
  [{ kind: "same", id: "token", keys: ["a", "b"], truth: "a", doc: "D." }, "the same token ids are in `a` and `b`: D."],
  [{ kind: "reference", id: "token", from: "a", to: "b" } as InvariantRule, "every token in `a` exists in `b`"],
  [
    { kind: "reference", id: "token", from: place, to: ["a", place], grace: "10s", doc: "D." } as InvariantRule,
    "every token in `{token}` of `cart` exists in `a` or `{token}` of `cart` within 10s: D.",
  ],
  [{ kind: "inverse", keys: ["a", "b"] } as unknown as InvariantRule, "`a` and `b` say the same from both sides"],
  [{ kind: "exclusive", keys: ["a", "b"] } as unknown as InvariantRule, "nothing is both in `a` and in `b`"],
  [{ kind: "compare", left: place, is: "<=", right: 5 } as InvariantRule, "`{token}` of `cart` is at most 5"],
  [
    { kind: "compare", left: place, is: ">", right: { ...place, otherwise: 0 } } as InvariantRule,
    "`{token}` of `cart` is above `{token}` of `cart` (0 when there is none)",
  ],
])("%# %j", (rule, text) => {
  expect(ruleText(rule)).toBe(text)
})
