import { expect, it } from "vitest"
import { either, fixed, sliding, type TtlRule, upTo } from "../schema/ttl.ts"
import { ttlText } from "./ttl-text.ts"

it.each<[TtlRule | undefined, boolean, string]>([
  [undefined, false, "undecided"],
  [{ on: "never" }, true, "never expires"],
  [{ on: "write", ms: 600_000 }, false, "10m from each write"],
  [{ on: "write", ms: 600_000 }, true, "10m, with its family"],
  [sliding("1h"), false, "1h from each write or read"],
  [fixed("30s"), false, "30s from creation"],
  [either("30s", "never"), false, "30s or never"],
  [upTo("30d"), false, "up to 30d, as the writer says"],
])("%j of a family %j is %s", (rule, family, text) => {
  expect(ttlText(rule, family)).toBe(text)
})
