/* What a keyspace of 500 keys costs the compiler: its count of instantiations.
 *
 * The count is the same on every machine, so it is pinned, with a tenth to spare: a
 * change that makes editors slow is seen here. The time is printed for people. */

import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import type { Bench } from "./harness.ts"
import { keyspaceSource } from "./types/generate.ts"

const here = fileURLToPath(new URL("../dist/types/", import.meta.url))

export default async function (bench: Bench): Promise<void> {
  const small = await check(10)
  const large = await check(500)
  bench.report("types, 500 keys and a client on them", large.instantiations, "<=68000", "instantiations")
  bench.report(
    "types, each further key",
    (large.instantiations - small.instantiations) / 490,
    undefined,
    "instantiations",
  )
  bench.report("types, check time of 500 keys", large.seconds * 1000, undefined, "ms")
}

/** Checks a generated keyspace against the built package, as its users do. */
async function check(count: number): Promise<{ instantiations: number; seconds: number }> {
  const folder = `${here}${count}/`
  await mkdir(folder, { recursive: true })
  await writeFile(`${folder}large.ts`, keyspaceSource(count))
  await writeFile(`${folder}tsconfig.json`, JSON.stringify({ compilerOptions, files: ["large.ts"] }))
  const tsc = createRequire(import.meta.url)
    .resolve("typescript/package.json")
    .replace("package.json", "bin/tsc")
  const args = [tsc, "-p", folder, "--extendedDiagnostics", "--singleThreaded"]
  const { stdout } = await promisify(execFile)(process.execPath, args).catch((error: { stdout?: string }) => {
    throw new Error(`the generated keyspace of ${count} keys does not compile\n${error.stdout ?? String(error)}`)
  })
  return { instantiations: statistic(stdout, "Instantiations"), seconds: statistic(stdout, "Check time") }
}

const compilerOptions = {
  target: "es2023",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
  noEmit: true,
  types: ["node"],
}

/** `Instantiations:  81234` → 81234 */
function statistic(output: string, name: string): number {
  const [, value] = new RegExp(`^${name}: +([\\d.]+)`, "m").exec(output) ?? []
  if (value === undefined) throw new Error(`the compiler does not tell "${name}":\n${output}`)
  return Number(value)
}
