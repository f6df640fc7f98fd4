/* The pages of the documentation: no link leads nowhere, no page is missing from the sidebar, and
 * what is made from the sources is complete. */

import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { commands } from "../packages/keywright/src/cli/commands.ts"
import { optionsOf } from "../packages/keywright/src/cli/program.ts"
import { handleClasses } from "../packages/keywright/src/client/kinds/handles.ts"
import { findingCodes } from "../packages/keywright/src/inspect/audit/finding-codes.ts"
import { sidebar } from "../docs/.vitepress/sidebar.ts"
import { codesInSources, readErrors } from "../scripts/docs/errors.mjs"
import { pages, withParts } from "../scripts/docs/parts.mjs"
import { membersOf, ts, typeIn } from "../scripts/docs/read-source.mjs"
import { deadLinks } from "./dead-links.ts"
import { published } from "./doc-comments.ts"

const root = new URL("..", import.meta.url).pathname
const read = (path: string) => readFileSync(join(root, path), "utf8")
const all = pages().map((page) => `docs/${page}`)

/** Pages outside of the site that people come upon first. */
const others = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "systems/README.md"]

describe("links", () => {
  it.each([...all, ...others])("of %s lead somewhere", (page) => {
    expect(deadLinks(read(page), page, root)).toEqual([])
  })

  it("that lead nowhere are found: files, headings and pictures", () => {
    const page = "[a](no-page.md) [b](../README.md#no-heading) ![c](no.png) [d](index.md) [e](#here)\n\n## Here\n"
    expect(deadLinks(page, "docs/x.md", root)).toEqual(["no-page.md", "../README.md#no-heading", "no.png"])
  })
})

describe("ARCHITECTURE.md", () => {
  const folders = ["packages/keywright/src", "bench/src", "docs", "scripts", "systems", "test"]
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  const spelled = (name: string) => `(^|/)${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*").replace("…", ".*")}`
  const missing = (text: string) =>
    [...text.matchAll(/`([^`\s]+\.(?:tsx?|mjs|lua|md)|[\w./-]+\/)`/g)]
      .map(([, name]) => name!)
      .filter((name) => {
        const pattern = new RegExp(name.endsWith("/") ? spelled(name) : `${spelled(name)}$`)
        return !files.some((file) => pattern.test(file))
      })

  it("names only files and folders that exist", () => expect(missing(read("ARCHITECTURE.md"))).toEqual([]))

  it("is found to name others", () =>
    expect(missing("`walk/no-file.ts`, `docs.test.ts`, `no-folder/`, `test/`")).toEqual([
      "walk/no-file.ts",
      "no-folder/",
    ]))
})

describe("the sidebar", () => {
  const links = sidebar.flatMap(({ items }) => items.map(({ link }) => link))
  const file = (link: string) =>
    [`docs${link}.md`, `docs${link}index.md`, `docs${link}README.md`].find((path) => existsSync(join(root, path)))

  it("leads to pages that are there", () => expect(links.filter((link) => file(link) === undefined)).toEqual([]))

  it("has every page", () => {
    const listed = new Set(links.map(file))
    expect(all.filter((page) => page !== "docs/index.md" && !listed.has(page))).toEqual([])
  })
})

describe("what is made from the sources", () => {
  const made = (page: string) => withParts(read(page), { commands, optionsOf, findingCodes })
  const withMarks = all.filter((page) => read(page).includes("<!-- generated: "))

  it.each(withMarks)("is a table in %s, and nothing is left of the mark", (page) => {
    const marks = read(page).match(/<!-- generated: /g)!.length
    expect(made(page)).not.toContain("<!-- generated: ")
    expect(made(page).match(/^\|---/gm)?.length ?? (page.endsWith("errors.md") ? 1 : 0)).toBeGreaterThanOrEqual(marks)
  })

  it("tells of every method of a kind what it sends and what that costs", () => {
    const kinds = all.filter((page) => page.startsWith("docs/kinds/"))
    expect(kinds).toHaveLength(11)
    const rows = kinds.flatMap((page) => made(page).match(/^\| `\w+\(.*$/gm) ?? [])
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter((row) => !/O\(/.test(row))).toEqual([])
  })

  it.each([
    ["docs/guide/entities.md", "client/entity-client.ts", "EntityClient"],
    ["docs/guide/caches.md", "client/kinds/family.ts", "FamilyMethods"],
    ["docs/guide/using-keys.md", "client/kinds/handle.ts", "Handle"],
  ])("tells the same in %s of every method of an entity, a family or a handle", (page, file, type) => {
    const rows: string[] = made(page).split("\n")
    const missing = publicMethods(file, type).filter(
      (method) => !rows.some((row) => row.startsWith(`| \`${method}(`) && /\| [^|]*O\(/.test(row)),
    )
    expect(missing).toEqual([])
  })

  it.each(Object.entries(handleClasses))("has every public method of a %s on its page", (kind, { name }) => {
    const page = made(`docs/kinds/${kind}.md`)
    const methods = publicMethods(`client/kinds/${kind}.ts`, name)
    expect(methods.length).toBeGreaterThan(1)
    expect(methods.filter((method) => !new RegExp(`\`${method.replace("$", "\\$")}[(\`]`).test(page))).toEqual([])
  })

  it("has every command with every option of it", () => {
    const page = made("docs/reference/command-line.md")
    for (const command of commands)
      for (const { flags } of optionsOf(command)) expect(page).toContain(`| \`${flags}\` |`)
  })

  it("has every error code that is thrown, with what it means, and why or what to do", () => {
    const errors: { code: string; ways: { why?: string; fix?: string }[] }[] = readErrors()
    const known = new Set(errors.map(({ code }) => code))
    expect(codesInSources().filter((code) => !known.has(code))).toEqual([])
    expect(errors.length).toBeGreaterThan(200)
    expect(errors.flatMap(({ code, ways }) => (ways.some(({ why, fix }) => why || fix) ? [] : [code]))).toEqual([])
  })

  it("includes files that are there", () => {
    for (const page of all)
      for (const [, path] of read(page).matchAll(/<!--@include: (\S+)-->/g))
        expect(existsSync(join(root, dirname(page), path!)), `${page}: ${path}`).toBe(true)
  })
})

/** The methods that users of a class or interface have, those that it inherits too. */
function publicMethods(file: string, type: string): string[] {
  const path = join("packages/keywright/src", file)
  const node = typeIn(path, type)!
  const own = membersOf(node)
    .filter(({ node: member }) => ts.isMethodDeclaration(member) || ts.isMethodSignature(member))
    .map(({ name }) => name as string)
  const parents = (node.heritageClauses ?? [])
    .filter(({ token }: { token: number }) => token === ts.SyntaxKind.ExtendsKeyword)
    .flatMap((clause: { types: { expression: { text: string } }[] }) => clause.types.map((one) => one.expression.text))
  const inherited = parents.flatMap((parent: string) =>
    publicMethods(`client/kinds/${parent === "ValueHandle" ? "value" : "handle"}.ts`, parent),
  )
  return [...own, ...inherited].filter((name) => name !== "toString" && name !== "toJSON")
}

describe("everything that is exported", () => {
  it("is read from what the packages say that they export", () => {
    expect(published.length).toBeGreaterThan(250)
    expect(new Set(published.map(({ from }) => from))).toEqual(
      new Set(["keywright", "keywright/operate", "keywright/studio", "keywright/testing", "@keywright/embedded"]),
    )
  })

  it("has a doc comment with a sentence and an example", () => {
    const lacking = published.filter(({ prose, example }) => !/^[A-Z`"].*[.:)`]$/.test(prose) || example === "")
    expect(lacking.map(({ name, file }) => `${file}: ${name}`)).toEqual([])
  })
})
