/* Files that a call names. */

import { existsSync } from "node:fs"
import { fileMissing } from "../errors/cli.ts"
import { readText, requireOrdinary } from "../files/ordinary-file.ts"
import type { SourceFile } from "../inspect/check/source-lines.ts"

/** Refuses a path where nothing is, and what is not an ordinary file. */
export function requireFile(path: string): void {
  if (!existsSync(path)) throw fileMissing(path)
  requireOrdinary(path)
}

export function readPage(file: string): SourceFile {
  requireFile(file)
  return { file, text: readText(file) }
}
