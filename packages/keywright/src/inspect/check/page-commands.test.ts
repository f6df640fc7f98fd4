/* Commands on a page. */

import { describe, expect, it } from "vitest"
import { commandsIn } from "./page-commands.ts"
import { readPageKeys } from "./page-keys.ts"
import { maskedLines } from "./page-text.ts"

const keysOf = (line: string) => commandsIn(maskedLines(line)[0]!).flatMap(({ keys }) => keys)

describe("a line of a page", () => {
  it.each([
    ["then SADD 'online' 7, and", ["online"]],
    ["`DEL cart:1 cart:2);` is sent", ["cart:1", "cart:2"]],
  ])("%j has these keys", (line, keys) => {
    expect(keysOf(line)).toEqual(keys)
  })

  // Looked at again for each bracket or command, these would take minutes.
  it.each([
    ["brackets before a letter", `SADD ${")".repeat(1_000_000)}x`],
    ["commands without an end", "SADD ".repeat(100_000)],
    ["a table without an end", `|${"-|".repeat(500_000)}x`],
    ["spaces in a table", `|${" ".repeat(1_000_000)}x`],
    ["spaces in a call", `r.get("a"${" ".repeat(1_000_000)}x)`],
    ["spaces behind a label", `ttl: ${" ".repeat(1_000_000)}\u2028`],
    ["spaces behind a type", `redis_type = ${" ".repeat(1_000_000)}\u2028`],
  ])("that was made to keep it busy is looked at once: %s", (_, line) => {
    expect(readPageKeys(line)).toBeDefined()
  })
})
