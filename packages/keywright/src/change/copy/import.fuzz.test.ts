/* Exports with something else in them than was exported: refused with nothing written, or
 * what they leave is what the export would have left. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Engine, start } from "@keywright/embedded"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fuzzing, JSON_PIECES, mutated, mutatedJson } from "../../../../../test/fuzz.ts"
import { isUnavailable } from "../../client/call/unavailable.ts"
import type { Driver } from "../../driver/driver.ts"
import { embeddedDriver } from "../../driver/embedded.ts"
import { audit } from "../../inspect/audit/audit.ts"
import { bistro as typed, fillBistro, openBistro } from "../../inspect/audit/bistro.cases.ts"
import type { Keyspace } from "../../schema/keyspace.ts"
import { DigestSum } from "./digest.ts"
import { exportKeys } from "./export-keys.ts"
import { digestOf } from "./export-page.ts"
import { importKeys } from "./import-keys.ts"
import { partOfLine } from "./import-line.ts"
import type { KeyLine } from "./lines.ts"

const bistro = typed as unknown as Keyspace
const OTHERS: readonly unknown[] = [
  ...[null, true, 0, 1, -1, 1e300, "", "x", [], {}, "string", "set", "zset", "other", "dish:1", "other:app:key"],
  ...[["1"], [["m", "1"]], [["m", "XX"]], { base64: "/w==" }, { dump: "AAAA" }, 1_800_000_000_000, "refresh"],
]
const PIECES = [...JSON_PIECES, '"db":1,', '"more":true,', '"key":"other",', "{}\n"]

/** A line with the digest that its writer would have given it, where there is one. */
function signed(line: unknown): unknown {
  try {
    const { key, pexpireat } = line as KeyLine
    return { ...(line as object), digest: digestOf(key as string, partOfLine(line as KeyLine, 2), pexpireat) }
  } catch {
    return line
  }
}

describe("an export with something else in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "keywright-import-fuzz-"))
  const file = join(folder, "export.ndjson")
  let engine: Engine
  let driver: Driver
  let lines: string[] = []
  let expected: unknown

  const stateOf = async () => (await exportKeys(bistro, driver, () => undefined, { secrets: true })).patterns

  beforeAll(async () => {
    engine = await start()
    driver = embeddedDriver(engine)
    const db = await openBistro({ engine })
    await fillBistro(db, 2)
    await db.$close()
    await exportKeys(bistro, driver, { file }, { secrets: true })
    lines = readFileSync(file, "utf8").trimEnd().split("\n")
    expected = await stateOf()
  }, 60_000)
  afterAll(async () => {
    await driver?.close()
    await engine?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** On a busy machine the engine may not answer in time: that is not a refusal, and the same call continues. */
  async function carriedThrough(): Promise<void> {
    try {
      await importKeys(bistro, driver, { file }, { rebuild: false })
    } catch (error) {
      const { code, cause } = error as { code?: string; cause?: unknown }
      if (code !== "IMPORT.INTERRUPTED" || !isUnavailable(cause)) throw error
      await carriedThrough()
    }
  }

  /** Whether it is imported; what is refused leaves nothing. */
  async function isImported(text: string): Promise<boolean> {
    await driver.send(["FLUSHALL"])
    rmSync(`${file}.import`, { force: true })
    writeFileSync(file, text)
    try {
      await carriedThrough()
      return true
    } catch (error) {
      expect((error as { code?: string }).code).toMatch(/^IMPORT\./)
      expect(await driver.send(["DBSIZE"])).toBe(0)
      return false
    }
  }

  it("is imported when nothing else is in it", async () => {
    expect(await isImported(`${lines.join("\n")}\n`)).toBe(true)
    expect(await stateOf()).toEqual(expected)
  })

  it("leaves the same or nothing: other characters", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constant(0).chain(() => mutated(`${lines.join("\n")}\n`, PIECES)),
        async (text) => {
          if (await isImported(text)) expect(await stateOf()).toEqual(expected)
        },
      ),
      fuzzing(150),
    )
  })

  it("leaves only what the schema owns, even where somebody has reckoned the digests", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat().chain((at) => mutatedJson(lines[1 + (at % (lines.length - 2))]!, OTHERS)),
        async (line) => {
          const own = JSON.stringify(signed(line))
          const { digest } = (JSON.parse(own) ?? {}) as { digest?: unknown }
          const sum = new DigestSum()
          if (typeof digest === "string" && /^[0-9a-f]+$/.test(digest)) sum.add(DigestSum.of(digest))
          const patterns = { x: { keys: 1, digest: sum.toString() } }
          const end = JSON.stringify({ end: true, keys: 1, leftOut: 0, unreadable: 0, patterns })
          if (!(await isImported([lines[0], own, end, ""].join("\n")))) return
          const { summary } = await audit(bistro, driver)
          expect(Object.keys(summary).filter((code) => /^KEY\.(?:UNKNOWN|TYPE)$/.test(code))).toEqual([])
        },
      ),
      fuzzing(150),
    )
  })
})
