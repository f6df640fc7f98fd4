/* Code, tests and pages cite requirements by their ids (`RST-7`, `MSG-C1`): each of them
 * is defined in docs/systems, once. */

import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const ID = /\b(?:ALL|SHOP|MSG|CDB|REC|RST)-[CKE]?\d+\b/g
const DOCS = `${root}docs/systems/`

const filesIn = (folder: string): string[] =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:ts|tsx|lua|md|mjs)$/.test(file) && !/(?:^|\/)(?:dist|node_modules)\//.test(file))
    .map((file) => `${folder}/${file}`)

/** The ids that a page explains: those at the head of a list item or in the first column of a table. */
const explainedIn = (page: string): string[] =>
  [...readFileSync(DOCS + page, "utf8").matchAll(/^(?:- \*\*|\| )([A-Z]+-[CKE]?\d+)\b/gm)].map(([, id]) => id!)

const pages = readdirSync(DOCS).filter((file) => file.endsWith(".md"))
const explained = pages.flatMap(explainedIn)

it("explains each id once", () => {
  expect(explained.filter((id, at) => explained.indexOf(id) !== at)).toEqual([])
  expect(explained.length).toBeGreaterThan(250)
})

it("explains every id that is cited", () => {
  const known = new Set(explained)
  const files = [
    ...["systems", "packages", "test", "bench", "scripts", "docs"].flatMap(filesIn),
    "README.md",
    "ARCHITECTURE.md",
  ]
  const missing = files
    .filter((file) => file !== "test/requirement-ids.test.ts")
    .flatMap((file) =>
      [...new Set(readFileSync(root + file, "utf8").match(ID))]
        .filter((id) => !known.has(id))
        .map((id) => `${file}: ${id}`),
    )
  expect(missing).toEqual([])
})

it.each(["shop", "messaging", "carto", "recommender", "restaurant"])(
  "the README of %s leads to its reasons",
  (system) => {
    const [, , document = ""] = readFileSync(`${root}systems/${system}/README.md`, "utf8").split("\n\n")
    expect(document).toMatch(/^Its document /)
    expect(document).toContain("The system adds ")
    expect(document).toContain(`../../docs/systems/${system}.md`)
  },
)
