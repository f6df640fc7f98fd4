import { readFileSync, statSync } from "node:fs"
import { UsageError } from "./usage-error.ts"

const MOST_BYTES = 65_536

/** What a file holds, without the end of its last line. `option` is what named it. */
export function readSecretFile(option: string, path: string): string {
  try {
    if (statSync(path).size > MOST_BYTES) throw new UsageError(`${option}: ${path} is too large to be a secret`)
    return readFileSync(path, "utf8").replace(/\r?\n$/, "")
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${option}: ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`)
  }
}
