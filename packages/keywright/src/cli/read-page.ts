import { existsSync } from "node:fs"
import { fileMissing } from "../errors/cli.ts"
import { readText } from "../files/ordinary-file.ts"
import type { SourceFile } from "../inspect/check/source-lines.ts"

/** A text file that the call names. */
export function readPage(file: string): SourceFile {
  if (!existsSync(file)) throw fileMissing(file)
  return { file, text: readText(file) }
}
