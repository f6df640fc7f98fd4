/* The page's files, as the build made them: a few, read once and kept compressed.
 * Only these names are served, so there is no path to climb out of. */

import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array
  readonly gzipped: Uint8Array
  readonly tag: string
}

const FILES: Readonly<Record<string, string>> = {
  "index.html": "text/html; charset=utf-8",
  "app.js": "text/javascript; charset=utf-8",
  "app.css": "text/css; charset=utf-8",
  "icon.svg": "image/svg+xml",
}

/** By name; empty when the page has not been built. */
export function readPageFiles(folder = defaultFolder()): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  for (const [name, type] of Object.entries(FILES)) {
    const path = join(folder, name)
    if (!existsSync(path)) continue
    const bytes = readFileSync(path)
    const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`
    files.set(name, { type, bytes, gzipped: gzipSync(bytes, { level: 9 }), tag })
  }
  return files
}

/** `dist/studio` of this package, wherever this file has been bundled to. */
function defaultFolder(): string {
  let at = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(at, "package.json")) && dirname(at) !== at) at = dirname(at)
  return join(at, "dist/studio")
}
