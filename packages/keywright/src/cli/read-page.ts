import { readFile } from "node:fs/promises"
import { fileMissing } from "../errors/cli.ts"
import type { SourceFile } from "../inspect/check/source-lines.ts"

/** A text file that the call names. */
export async function readPage(file: string): Promise<SourceFile> {
  const text = await readFile(file, "utf8").catch(() => {
    throw fileMissing(file)
  })
  return { file, text }
}
