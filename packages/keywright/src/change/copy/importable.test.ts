/* What an export does not call unreadable can be imported, whatever somebody has stored: a backup is of no use otherwise. */

import { expect, it } from "vitest"
import { onSavingServers } from "../../inspect/snapshot/saving-servers.cases.ts"
import { exportKeys, type ExportSource } from "./export-keys.ts"
import { importKeys } from "./import-keys.ts"

async function exported(source: ExportSource) {
  const chunks: Buffer[] = []
  const result = await exportKeys(undefined, source, (more) => void chunks.push(Buffer.from(more)), { databases: [0] })
  return { result, bytes: chunks as unknown as AsyncIterable<Uint8Array> }
}

onSavingServers("the export of what somebody has stored to be in the way", (server) => {
  it("is imported with deadlines of any number of years, and says which it cannot have", async () => {
    const { driver, save } = server()
    const deadlines = { far: "9000000000000000", farther: "9007199254740991", none: "9223372036854000000" }
    await driver.batch(
      Object.entries(deadlines).flatMap(([key, at]) => [
        ["SET", key, "1"],
        ["PEXPIREAT", key, at],
      ]),
    )
    const file = await save()
    for (const source of [driver, { rdb: file }]) {
      const { result, bytes } = await exported(source)
      expect(result).toMatchObject({
        keys: 3,
        unreadable: 1,
        unreadableReason: expect.stringContaining("2^53 or more"),
      })
      await driver.send(["FLUSHALL"])
      expect(await importKeys(undefined, driver, bytes, { leftOut: "skip" })).toMatchObject({
        written: 2,
        different: 0,
      })
      expect(await driver.send(["PEXPIRETIME", "far"])).toBe(9e15)
      await driver.batch([
        ["SET", "none", "1"],
        ["PEXPIREAT", "none", deadlines.none],
      ])
    }
  })
})
