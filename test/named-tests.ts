/* Pages that name a test for each of their lines: `path/to/x.test.ts` "words of its title". */

import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

export const readPage = (path: string): string => readFileSync(at(path), "utf8")

/** The rows of all tables, as cells; not their rules. */
export const testRows = (page: string): string[][] =>
  page
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )

/** The files that a cell names, and titles of their tests, that do not exist. */
export function namedTests(cell: string): string[] {
  const files = cell.split(/; (?=`)/)
  return files.flatMap((named) => {
    const [, file = "", titles = ""] = /^`([^`]+\.test\.ts)`(.*)$/.exec(named) ?? []
    if (!existsSync(at(file))) return [file || named]
    const source = readPage(file)
    const quoted = [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title!)
    const isWholeFile = titles === "" && files.length > 1
    return quoted.length === 0 && !isWholeFile ? [named] : quoted.filter((title) => !source.includes(title))
  })
}
