import { expect, it } from "vitest"
import type { Wire } from "../../../driver/driver.ts"
import { unknownFinding } from "./unknown.ts"

it.each<[Wire, type: string, pattern: string, found: string]>([
  ["old:17", "hash", "old:{number}", "a hash"],
  ["stray", "list", "stray", "a list"],
  [Uint8Array.of(255, 97), "string", "{bytes}", "a string whose key is not text"],
])("%j", (key, type, pattern, found) => {
  const finding = unknownFinding(3, key, type)
  expect(finding).toMatchObject({ code: "KEY.UNKNOWN", db: 3, pattern, found, fixable: false })
  expect(finding.target.fix).toEqual({ db: 3, commands: [["UNLINK", key]], destroys: true })
})
