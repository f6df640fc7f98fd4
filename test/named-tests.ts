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

/** What a cell names that is not there. */
export function namedTests(cell: string): string[] {
  const [, file = "", titles = ""] = /^`([^`]+\.test\.ts)` (.+)$/.exec(cell) ?? []
  if (!existsSync(at(file))) return [file || cell]
  const source = readPage(file)
  const quoted = [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title!)
  return quoted.length === 0 ? [cell] : quoted.filter((title) => !source.includes(title))
}
