import { expect, it } from "vitest"
import { configMissing, fileMissing, usageRefused } from "./cli.ts"
import { fileUnwritable } from "./file.ts"

const addresses = [
  "redis://h?password=hunter2",
  "redis://h:6379/0?x=1&auth=hunter2",
  "unix:///nosuch.sock?password=hunter2?",
  "redis://u:hunter2@h",
  "redis:u:hunter2@h",
  "u:hunter2@h:6379",
]

it.each(addresses)("a password in the wrong place is not repeated: %s", (address) => {
  const cause = Object.assign(new Error(`ENOENT: no such file, open '${address}/x.part'`), { syscall: "open" })
  const errors = [
    usageRefused(`unknown option '--${address}'`, `Did you mean ${address}?`),
    usageRefused(`${JSON.stringify(address)} is not the number of a database`, "For example: `--db 0`."),
    ...[fileMissing(address), configMissing(address), fileUnwritable(`${address}/x.part`, cause)],
  ]
  for (const { message, why, fix } of errors) expect(`${message} ${why} ${fix}`).not.toContain("hunter2")
})

it("a question is still one", () => {
  expect(usageRefused("not an address", "Did you mean redis://h?").fix).toBe("Did you mean redis://h?")
})
