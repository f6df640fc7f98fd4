/* The text of a schema: its file and those that it imports by a relative path. */

import { statSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import { readText } from "../files/ordinary-file.ts"
import type { SourceFile } from "../inspect/check/source-lines.ts"

const MOST = 50
/** The relative paths that a text imports. */
export const imported = /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g

/** The named file first. */
export function readSources(file: string): SourceFile[] {
  const files: SourceFile[] = []
  const waiting = [file]
  const seen = new Set(waiting)
  for (let path = waiting.shift(); path !== undefined && files.length < MOST; path = waiting.shift()) {
    if (!isFile(path)) continue
    const text = readText(path)
    files.push({ file: relative(process.cwd(), path), text })
    for (const [, specifier] of text.matchAll(imported)) {
      const base = resolve(dirname(path), specifier as string)
      const found = [base, `${base}.ts`, base.replace(/\.js$/, ".ts")].find((one) => /\.\w+$/.test(one) && isFile(one))
      if (found === undefined || seen.has(found)) continue
      seen.add(found)
      waiting.push(found)
    }
  }
  return files
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
