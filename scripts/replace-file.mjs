import { readFile, rename, writeFile } from "node:fs/promises"

/** Replaces a file at once, and only if it has changed: a concurrent reader finds a complete file. */
export async function replaceFile(path, contents) {
  const current = await readFile(path).catch(() => undefined)
  if (current?.equals(contents)) return
  const fresh = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.new`
  await writeFile(fresh, contents)
  await rename(fresh, path)
}
