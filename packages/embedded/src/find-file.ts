/* Files that belong to the engine and are not imported: the worker, which is beside this
 * file in the sources and in the build, and the module of another package. When a program
 * was bundled into one file neither is where the code expects it, and both are looked for
 * where packages are installed. */

import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { moduleMissing } from "./errors.ts"

export function findWorker(): string {
  const beside = fileURLToPath(new URL("./worker/main.js", import.meta.url))
  return existsSync(beside) ? beside : findInstalled("@keywright/embedded/dist/worker/main.js")
}

/** Finds a file of an installed package, from here or from the working directory upwards. */
export function findInstalled(file: string): string {
  const from = [import.meta.url, path.join(process.cwd(), "program.js")]
  const folders = new Set(from.flatMap((place) => createRequire(place).resolve.paths(file) ?? []))
  const found = [...folders].map((folder) => path.join(folder, file)).find((candidate) => existsSync(candidate))
  if (found) return found
  throw moduleMissing(file, [...folders])
}
