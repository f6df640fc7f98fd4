import { isUtf8 } from "node:buffer"
import { closeSync, openSync, readSync } from "node:fs"
import { UsageError } from "./usage-error.ts"

const MOST_BYTES = 65_536

/** What a file or a pipe holds, without the end of its last line. `option` is what named it. */
export function readSecretFile(option: string, path: string): string {
  const bytes = Buffer.alloc(MOST_BYTES + 1)
  let length = 0
  try {
    const file = openSync(path, "r")
    try {
      // The size that a pipe or a device reports says nothing about what comes out of it.
      for (let count = -1; count !== 0 && length < bytes.length; length += count)
        count = readSync(file, bytes, length, bytes.length - length, null)
    } finally {
      closeSync(file)
    }
  } catch (error) {
    // Somebody may have given the secret itself.
    const shown = /^[./~]/.test(path) ? path : "its file"
    throw new UsageError(`${option}: ${shown} cannot be read (${(error as NodeJS.ErrnoException).code ?? "unknown"})`)
  }
  if (length > MOST_BYTES) throw new UsageError(`${option}: ${path} is too large to be a secret`)
  const content = bytes.subarray(0, length)
  // Every byte that is not would become the same character: random bytes would be a secret that can be guessed.
  if (!isUtf8(content))
    throw new UsageError(`${option}: ${path} is not UTF-8; a text such as \`openssl rand -base64 48\` makes is`)
  return content.toString("utf8").replace(/\r?\n$/, "")
}
