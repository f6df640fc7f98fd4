/* What the build made of the pages: scripts and styles under names that hold their digest,
 * so that a browser may keep them, and a list that says which page needs which. Only listed
 * names are served: there is no path to climb out of. */

import { existsSync, readFileSync } from "node:fs"
import { dirname, extname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array
  readonly gzipped: Uint8Array
}

export interface PageFiles {
  /** By page: the names of its script and its styles. */
  readonly pages: Readonly<Record<string, PageParts>>
  /** Undefined for a name that is not listed. */
  file(name: string): PageFile | undefined
}

export interface PageParts {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

interface Listed {
  readonly pages: Readonly<Record<string, PageParts>>
  readonly files: readonly string[]
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
}

/** Undefined when the pages have not been built: the systems are served without them. */
export function readPageFiles(folder = builtFolder()): PageFiles | undefined {
  const list = join(folder, "pages.json")
  if (!existsSync(list)) return undefined
  const { pages, files } = JSON.parse(readFileSync(list, "utf8")) as Listed
  const known = new Set(files)
  const kept = new Map<string, PageFile>()
  return {
    pages,
    file(name) {
      if (!known.has(name)) return undefined
      let file = kept.get(name)
      if (file === undefined) {
        const bytes = readFileSync(join(folder, name))
        const type = TYPES[extname(name)] ?? "application/octet-stream"
        kept.set(name, (file = { type, bytes, gzipped: gzipSync(bytes, { level: 9 }) }))
      }
      return file
    },
  }
}

/** `dist/pages` of the systems, for the sources as for the build. */
function builtFolder(): string {
  let at = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(at, "package.json")) && dirname(at) !== at) at = dirname(at)
  return join(at, "dist/pages")
}
