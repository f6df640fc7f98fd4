/* The text of a schema: its file and those that it imports by a relative path. */

import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { dirname, relative, resolve } from "node:path"
import type { SourceFile } from "../inspect/check/source-lines.ts"

const MOST = 50
const imported = /(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g

/** The named file first. */
export async function readSources(file: string): Promise<SourceFile[]> {
  const files: SourceFile[] = []
  const waiting = [file]
  const seen = new Set(waiting)
  for (let path = waiting.shift(); path !== undefined && files.length < MOST; path = waiting.shift()) {
    if (!existsSync(path)) continue
    const text = await readFile(path, "utf8")
    files.push({ file: relative(process.cwd(), path), text })
    for (const [, specifier] of text.matchAll(imported)) {
      const base = resolve(dirname(path), specifier as string)
      const found = [base, `${base}.ts`, base.replace(/\.js$/, ".ts")].find(
        (one) => /\.\w+$/.test(one) && existsSync(one),
      )
      if (found === undefined || seen.has(found)) continue
      seen.add(found)
      waiting.push(found)
    }
  }
  return files
}
